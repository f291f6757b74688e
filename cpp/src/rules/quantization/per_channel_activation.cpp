#include <fmt/core.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/executed.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::per_channel_activation {
namespace {

/// A Conv or ConvTranspose reads it as weights that run quantized: one scale, or one for each output channel.
bool gives_quantized_weights(const ModelView& view, const Node& convolution) {
  const NodeId maker = producer_of(view.model, passed_on(view.model, convolution.input(1)));
  if (!maker || !is_dequantize(view.model.node(maker))) return false;
  const ScaleView scale = scale_view(view, view.model.node(maker));
  return scale.count == 1 || (scale.per_axis() && scale.axis == (convolution.op_type == "Conv" ? 0 : 1));
}

/// The convolution that runs quantized with what a DequantizeLinear makes; none: nobody measured that.
NodeId quantized_convolution(const ModelView& view, const Node& dequantize) {
  const Model& model = view.model;
  const NodeId quantize = producer_of(model, dequantize.input(0));
  if (scale_view(view, dequantize).axis != 1 || !quantize || !is_quantize(model.node(quantize))) return {};
  // Of two pairs with several scales in a row nothing is left to run quantized.
  const NodeId before = producer_of(model, model.node(quantize).input(0));
  if (before && is_dequantize(model.node(before)) && scale_view(view, model.node(before)).per_axis()) return {};
  for (const Use& use : readers_of(model, dequantize.output(0))) {
    const Node& reader = model.node(use.node);
    const bool is_data = use.input == 0 && is_a(reader.op_type, kinds::convolution) && reader.graph == dequantize.graph;
    if (is_data && gives_quantized_weights(view, reader) && reaches(RefusedBy::kernels, view, use.node))
      return use.node;
  }
  return {};
}

/// Also of a QuantizeLinear in front of such a DequantizeLinear.
NodeId stopped_convolution(const RuleContext& context) {
  const ModelView& view = context.view();
  const Node& node = context.node();
  if (is_dequantize(node)) return quantized_convolution(view, node);
  for (const Use& use : readers_of(view.model, node.output(0))) {
    const Node& reader = view.model.node(use.node);
    const NodeId found =
        is_dequantize(reader) && scale_view(view, reader).per_axis() ? quantized_convolution(view, reader) : NodeId{};
    if (found) return found;
  }
  return {};
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ScaleView scale = scale_view(context.view(), node);
  const ValueId data = node.input(0);
  if (!scale.per_axis() || !data || context.shapes().folds_to_constant(data)) return;
  const bool is_older = !context.has(gates::activation_scales_unreported);
  const bool is_built = context.has(gates::activation_scales_build);
  const bool is_measured = context.has(gates::activation_scales_stop_convolution) && !is_built;
  const NodeId stopped = is_measured ? stopped_convolution(context) : NodeId{};
  FindingBuilder finding = context.add(
      fmt::format("activation `{}` is quantized with {} scales, TensorRT {} several scales only for weights",
                  context.name(data), *scale.count, is_older || stopped ? "accepts" : "documents"));
  finding.value(context.name(node.input(1))).reason("several scales for an activation");
  if (stopped) {
    finding.note(fmt::format("{} `{}` runs quantized with it: {} cannot compile that",
                             context.model().node(stopped).op_type, context.label(stopped), context.release().name()));
  } else if (!is_older) {
    finding.severity(Severity::warning);
  }
  if (is_built) {
    finding.certainty(Certainty::possible);
    finding.note("it may build, and the layers that read it seem to run in float then");
  }
  const NodeId before = producer_of(context.model(), data);
  if (is_dequantize(node) && before && is_quantize(context.model().node(before))) finding.caused_by(before);
  finding.fix("use one scale for the activation; what evens out channels belongs in a Mul before or in the weights");
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, IQuantizeLayer, 8.0 to 11.1",
    "https://github.com/NVIDIA/Model-Optimizer/issues/41",
    "https://github.com/NVIDIA/TensorRT/issues/4008",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build the Example, and a Conv and a MatMul after such pairs",
    "measured: TensorRT-RTX 1.4.0 refuses a Conv and a ConvTranspose after such pairs whose weights are quantized",
};
constexpr std::string_view kMessages[] = {
    "Assertion numScales == mGlobRefs.scale.count() failed",
    "CHECK(use_op && opnd->kind() == operand_kind_tensor) failed",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ106",
    .name = "per-channel-activation",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an activation is quantized with one scale per channel",
    .docs = R"(## What it checks
A one-dimensional scale of more than one value on data that depends on a graph input: an error in 8.x, a warning from 9.0 on, only *possible* from 11.0 on. In 10.16 it is an error where a Conv or ConvTranspose
runs quantized with it: one scale per channel (axis 1), and quantized weights.

## Why TensorRT cares
Per-channel quantization is documented for weights only; activations have one scale. In 8.6 a build with such scales failed; its verbose log shows a tactic that is skipped because
of the number of scales.

## Example
```onnx target=8.6 opset=13
agraph (float[1,2] x) => (float[1,2] y)
<float[2] s = {0.1,0.2}, int8[2] z = {0,0}> {
  q = QuantizeLinear<axis=1>(x, s, z)
  y = DequantizeLinear<axis=1>(q, s, z)
}
```

## Instead
```onnx
agraph (float[1,2] x) => (float[1,2] y)
<float s = {0.2}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Fix
One scale for the activation. Smoothing per channel goes into a Mul in front, or into the weights of the layer before.

## Evidence
Documented in the header of every release. The two reports are by one user, of 8.6, and the text in them (`Skipping tactic ... due to exception Assertion numScales ==
mGlobRefs.scale.count() failed`) is a verbose line, not the error. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, build such models. 1.5 and 1.6, which
build no INT8 convolution without a GPU, build the Conv after such a pair too: it is not INT8 then. TensorRT-RTX 1.4, which is of 10.16, refuses 45 of 63 forms with such a pair: not with a scale along
another axis, with weights that are not quantized or with scales along their other axis, with a layer of its own in between, or where the pair stands outside of the branch with the convolution.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kinds::quantizer.operators,
    .check = check,
    .gates = {gates::activation_scales_unreported, gates::activation_scales_build,
              gates::activation_scales_stop_convolution, kScaleGates},
};

}  // namespace trtcheck::rules::per_channel_activation
