#include "partition/advice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/plural.hpp"

namespace trtcheck::partitioning {
namespace {

/// Of the work in engines, what small pieces may cost together.
constexpr double kSmall = 0.01;

class Adviser {
 public:
  Adviser(const Asked& asked, const Refusals& found, const Sizes& sizes, const CutRules& rules)
      : asked_(&asked), sizes_(&sizes), rules_(rules), now_(verdicts(asked, found)), found_(&found) {
    for (const std::uint32_t at : asked.line.order) by_type_[type_of(at)].push_back(at);
  }

  Advice run() && {
    exclude();
    rules_.least_nodes = std::max<std::size_t>(rules_.least_nodes, 1);
    if (asked_->provider == Provider::tensorrt) choose_least();
    made_.cut = cut(asked_->line, with(made_.exclude), rules_);
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::string type_of(std::uint32_t at) const {
    return std::string(asked_->model.node(NodeId{asked_->model.graph().first_node.index + at}).op_type);
  }

  [[nodiscard]] std::vector<Verdict> with(const std::vector<std::string>& types) const {
    std::vector<Verdict> made = now_;
    for (const std::string& type : types) {
      const auto known = by_type_.find(type);
      if (known == by_type_.end()) continue;
      for (const std::uint32_t at : known->second) made[at] = Verdict::excluded;
    }
    return made;
  }
  [[nodiscard]] PartitionOutcome outcome(const std::vector<std::string>& types) const {
    return sizes_->outcome(cut(asked_->line, with(types), rules_));
  }

  void exclude() {
    std::set<std::string> needed;
    for (const auto& [at, finding] : found_->not_built) {
      if (now_[at] == Verdict::accepted) needed.insert(type_of(at));
    }
    needed.insert(found_->not_built_in_bodies.begin(), found_->not_built_in_bodies.end());
    std::set<std::string> types = needed;
    std::size_t asked_less = 0;
    for (const auto& [type, positions] : by_type_) {
      const auto refused = std::ranges::count_if(positions, [&](auto at) { return now_[at] == Verdict::refused; });
      if (refused == 0) continue;
      // Nothing is lost where all are refused. TensorRT-RTX's provider drops what stands around a refused node.
      const bool is_free = static_cast<std::size_t>(refused) == positions.size();
      if (!is_free && asked_->provider != Provider::rtx) continue;
      asked_less += static_cast<std::size_t>(refused);
      types.insert(type);
    }
    made_.exclude.assign(types.begin(), types.end());
    if (asked_->provider == Provider::rtx) leave_out_what_costs_more(needed);
    for (const std::string& word : asked_->options.exclude) {
      if (std::ranges::find(made_.exclude, word) == made_.exclude.end()) made_.exclude.push_back(word);
    }
    std::ranges::sort(made_.exclude);
    if (!needed.empty()) {
      made_.why_exclude = fmt::format(
          "the parser accepts {}, the builder does not: without this the session is not made", fmt::join(needed, ", "));
    } else if (asked_->provider == Provider::rtx) {
      made_.why_exclude = "the provider runs nothing of what stands around a refused node";
    } else {
      made_.why_exclude =
          fmt::format("they are refused anyway: the parser is asked {} less", counted(asked_less, "time"));
    }
  }

  /// One bad node of an operator may cost less than all good ones of it.
  void leave_out_what_costs_more(const std::set<std::string>& needed) {
    const auto worth = [](const PartitionOutcome& made) { return std::tuple(made.share.value_or(0), made.nodes); };
    for (std::size_t i = 0; i < made_.exclude.size();) {
      std::vector<std::string> fewer = made_.exclude;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!needed.contains(made_.exclude[i]) && worth(outcome(fewer)) >= worth(outcome(made_.exclude))) {
        made_.exclude = std::move(fewer);
      } else {
        ++i;
      }
    }
  }

  /// The size that leaves the fewest engines, as long as what is lost is little work.
  void choose_least() {
    const std::vector<Verdict> given = with(made_.exclude);
    const Cut all = cut(asked_->line, given, rules_);
    const PartitionOutcome before = sizes_->outcome(all);
    std::set<std::size_t> tried;
    for (const CutPiece& piece : all.pieces) {
      if (piece.fate == CutPiece::Fate::runs) tried.insert(piece.positions.size() + 1);
    }
    made_.least_nodes = rules_.least_nodes;
    if (before.engines < 2) return;
    std::size_t fewest = before.engines;
    for (const std::size_t least : tried) {
      if (least > found_->smallest_body) break;
      CutRules rules = rules_;
      rules.least_nodes = least;
      const Cut smaller = cut(asked_->line, given, rules);
      const PartitionOutcome after = sizes_->outcome(smaller);
      const bool is_little = before.share && *before.share > 0
                                 ? after.share.value_or(0) >= *before.share * (1 - kSmall)
                                 : static_cast<double>(after.nodes) >= static_cast<double>(before.nodes) * (1 - kSmall);
      if (!is_little || smaller.reads_past_end || after.engines >= fewest) continue;
      fewest = after.engines;
      made_.least_nodes = least;
      made_.why_least = fmt::format("{} instead of {}, and {} less in them", counted(after.engines, "engine"),
                                    before.engines, counted(before.nodes - after.nodes, "node"));
    }
    rules_.least_nodes = made_.least_nodes;
  }

  const Asked* asked_;
  const Sizes* sizes_;
  CutRules rules_;
  std::vector<Verdict> now_;
  const Refusals* found_;
  std::map<std::string, std::vector<std::uint32_t>> by_type_;
  Advice made_;
};

}  // namespace

Advice advice(const Asked& asked, const Refusals& found, const Sizes& sizes, const CutRules& rules) {
  return Adviser(asked, found, sizes, rules).run();
}

}  // namespace trtcheck::partitioning
