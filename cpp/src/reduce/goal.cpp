#include "reduce/goal.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

#include "engine/selection.hpp"
#include "target/releases.hpp"
#include "text/suggest.hpp"

namespace trtcheck::reducing {
namespace {

std::string name_of(const Finding& finding) {
  std::string name(finding.rule->code);
  if (!finding.fact.empty()) name.append(":").append(finding.fact);
  return name;
}

/// The value that tells the node of a finding from others: names of values stay.
std::string value_of(const Model& model, const Finding& finding) {
  for (const ValueId output : model.node(finding.node_id).outputs) {
    if (output) return std::string(model.value(output).name);
  }
  return {};
}

bool is_at(const Model& model, const Finding& finding, std::string_view node) {
  if (!finding.node_id) return false;
  return finding.node == node || model.graph_path(model.node(finding.node_id).graph) + "/" + finding.node == node;
}

[[noreturn]] void no_finding(const cure::State& state, std::string_view word, std::string_view node) {
  std::set<std::string> names;
  std::vector<std::string> labels;
  for (const Finding* finding : state.findings()) {
    names.insert(name_of(*finding));
    if (engine::matches(*finding, word) && !finding->node.empty()) labels.push_back(finding->node);
  }
  const std::string& path = state.model().path();
  const std::string release = full_name(state.report().target.release);
  if (!labels.empty() && !node.empty()) {
    const std::vector<std::string_view> views(labels.begin(), labels.end());
    std::string hint = did_you_mean(node, views);
    if (hint.empty()) hint = fmt::format("; it is at `{}`", labels.front());
    throw Error(path, fmt::format("there is no finding {} at `{}` in it for {}{}", word, node, release, hint));
  }
  const std::string_view of_suppressed =
      state.report().suppressed == 0 ? "" : "; some findings are left out by select, ignore or a suppression";
  if (names.empty()) {
    throw Error(path,
                fmt::format("there is no finding {} in it for {}, nor any other{}", word, release, of_suppressed));
  }
  throw Error(path, fmt::format("there is no finding {} in it for {}; there are {}{}", word, release,
                                fmt::join(names, ", "), of_suppressed));
}

}  // namespace

Goal::Goal(const cure::State& state) { note_errors(state); }

Goal::Goal(const cure::State& state, std::string_view words) {
  const std::size_t at = words.find('@');
  const std::string_view word = words.substr(0, at);
  const std::string_view node = at == std::string_view::npos ? std::string_view() : words.substr(at + 1);
  if (at != std::string_view::npos && node.empty()) throw Error("finding", "there is no node after the `@`");
  if (auto why = engine::why_unknown(word)) throw Error("finding", std::move(*why));
  // Of what is listed; consequences come last.
  const Finding* found = nullptr;
  for (const Finding* finding : state.findings()) {
    if (!engine::matches(*finding, word) || (!node.empty() && !is_at(state.model(), *finding, node))) continue;
    if (found == nullptr || finding->severity > found->severity) found = finding;
  }
  if (found == nullptr) no_finding(state, word, node);
  rule_ = found->rule;
  fact_ = found->fact;
  severity_ = found->severity;
  is_of_model_ = !found->node_id;
  if (!node.empty()) value_ = value_of(state.model(), *found);
  note_errors(state);
}

void Goal::note_errors(const cure::State& state) {
  for (const Finding* finding : state.findings()) {
    if (finding->severity == Severity::error) errors_.insert(name_of(*finding));
  }
}

bool Goal::is_meant(const cure::State& state, const Finding& finding) const {
  if (finding.rule != rule_ || finding.fact != fact_ || finding.severity < severity_) return false;
  if (is_of_model_ != !finding.node_id) return false;
  return value_.empty() || value_of(state.model(), finding) == value_;
}

bool Goal::has_new_error(const cure::State& state) const {
  return std::ranges::any_of(state.findings(), [this](const Finding* finding) {
    return finding->severity == Severity::error && !errors_.contains(name_of(*finding));
  });
}

const Finding* Goal::in(const cure::State& state) const {
  const auto found =
      std::ranges::find_if(state.findings(), [&](const Finding* finding) { return is_meant(state, *finding); });
  return found == state.findings().end() ? nullptr : *found;
}

const Finding* Goal::shown_in(const cure::State& state) const { return has_new_error(state) ? nullptr : in(state); }

std::vector<const Finding*> Goal::all_in(const cure::State& state) const {
  constexpr std::size_t kMost = 16;
  std::vector<const Finding*> found;
  for (const Finding* finding : state.findings()) {
    if (found.size() < kMost && is_meant(state, *finding)) found.push_back(finding);
  }
  return found;
}

}  // namespace trtcheck::reducing
