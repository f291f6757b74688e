// UINT8 codes around zero point 128 are INT8 codes around 0, each 128 less: QuantizeLinear and all that read it.
#include <algorithm>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::codes_shifted {
namespace {

constexpr std::int64_t kMiddle = 128;

bool is_in_the_middle(Draft& draft, NodeId node) {
  const ValueId given = draft.model().node(node).input(2);
  if (!given || draft.type(given) != DataType::uint8) return false;
  const auto numbers = draft.ints(given);
  return numbers && std::ranges::all_of(*numbers, [](std::int64_t number) { return number == kMiddle; });
}

void set_zero_point(Draft& draft, NodeId node) {
  const auto zero = draft.contents(draft.model().node(node).input(2));
  draft.set_input_of(node, 2, zeros_like(draft, *zero));
}

bool make(Draft& draft, const Finding&) {
  const NodeId quantize = quantizer_before(draft);
  if (!quantize || !is_in_the_middle(draft, quantize)) return false;
  const auto readers = code_readers(draft, quantize);
  if (!readers) return draft.refuse("the codes are read by other nodes than DequantizeLinear");
  for (const NodeId reader : readers->dequantizers) {
    if (!is_in_the_middle(draft, reader)) return draft.refuse("a DequantizeLinear has another zero point");
  }
  set_zero_point(draft, quantize);
  for (const NodeId reader : readers->dequantizers) set_zero_point(draft, reader);
  rename_codes(draft, *readers);
  drop_stored(draft, draft.model().node(quantize).input(2));
  for (const NodeId reader : readers->dequantizers) drop_stored(draft, draft.model().node(reader).input(2));
  draft.title("quantize to INT8 with zero point 0: codes are 128 less");
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ101", "QDQ102"};

}  // namespace

extern constinit const Cure cure{
    .name = "codes-shifted",
    .kind = CureClass::proven,
    .summary = "UINT8 with zero point 128 becomes INT8 with zero point 0 at QuantizeLinear and all that read its codes",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::codes_shifted
