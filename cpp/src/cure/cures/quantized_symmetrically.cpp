// QuantizeLinear with a zero point, and all that read its codes, in INT8 with zero point 0: the scale grows until it
// covers the same range, beyond which data is still cut off. Values change by up to half of the new scale.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::quantized_symmetrically {
namespace {

struct Parameters {
  Constant scale;
  std::vector<double> scales;
  std::vector<std::int64_t> zeros;
};

std::optional<Parameters> parameters(Draft& draft, NodeId node) {
  const auto scale = draft.contents(draft.model().node(node).input(1));
  const auto scales = scale ? real_numbers(*scale) : std::nullopt;
  const auto zeros = zero_points(draft, node);
  if (!scales || !zeros || zeros->size() != scales->size()) return std::nullopt;
  return Parameters{*scale, *scales, *zeros};
}

/// One scale for the whole: the larger side of the range in 127 steps.
Constant wider(const Parameters& old, bool is_signed) {
  const double least = is_signed ? -128 : 0, most = is_signed ? 127 : 255;
  std::vector<double> scales;
  for (std::size_t i = 0; i < old.scales.size(); ++i) {
    const auto zero = static_cast<double>(old.zeros[i]);
    constexpr double kSteps = 127;
    scales.push_back(old.scales[i] * std::max(zero - least, most - zero) / kSteps);
  }
  return constant_of(old.scale.type, old.scale.dims, scales);
}

/// The new scale has room on one side that the old codes did not have.
void keep_range(Draft& draft, NodeId quantize, const Constant& scale) {
  const auto range = code_range(draft, quantize);
  const auto made = real_numbers(scale);
  if (!range || !made) return;
  constexpr double kSteps = 127;
  const double step = made->front(), most = step * kSteps;
  const auto low = range->low > step - most ? std::optional(range->low) : std::nullopt;
  const auto high = range->high < most - step ? std::optional(range->high) : std::nullopt;
  if (low || high) draft.set_input_of(quantize, 0, within(draft, quantize, low, high));
}

bool make(Draft& draft, const Finding&) {
  const NodeId quantize = quantizer_before(draft);
  if (!quantize) return false;
  const ValueId codes = draft.model().node(quantize).output(0);
  const auto type = draft.type(codes);
  if (type != DataType::uint8 && type != DataType::int8) return false;
  const auto old = parameters(draft, quantize);
  if (!old) return draft.refuse("scale and zero point are not constant");
  const auto readers = code_readers(draft, quantize);
  if (!readers) return draft.refuse("the codes are read by other nodes than DequantizeLinear");
  if (!readers->is_direct() && old->scales.size() != 1) return draft.refuse("several scales of codes that are moved");
  for (const NodeId reader : readers->dequantizers) {
    const auto other = parameters(draft, reader);
    if (!other || other->scales != old->scales || other->zeros != old->zeros) {
      return draft.refuse("a DequantizeLinear has another scale or zero point than the QuantizeLinear before it");
    }
  }
  const Constant covering = wider(*old, type == DataType::int8);
  keep_range(draft, quantize, covering);
  const std::string scale = draft.constant(covering, "scale");
  const std::string zero = zeros_like(draft, old->scale);
  draft.set_input_of(quantize, 1, scale);
  draft.set_input_of(quantize, 2, zero);
  rename_codes(draft, *readers);
  for (const NodeId reader : readers->dequantizers) {
    draft.set_input_of(reader, 1, scale);
    draft.set_input_of(reader, 2, zero);
  }
  for (const std::size_t i : {1U, 2U}) {
    drop_stored(draft, draft.model().node(quantize).input(i));
    for (const NodeId reader : readers->dequantizers) drop_stored(draft, draft.model().node(reader).input(i));
  }
  draft.title("quantize to INT8 with zero point 0 and a scale that covers the same range");
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ101", "QDQ102", "QDQ109"};

}  // namespace

extern constinit const Cure cure{
    .name = "quantized-symmetrically",
    .kind = CureClass::choice,
    .summary = "asymmetric quantization becomes INT8 with zero point 0 and a scale that covers the same range",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::quantized_symmetrically
