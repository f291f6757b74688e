// How certain a finding is that rests on a row of cpp/data: as far as the row was read.
#pragma once

#include <optional>
#include <string_view>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// What holds up to the release `seen` (nothing: read in none) holds beyond it as likely.
Certainty certainty_of(std::optional<TrtVersion> seen, TrtVersion release) noexcept;

/// Whether some of it was measured with TensorRT-RTX.
bool is_measured_with_rtx(std::string_view evidence) noexcept;
/// The rule's own certainty, for this product: what was read or measured of TensorRT only is likely for TensorRT-RTX.
Certainty certainty_of(const Rule& rule, Product product) noexcept;

/// Makes the finding as certain as a row that was read up to `seen`. Where nothing of the target was read, a note says
/// so.
void rest_on(const RuleContext& context, FindingBuilder finding, std::optional<TrtVersion> seen);

}  // namespace trtcheck::rules
