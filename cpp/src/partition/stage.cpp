#include "partition/stage.hpp"

#include <algorithm>

#include "facts/fact.hpp"

namespace trtcheck::partitioning {
namespace {

bool is_of_kernels(const Finding& finding) {
  if (finding.rule->of_kernels) return true;
  if (finding.fact.empty()) return false;
  return std::ranges::any_of(facts::facts_of(finding.op_type),
                             [&](const facts::Fact& fact) { return fact.is_of_kernels && fact.id == finding.fact; });
}

}  // namespace

Stage stage_of(const Finding& finding) {
  if (finding.severity != Severity::error) return Stage::none;
  // Sizes of inputs are given later, and by option.
  if (finding.rule->code.starts_with("PRF") || finding.rule->name == "profile-breaks-shape") return Stage::none;
  return is_of_kernels(finding) ? Stage::builder : Stage::parser;
}

}  // namespace trtcheck::partitioning
