#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules {
namespace {

constexpr ComputeCapability kBlackwell{10, 0};

/// Version 2 of the plugin for groups has kernels of its own.
bool rests_on_cudnn(const Node& node) {
  const Attribute* version = node.attribute("plugin_version");
  return node.op_type != "GroupNormalizationPlugin" || version == nullptr || version->s() == "1";
}

void check(RuleContext& context) {
  const auto gpu = context.target().compute_capability;
  if (!gpu || *gpu < kBlackwell || !context.has(gates::cudnn_plugins_not_on_blackwell)) return;
  if (context.view().handler(context.node_id()) != Handler::builtin_plugin || !rests_on_cudnn(context.node())) return;
  context
      .add(fmt::format(
          "plugin {} rests on cuDNN and is dropped for Blackwell and later, this is compute capability {}.{}",
          context.node().op_type, gpu->major_version, gpu->minor_version))
      .fix("use ONNX's operator for this normalization");
}

constexpr std::string_view kEvidence[] = {"NVIDIA/TensorRT CHANGELOG.md, 10.7"};
constexpr std::string_view kOps[] = {"GroupNormalizationPlugin", "InstanceNormalization_TRT"};

}  // namespace

extern constinit const Rule plugin_dropped_on_blackwell{
    .code = "HWD307",
    .name = "plugin-dropped-on-blackwell",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a plugin that rests on cuDNN, on Blackwell or later",
    .docs = R"(## What it checks
From 10.7 on, for a GPU of compute capability 10.0 and above: `InstanceNormalization_TRT`, and version 1 of `GroupNormalizationPlugin`.

## Why TensorRT cares
These plugins call cuDNN, which TensorRT no longer uses there.

## Example
```onnx target=10.13 cc=12.0
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float[1,4,8,8] x, float[4] s, float[4] b) => (float[1,4,8,8] y) {
  y = trt.GroupNormalizationPlugin <plugin_version = "1"> (x, s, b)
}
```

## Instead
```onnx target=10.13 cc=8.9
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float[1,4,8,8] x, float[4] s, float[4] b) => (float[1,4,8,8] y) {
  y = trt.GroupNormalizationPlugin <plugin_version = "1"> (x, s, b)
}
```

## Fix
Use ONNX's InstanceNormalization or GroupNormalization.

## Evidence
NVIDIA/TensorRT CHANGELOG.md, 10.7. What the plugins do on such GPUs was not seen.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
    .gates = {gates::cudnn_plugins_not_on_blackwell},
    .asks = Asks::operators};

}  // namespace trtcheck::rules
