// UINT8 codes around zero point 128 are INT8 codes around 0, each 128 less: QuantizeLinear and all that read it.
#include <algorithm>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace {

constexpr std::int64_t kMiddle = 128;

bool is_in_the_middle(Draft& draft, NodeId node) {
  const ValueId given = draft.model().node(node).input(2);
  if (!given || draft.type(given) != DataType::uint8) return false;
  const auto numbers = draft.ints(given);
  return numbers && std::ranges::all_of(*numbers, [](std::int64_t number) { return number == kMiddle; });
}

/// The finding may be about any of them.
NodeId quantizer(const Draft& draft) {
  if (draft.node().op_type == "QuantizeLinear") return draft.id();
  const NodeId before = producer(draft, draft.node().input(0));
  return is_onnx_op(draft, before, "QuantizeLinear") ? before : NodeId{};
}

void set_zero_point(Draft& draft, NodeId node) {
  const auto zero = draft.contents(draft.model().node(node).input(2));
  draft.set_input_of(node, 2, zeros_like(draft, *zero));
}

bool make(Draft& draft, const Finding&) {
  const NodeId quantize = quantizer(draft);
  if (!quantize || !is_in_the_middle(draft, quantize)) return false;
  const ValueId codes = draft.model().node(quantize).output(0);
  const auto readers = dequantizers(draft, codes);
  if (!readers) return draft.refuse("the codes are read by other nodes than DequantizeLinear");
  for (const NodeId reader : *readers) {
    if (!is_in_the_middle(draft, reader)) return draft.refuse("a DequantizeLinear has another zero point");
  }
  const std::string name = draft.fresh(name_of(draft, codes));
  set_zero_point(draft, quantize);
  draft.add(edit::SetOutput{edit::place_of(draft.model(), quantize), 0, name});
  for (const NodeId reader : *readers) {
    draft.set_input_of(reader, 0, name);
    set_zero_point(draft, reader);
  }
  drop_stored(draft, draft.model().node(quantize).input(2));
  for (const NodeId reader : *readers) drop_stored(draft, draft.model().node(reader).input(2));
  draft.title("quantize to INT8 with zero point 0: codes are 128 less");
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ101", "QDQ102"};

}  // namespace

extern constinit const Cure codes_shifted{
    .name = "codes-shifted",
    .kind = CureClass::proven,
    .summary = "UINT8 with zero point 128 becomes INT8 with zero point 0 at QuantizeLinear and all that read its codes",
    .findings = kFindings,
    .make = make};

}  // namespace trtcheck::cure
