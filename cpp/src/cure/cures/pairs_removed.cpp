// A layer that cannot run quantized, or is not worth it: it reads what was quantized for it.
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::pairs_removed {
namespace {

/// Nodes whose result only the next one reads, from the DequantizeLinear back.
void remove_unread(Draft& draft, NodeId dequantize) {
  const auto is_unread = [&](NodeId node) {
    const Value& value = draft.model().value(draft.model().node(node).output(0));
    return !value.is_output && value.users.size() == 1;
  };
  if (!is_unread(dequantize)) return;
  const NodeId quantize = producer(draft, draft.model().node(dequantize).input(0));
  draft.remove_node(dequantize);
  if (is_onnx_op(draft, quantize, "QuantizeLinear") && is_unread(quantize)) draft.remove_node(quantize);
}

bool unquantize(Draft& draft, std::size_t index) {
  const NodeId dequantize = producer(draft, draft.node().input(index));
  if (!is_onnx_op(draft, dequantize, "DequantizeLinear")) return false;
  const NodeId quantize = producer(draft, draft.model().node(dequantize).input(0));
  if (is_onnx_op(draft, quantize, "QuantizeLinear")) {
    // Of one sign: a Relu that the quantizer left out.
    const auto range = code_range(draft, quantize);
    const bool is_relu = range && range->low == 0;
    draft.set_input(index, is_relu ? within(draft, quantize, 0.0, std::nullopt)
                                   : name_of(draft, draft.model().node(quantize).input(0)));
  } else if (const auto numbers = draft.contents(draft.node().input(index))) {
    draft.set_input(index, draft.constant(*numbers, "weights"));
  } else {
    return false;
  }
  remove_unread(draft, dequantize);
  return true;
}

/// Of the sum of a residual block only the shortcut should be quantized.
bool unquantize_operand(Draft& draft, const Finding& finding) {
  for (std::size_t i = 0; i < draft.node().inputs.size(); ++i) {
    if (draft.in(i) != finding.value || !unquantize(draft, i)) continue;
    draft.title(fmt::format("remove the Q/DQ pair before input {} of {}", i, draft.node().op_type));
    return true;
  }
  return draft.refuse("the pair does not stand directly before the node");
}

bool make(Draft& draft, const Finding& finding) {
  if (draft.node().op_type == "Add") return unquantize_operand(draft, finding);
  if (!unquantize(draft, 0) || !unquantize(draft, 1)) {
    return draft.refuse("the pairs do not stand directly before the node");
  }
  draft.title(fmt::format("leave {} in float: no Q/DQ pairs before its data and weights", draft.node().op_type));
  return true;
}

constexpr std::string_view kFindings[] = {"HWD101", "HWD102", "QDQ202"};

}  // namespace

extern constinit const Cure cure{
    .name = "pairs-removed",
    .kind = CureClass::choice,
    .summary =
        "a grouped convolution without an INT8 kernel, or the sum of a residual block, loses the Q/DQ pairs before it",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::pairs_removed
