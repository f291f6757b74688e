#include "suppress/suppress.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "engine/group.hpp"
#include "engine/order.hpp"
#include "engine/place.hpp"
#include "rules/list.hpp"
#include "suppress/metadata_ignores.hpp"
#include "text/glob.hpp"

namespace trtcheck {
namespace {

constexpr const char* kNodeIgnores = "per-node-ignores";

void check_node_ignore(const NodeIgnore& ignore) {
  try {
    check_glob(ignore.node);
  } catch (const Error& error) {
    throw Error(kNodeIgnores, fmt::format("`{}`: {}", ignore.node, error.cause()));
  }
  for (const std::string& word : ignore.rules) {
    if (auto why = engine::why_unknown(word)) throw Error(kNodeIgnores, std::move(*why));
  }
  if (ignore.reason.empty()) throw Error(kNodeIgnores, fmt::format("`{}` gives no reason", ignore.node));
}

bool matches(const NodeIgnore& ignore, std::string_view node, const Finding& finding) {
  if (node.empty() || !glob_matches(ignore.node, node)) return false;
  const auto is_meant = [&](const std::string& word) { return engine::matches(finding, word); };
  return ignore.rules.empty() || std::ranges::any_of(ignore.rules, is_meant);
}

}  // namespace

void suppress(Report& report, const WhySuppressed& why) {
  engine::sort_findings(report.findings);
  std::vector<Finding> left;
  for (Finding& finding : report.findings) {
    auto because = finding.rule == &rules::internal_error::rule ? std::nullopt : why(finding);
    if (!because) {
      left.push_back(std::move(finding));
      continue;
    }
    ++report.suppressed;
    report.suppressions.push_back({std::move(finding), because->by, std::move(because->reason)});
  }
  report.findings = std::move(left);
}

void add_findings(Report& report, std::vector<Finding> findings, const Model& model, const Shapes& shapes,
                  const engine::Selection& selection) {
  rules::Provenances provenances(model);
  engine::Groups groups(model);
  for (Finding& finding : findings) {
    if (!selection.contains(finding)) {
      ++report.suppressed;
      continue;
    }
    engine::add_place(finding, model, shapes, provenances);
    groups.add_to(finding);
    report.findings.push_back(std::move(finding));
  }
}

void suppress_by_metadata(Report& report, MetadataIgnores& ignores, const Model& model, const Shapes& shapes,
                          const engine::Selection& selection) {
  if (ignores.empty()) return;
  suppress(report, [&](const Finding& finding) { return ignores.why(finding); });
  add_findings(report, ignores.findings(selection), model, shapes, selection);
}

NodeIgnores::NodeIgnores(const std::vector<NodeIgnore>& ignores) : ignores_(&ignores), used_(ignores.size()) {
  std::ranges::for_each(ignores, check_node_ignore);
}

std::optional<SuppressedBecause> NodeIgnores::why(std::string_view node, const Finding& finding) {
  std::optional<SuppressedBecause> found;
  for (std::size_t i = 0; i < ignores_->size(); ++i) {
    const NodeIgnore& ignore = (*ignores_)[i];
    if (!matches(ignore, node, finding)) continue;
    used_[i] = true;
    if (!found) found = {Suppressed::By::settings, ignore.reason};
  }
  return found;
}

void NodeIgnores::suppress(Report& report) {
  if (empty()) return;
  trtcheck::suppress(report, [&](const Finding& finding) { return why(finding.node, finding); });
  for (std::size_t i = 0; i < ignores_->size(); ++i) {
    // The same text for every model: the caller may say once what had nothing to do in any of them.
    if (!used_[i]) report.unmatched.push_back(fmt::format("{} `{}`", kNodeIgnores, (*ignores_)[i].node));
  }
}

}  // namespace trtcheck
