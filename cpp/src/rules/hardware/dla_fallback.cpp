#include "facts/named_operators.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::dla_fallback {
namespace {

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/dla-layer-restrictions.html",
    "NVIDIA/TensorRT include/NvInfer.h, 8.6 and 10.7"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD401",
    .name = "dla-fallback",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "with --dla: a layer whose attributes or sizes DLA does not accept, so that the GPU runs it",
    .docs = R"(## What it checks
For a target with DLA (`--dla`): layers of kinds that NVIDIA's Deep Learning Accelerator has, with attributes, ranks or sizes that it does not accept.

## Why TensorRT cares
With GPU fallback the engine is built, and the layer runs on the GPU. Every way from DLA to the GPU and back is a copy with a change of format, and ends
a part of the network that DLA runs at a stroke; a core accepts 16 of these. Without GPU fallback the build ends.

## Example
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,4,32,32] x) => (float[1,4,4,4] y) { y = MaxPool <kernel_shape = [16, 16], strides = [4, 4], pads = [0, 0, 0, 0]> (x) }
```

## Instead
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,4,32,32] x) => (float[1,4,4,4] y) { y = MaxPool <kernel_shape = [8, 8], strides = [8, 8], pads = [0, 0, 0, 0]> (x) }
```

## Fix
What the message says, where the layer stands between others that DLA runs.

## Evidence
NVIDIA's guide, DLA Supported Layers and Restrictions, and the remarks about DLA in `NvInfer.h`. Facts of `cpp/data/facts/DLA.toml`, each with its source.
The limits of DLA on Windows on ARM are others.
)",
    .evidence = kEvidence,
    .ops = facts::kNamedOperators,
    .check = nullptr,
    .gates = {kNetworkTypeGates},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::dla_fallback
