#include "cure/attempt.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace {

std::string text_of(const edit::GraphAt& at) {
  std::string text = at.function ? fmt::format("f{}", *at.function) : "m";
  for (const auto& step : at.steps) text += fmt::format("/{}:{}:{}", step.node, step.index, step.attribute);
  return text;
}
std::string text_of(const edit::NodeAt& at) { return fmt::format("{}#{}", text_of(at.graph), at.position); }

/// The things that edits change: whole nodes, single inputs of nodes, and what goes by a name.
class Touched {
 public:
  /// False: another one touches the same, nothing is noted.
  bool add_all(const std::vector<edit::Edit>& edits) {
    Touched more;
    for (const edit::Edit& edit : edits) more.add(edit);
    if (overlaps(more)) return false;
    nodes_.merge(more.nodes_);
    others_.merge(more.others_);
    for (auto& [node, inputs] : more.inputs_) inputs_[node].merge(inputs);
    return true;
  }

 private:
  void add(const edit::Edit& edit) {
    std::visit(
        [this](const auto& one) {
          using T = std::decay_t<decltype(one)>;
          if constexpr (std::is_same_v<T, edit::SetInput>) {
            inputs_[text_of(one.node)].insert(one.index);
          } else if constexpr (requires { one.node.position; }) {
            nodes_.insert(text_of(one.node));
          } else if constexpr (std::is_same_v<T, edit::ImportOpset>) {
            others_.insert(fmt::format("opset {} {}", one.domain, one.function ? static_cast<int>(*one.function) : -1));
          } else if constexpr (std::is_same_v<T, edit::CopyTensor>) {
            others_.insert(fmt::format("{} {}", text_of(one.to), one.as));
          } else if constexpr (std::is_same_v<T, edit::Rewire>) {
            others_.insert(fmt::format("{} {}", text_of(one.graph), one.from));
          } else if constexpr (requires { one.name; }) {
            others_.insert(fmt::format("{} {}", text_of(one.graph), one.name));
          }
        },
        edit);
  }
  [[nodiscard]] bool overlaps(const Touched& more) const {
    const auto is_here = [](const auto& set) { return [&set](const auto& item) { return set.contains(item); }; };
    if (std::ranges::any_of(more.nodes_, is_here(nodes_)) || std::ranges::any_of(more.nodes_, is_here(inputs_)))
      return true;
    if (std::ranges::any_of(more.others_, is_here(others_))) return true;
    return std::ranges::any_of(more.inputs_, [this](const auto& entry) {
      if (nodes_.contains(entry.first)) return true;
      const auto known = inputs_.find(entry.first);
      return known != inputs_.end() &&
             std::ranges::any_of(entry.second, [&](std::uint32_t i) { return known->second.contains(i); });
    });
  }

  std::set<std::string> nodes_;
  std::map<std::string, std::set<std::uint32_t>> inputs_;
  std::set<std::string> others_;
};

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

class Proposer {
 public:
  Proposer(const State& state, const FixOptions& options)
      : options_(&options), patient_(state.model(), state.shapes(), options.check.target) {}

  /// The first cure that is for it and can be made.
  std::optional<Attempt> attempt(const Finding& finding, const Key& key, const Failed& failed, Missing& missing) {
    missing.reason = "no cure is known";
    for (const Cure* cure : cures_of(finding)) {
      if (!is_among(options_->cures, cure->name)) continue;
      if (const auto known = failed.find({key.text, std::string(cure->name)}); known != failed.end()) {
        missing.reason = known->second;
        continue;
      }
      Draft draft(patient_, finding.node_id);
      const bool is_made = cure->make(draft, finding) && !draft.edits().empty();
      if (!is_made) {
        if (!draft.refusal().empty()) missing.reason = draft.refusal();
        continue;
      }
      const CureClass kind = draft.promised().value_or(cure->kind);
      if (std::ranges::find(options_->classes, kind) == options_->classes.end()) {
        missing = {fmt::format("`{}` is of class {}, which was not asked for", cure->name, to_string(kind)),
                   std::string(cure->name)};
        continue;
      }
      Attempt attempt;
      attempt.finding = &finding;
      attempt.cure = cure->name;
      attempt.kind = kind;
      attempt.title = draft.title().empty() ? std::string(cure->summary) : draft.title();
      attempt.edits = draft.edits();
      return attempt;
    }
    return std::nullopt;
  }

 private:
  const FixOptions* options_;
  Patient patient_;
};

}  // namespace

Attempts attempts_for(const State& state, const FixOptions& options, const Failed& failed) {
  Attempts attempts;
  Touched touched;
  Proposer proposer(state, options);
  for (const Finding* finding : state.findings()) {
    // Advice is followed by those who ask for its cure.
    if (finding->severity == Severity::info && options.cures.empty()) continue;
    Key key = state.key(*finding);
    Missing missing;
    std::optional<Attempt> attempt = proposer.attempt(*finding, key, failed, missing);
    if (!attempt) {
      attempts.missing[finding] = std::move(missing);
    } else if (touched.add_all(attempt->edits)) {
      attempt->key = std::move(key);
      attempts.made.push_back(std::move(*attempt));
    }
  }
  return attempts;
}

std::vector<edit::Edit> all_edits(std::span<const Attempt> attempts) {
  std::vector<edit::Edit> edits;
  for (const Attempt& attempt : attempts) edits.insert(edits.end(), attempt.edits.begin(), attempt.edits.end());
  return edits;
}

}  // namespace trtcheck::cure
