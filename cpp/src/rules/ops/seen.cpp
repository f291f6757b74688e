#include "rules/ops/seen.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "target/release_span.hpp"

namespace trtcheck::rules {

Certainty certainty_of(std::optional<TrtVersion> seen, TrtVersion release) noexcept {
  if (seen) changes_behind(*seen, release);
  holds_for({.product = release.product});
  return seen && seen->product == release.product && release <= *seen ? Certainty::proven : Certainty::likely;
}

bool is_measured_with_rtx(std::string_view evidence) noexcept {
  return evidence.find("TensorRT-RTX") != std::string_view::npos;
}

Certainty certainty_of(const Rule& rule, Product product) noexcept {
  if (rule.certainty == Certainty::proven) holds_for({.product = product});
  if (product == Product::tensorrt || rule.certainty != Certainty::proven) return rule.certainty;
  const auto names_tensorrt = [](std::string_view text) {
    return text.find("TensorRT") != std::string_view::npos || text.find("onnx-tensorrt") != std::string_view::npos;
  };
  const bool is_measured = std::ranges::any_of(rule.evidence, is_measured_with_rtx);
  return is_measured || std::ranges::none_of(rule.evidence, names_tensorrt) ? Certainty::proven : Certainty::likely;
}

void rest_on(const RuleContext& context, FindingBuilder finding, std::optional<TrtVersion> seen) {
  const TrtVersion release = context.target().release;
  if (certainty_of(seen, release) == Certainty::proven) return;
  finding.certainty(Certainty::likely);
  if (is_rtx(release)) {
    finding.note("known from the sources of TensorRT, not observed with TensorRT-RTX");
    return;
  }
  changes_behind(newest_read_release(), release);
  if (release <= newest_read_release()) return;
  finding.note(
      seen ? fmt::format("known up to TensorRT {}; {} is assumed to be the same", to_string(*seen), to_string(release))
           : fmt::format("not in the sources of TensorRT {}: the evidence is indirect", to_string(release)));
}

}  // namespace trtcheck::rules
