#include <algorithm>

#include <fmt/format.h>

#include "rules/hardware/dla_layers.hpp"
#include "rules/rule_context.hpp"
#include "target/dla.hpp"

namespace trtcheck::rules::dla_without_layers {
namespace {

void check(RuleContext& context) {
  if (!may_run_on_dla(context.target(), context.release()) || has_any_dla_layer(context)) return;
  const auto layers = std::ranges::count_if(context.nodes(), [&](NodeId id) { return is_float_layer(context, id); });
  if (layers == 0) return;
  context
      .add_model(fmt::format("DLA has no layer for any operator of the model: {} run on the GPU",
                             layers == 1 ? "its only layer" : fmt::format("all {} layers", layers)))
      .note("with GPU fallback only; without it the build ends")
      .fix("build for the GPU, or choose a convolutional network");
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/dla-layer-restrictions.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD403",
    .name = "dla-without-layers",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "with --dla: a model of which DLA runs nothing",
    .docs = R"(## What it checks
For a target with DLA (`--dla`): whether there is at least one node whose operator NVIDIA's Deep Learning Accelerator has a layer for.

## Why TensorRT cares
DLA runs convolutional networks. With GPU fallback everything else runs on the GPU, and an engine of which nothing is left for DLA is one for the GPU.

## Example
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,8,16] x) => (float[1,8,16] y) {
  y = Erf(x)
}
```

## Instead
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,8,16,16] x) => (float[1,8,16,16] y) {
  y = Tanh(x)
}
```

## Fix
Build for the GPU.

## Evidence
NVIDIA's guide, DLA Supported Layers and Restrictions.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kDlaGates},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::dla_without_layers
