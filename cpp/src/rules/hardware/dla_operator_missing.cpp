#include <fmt/format.h>

#include "rules/hardware/dla_layers.hpp"
#include "rules/rule_context.hpp"
#include "target/dla.hpp"
#include "view/operators.hpp"

namespace trtcheck::rules::dla_operator_missing {
namespace {

/// What of the node DLA does not have.
std::string refused(const RuleContext& context, NodeId id) {
  const std::string_view op = context.model().node(id).op_type;
  if (context.view().handler(id) != Handler::importer) return fmt::format("plugin {}", op);
  if (!is_xavier(context.target())) return std::string(op);
  if (op == "Softmax") return "Softmax on Xavier";
  return op == "AveragePool" ? "AveragePool without its padding on Xavier" : std::string(op);
}

void check(RuleContext& context) {
  if (!may_run_on_dla(context.target(), context.release()) || !has_any_dla_layer(context)) return;
  for (const NodeId id : context.nodes()) {
    if (!is_float_layer(context, id) || has_dla_layer(context, id)) continue;
    const std::string what = refused(context, id);
    context.add(id, fmt::format("DLA has no layer for {}: `{}` runs on the GPU", what, context.label(id)))
        .reason(fmt::format("no layer of DLA for {}", what))
        .note("with GPU fallback only; without it the build ends here")
        .fix("compute the same with layers that DLA has, where it stands between such");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/dla-layer-restrictions.html",
    "NVIDIA/TensorRT include/NvInfer.h, 8.6 and 10.7"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD402",
    .name = "dla-operator-missing",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "with --dla: an operator that DLA has no layer for, so that the GPU runs it",
    .docs = R"(## What it checks
For a target with DLA (`--dla`): nodes that compute with floating point data, and whose operator NVIDIA's Deep Learning Accelerator has no layer for; plugins; on Xavier (compute
capability 7.2) Softmax, and AveragePool that does not count its padding. Nodes that are folded away or compute sizes do not count.

## Why TensorRT cares
With GPU fallback the engine is built, and the layer runs on the GPU. Every way from DLA to the GPU and back is a copy with a change of format, and ends
a part of the network that DLA runs at a stroke; a core accepts 16 of these. Without GPU fallback the build ends.

## Example
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,4,8,8] x) => (float[1,4,8,8] y) {
  a = Relu(x)
  y = Erf(a)
}
```

## Instead
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,4,8,8] x) => (float[1,4,8,8] y) {
  a = Relu(x)
  y = Tanh(a)
}
```

## Fix
Compute the same with layers that DLA has (ReLU in place of GELU, a pooling in place of a reduction); or leave it when it stands at the beginning or the end of the network.

## Evidence
NVIDIA's guide, DLA Supported Layers and Restrictions, and the remarks about DLA in `NvInfer.h`. Where they do not agree (Div, Pow, LeakyRelu), and for operators
that become another layer in some releases (Gemm, GlobalAveragePool, Pad), nothing is said.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kDlaGates},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::dla_operator_missing
