#include "partition/stage.hpp"

#include <algorithm>

#include "facts/fact.hpp"

namespace trtcheck::partitioning {
namespace {

bool is_of_builder(const Finding& finding) {
  const Rule& rule = *finding.rule;
  if (rule.refused_by != RefusedBy::parser) return true;
  // Nor does the parser refuse shapes of GatherElements and GatherND.
  if (rule.name == "shape-conflict") return finding.op_type != "Gather" && finding.op_type.starts_with("Gather");
  if (finding.fact.empty()) return false;
  return std::ranges::any_of(facts::facts_of(finding.op_type), [&](const facts::Fact& fact) {
    return fact.refused_by != RefusedBy::parser && fact.id == finding.fact;
  });
}

}  // namespace

Stage stage_of(const Finding& finding) {
  if (finding.severity != Severity::error) return Stage::none;
  // Sizes of inputs are given later, and by option.
  if (finding.rule->code.starts_with("PRF") || finding.rule->name == "profile-breaks-shape") return Stage::none;
  return is_of_builder(finding) ? Stage::builder : Stage::parser;
}

}  // namespace trtcheck::partitioning
