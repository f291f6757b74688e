#include "partition/advice.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "report/wording.hpp"

namespace trtcheck::partitioning {
namespace {

/// Reasons beyond these, of fewer nodes, are not tried.
constexpr std::size_t kMostReasons = 64;

struct Grouped {
  PartitionCause cause;
  std::vector<std::uint32_t> positions;
};

std::vector<Grouped> grouped(const Asked& asked, const Refusals& found) {
  std::map<std::pair<std::string, std::string>, Grouped> by_reason;
  for (const auto& [at, refusal] : found.by_position) {
    if (refusal.reason == Refusal::Reason::excluded) continue;
    const NodeId id{asked.model.graph().first_node.index + at};
    const std::string op_type(asked.model.node(id).op_type);
    const std::string code =
        refusal.finding ? report::code_text(*refusal.finding) : std::string(to_string(refusal.reason));
    Grouped& group = by_reason[{op_type, code}];
    if (group.positions.empty()) {
      group.cause.op_type = op_type;
      group.cause.code = refusal.finding ? code : "";
      group.cause.message = refusal.finding ? refusal.finding->message : refusal.message;
    }
    group.positions.push_back(at);
    group.cause.count = group.positions.size();
  }
  std::vector<Grouped> made;
  for (auto& [reason, group] : by_reason) made.push_back(std::move(group));
  std::ranges::stable_sort(made, std::ranges::greater{}, [](const Grouped& group) { return group.positions.size(); });
  made.resize(std::min(made.size(), kMostReasons));
  return made;
}

/// More work in engines, then fewer engines, then more nodes, then fewer nodes to repair.
auto rank(const PartitionOutcome& outcome, const Grouped& group) {
  return std::tuple(outcome.share.value_or(0), -static_cast<double>(outcome.engines), outcome.nodes,
                    -static_cast<double>(group.positions.size()));
}

}  // namespace

std::vector<PartitionCause> causes(const Asked& asked, const Refusals& found, const Sizes& sizes,
                                   const CutRules& rules) {
  const std::vector<Verdict> now = verdicts(asked, found);
  const auto with = [&](std::vector<Verdict> given, const Grouped& group) {
    for (const std::uint32_t at : group.positions) given[at] = Verdict::accepted;
    return given;
  };
  std::vector<Grouped> left = grouped(asked, found);
  for (Grouped& group : left) group.cause.alone = sizes.outcome(cut(asked.line, with(now, group), rules));
  std::vector<PartitionCause> made;
  std::vector<Verdict> after = now;
  while (!left.empty() && made.size() < asked.options.most_causes) {
    std::size_t best = 0;
    std::vector<PartitionOutcome> outcomes;
    for (std::size_t i = 0; i < left.size(); ++i) {
      outcomes.push_back(made.empty() ? left[i].cause.alone
                                      : sizes.outcome(cut(asked.line, with(after, left[i]), rules)));
      if (rank(outcomes[i], left[i]) > rank(outcomes[best], left[best])) best = i;
    }
    after = with(std::move(after), left[best]);
    left[best].cause.after = outcomes[best];
    made.push_back(std::move(left[best].cause));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return made;
}

}  // namespace trtcheck::partitioning
