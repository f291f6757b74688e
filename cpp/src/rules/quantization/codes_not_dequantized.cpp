#include <algorithm>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "shapes/known_values.hpp"
#include "target/gates.hpp"
#include "view/executed.hpp"
#include "view/qdq_view.hpp"
#include "view/reads.hpp"

namespace trtcheck::rules::codes_not_dequantized {
namespace {

bool is_low(DataType type) {
  return type == DataType::float8e4m3fn || type == DataType::int4 || type == DataType::float4e2m1;
}

bool is_read_through(const Node& node) { return node.op_type == "Cast" || node.op_type == "Identity"; }

/// Zero points and axes of reductions are not kept as tensors, and Casts and Identities of constants are none either:
/// the parser reads through them.
bool is_only_number(const Model& model, ValueId value) {
  if (model.value(value).is_output) return false;
  return std::ranges::all_of(model.value(value).users, [&](const Use& use) {
    const Node& user = model.node(use.node);
    if (use.input == 2 && (is_quantize(user) || is_dequantize(user))) return true;
    if (use.input == 1 && user.op_type.starts_with("Reduce")) return true;
    return is_read_through(user) && user.output(0) && is_only_number(model, user.output(0));
  });
}

bool is_left_as_number(const Model& model, const Node& node) {
  return is_read_through(node) && node.output(0) && is_only_number(model, node.output(0));
}

bool reads_codes_alone(RuleContext& context, const Node& node, ValueId codes) {
  if (is_a(node.op_type, kinds::mixes_types)) return true;
  const DataType type = context.shapes()[codes].type;
  // Operands of several types: another rule speaks of them.
  return std::ranges::none_of(node.inputs, [&](ValueId input) {
    return input && shapes::is_float(context.shapes()[input].type) && context.shapes()[input].type != type;
  });
}

/// The first input; where it is none, an INT8 constant behind it.
ValueId codes_of(RuleContext& context, const Node& node) {
  const auto is_code = [&](ValueId input) {
    return input && context.shapes()[input].type == DataType::int8 && context.model().constant(input);
  };
  const ValueId first = node.input(0);
  if ((first && is_low(context.shapes()[first].type)) || is_code(first) || is_a(node.op_type, kinds::reads_limits)) {
    return first;
  }
  const auto found = std::ranges::find_if(node.inputs, is_code);
  return found != node.inputs.end() ? *found : first;
}

/// A constant that leaves the network as it is.
void check_constant(RuleContext& context) {
  const ValueId output = context.node().output(0);
  if (!output || !context.model().value(output).is_output || context.node().graph != GraphId{0} ||
      context.shapes()[output].type != DataType::int8) {
    return;
  }
  context
      .add(fmt::format("the constant `{}` is INT8 and an output: {} accepts quantized constants in front of "
                       "DequantizeLinear only",
                       context.name(output), context.release().name()))
      .value(context.name(output))
      .reason("codes that are not dequantized")
      .fix("store it as INT32");
}

void check(RuleContext& context) {
  const Node& node = context.node();
  if (node.op_type == "Constant" && context.has(gates::quantized_constants_before_dequantize)) {
    check_constant(context);
  }
  if (node.inputs.empty() || !context.has(gates::quantized_constants_before_dequantize)) return;
  const ValueId input = codes_of(context, node);
  if (!input) return;
  const DataType type = context.shapes()[input].type;
  const bool is_constant = static_cast<bool>(context.model().constant(input));
  if (!is_low(type) && !(is_constant && type == DataType::int8)) return;
  // A branch that is never taken is removed before constants are looked at; FP8 and four bits nobody tried.
  if (type == DataType::int8 && is_never_compiled(context.view(), context.node_id())) return;
  if (is_low(type) && !is_a(node.op_type, kinds::reads_codes)) return;  // nobody tried
  // Casts of the small types have rows.
  if (is_low(type) && node.op_type.starts_with("Cast")) return;
  if (!is_constant && is_a(node.op_type, kinds::moves_codes)) return;
  if (!reads_codes_alone(context, node, input) || is_left_as_number(context.model(), node)) return;
  // Measured of INT8 alone.
  if (type == DataType::int8 && !is_needed(context.model(), context.node_id(), Reads::anything)) return;
  context
      .add(fmt::format("{} reads {} `{}`, which is {}: {} accepts {} in front of DequantizeLinear only", node.op_type,
                       is_constant ? "the constant" : "the tensor", context.name(input), to_string(type),
                       context.release().name(), is_constant ? "quantized constants" : "such tensors"))
      .value(context.name(input))
      .reason("codes that are not dequantized")
      .fix(is_constant ? fmt::format("put {} after the DequantizeLinear, or store the constant as it comes out of it",
                                     node.op_type)
                       : fmt::format("put {} after the DequantizeLinear", node.op_type));
}

constexpr std::string_view kEvidence[] = {"https://github.com/NVIDIA/TensorRT/issues/3919, of 10.0.1",
                                          "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 refuse it"};
constexpr std::string_view kMessages[] = {"is only allowed before DQ or PLUGIN_V2", "is not consumed by IPluginLayer"};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ228",
    .name = "codes-not-dequantized",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "quantized constants, or FP8 and 4-bit tensors, that another operator than DequantizeLinear reads",
    .docs = R"(## What it checks
From 10.0 on: constants of INT8, FP8, INT4 and FP4 that are read by Transpose, Reshape, Gather, Cast, Add, Concat and the like instead of by a
DequantizeLinear; and tensors of FP8, INT4 and FP4 that are computed, read by operators that do more than move elements. A constant
that Cast or Identity hand on as a zero point, or as axes of a reduction, is read as a number, and nothing is said; any other operator in front of a zero point is a layer.

## Why TensorRT cares
The builder accepts a quantized constant in front of a DequantizeLinear or a plugin only: `Quantized constant (...) is only allowed before DQ
or PLUGIN_V2`. The model is parsed, and the build stops. Nothing is folded, so that a Transpose between stored weights and their
DequantizeLinear is enough. An INT8 embedding that is gathered before it is dequantized is another common form.

## Example
```onnx target=11.1 opset=17
agraph (int64[N] i) => (float[N,3] y)
<int8[4,3] w = {1,2,3,4,5,6,7,8,9,10,11,12}, float s = {0.5}> {
  g = Gather(w, i)
  y = DequantizeLinear(g, s)
}
```

## Instead
```onnx target=11.1 opset=17
agraph (int64[N] i) => (float[N,3] y)
<int8[4,3] w = {1,2,3,4,5,6,7,8,9,10,11,12}, float s = {0.5}> {
  d = DequantizeLinear(w, s)
  y = Gather(d, i)
}
```

## Fix
Dequantize first, or fold the operator into the stored constant: `polygraphy surgeon sanitize --fold-constants` and onnxslim do.

## Evidence
45 operators were tested with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1; each of them is refused. 23 more were tested with an INT8 constant and 1.4.0 (10.16) and 1.7.1: each
of them is refused, too. Of 10.0.1 a user
reports the message (NVIDIA/TensorRT issue 3919).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::reads_stored_codes.operators,
    .refused_by = RefusedBy::builder,
    .check = check,
    .gates = {gates::quantized_constants_before_dequantize},
};

}  // namespace trtcheck::rules::codes_not_dequantized
