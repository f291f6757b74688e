// Findings that rest on shapes which the file declares and nobody computed. TensorRT does not read them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

[[nodiscard]] inline bool has_claimed_input(const RuleContext& context, const Node& node) {
  return std::ranges::any_of(node.inputs, [&](ValueId input) { return input && context.shape(input).assumed; });
}

[[nodiscard]] inline bool has_differing_input(const RuleContext& context, const Node& node) {
  return std::ranges::any_of(node.inputs, [&](ValueId input) { return input && context.shape(input).differs; });
}

/// Nor here. TensorRT may well come to sizes that fit.
inline void rests_on_size_of_onnx(FindingBuilder finding) {
  finding.severity(Severity::warning)
      .certainty(Certainty::possible)
      .note("TensorRT computes another size than ONNX for a node before this one: the sizes may fit there");
}

/// No certainty any more. `what`: "the rank"
inline void rests_on_claim(FindingBuilder finding, std::string_view what) {
  finding.severity(Severity::warning)
      .certainty(Certainty::likely)
      .note(std::string(what) + " rests on what the file declares, which TensorRT does not read");
}

}  // namespace trtcheck::rules
