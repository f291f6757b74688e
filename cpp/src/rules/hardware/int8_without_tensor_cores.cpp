#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::int8_without_tensor_cores {
namespace {

constexpr ComputeCapability kVolta{7, 0};

void check(RuleContext& context) {
  const auto gpu = context.target().compute_capability;
  if (gpu != kVolta) return;
  const auto is_int8 = [&](NodeId id) {
    const Node& node = context.model().node(id);
    return is_dequantize(node) && code_type(context.view(), node) == DataType::int8;
  };
  const auto first = std::ranges::find_if(context.nodes(), is_int8);
  if (first == context.nodes().end()) return;
  context
      .add(*first,
           fmt::format("compute capability {}.{} has no tensor cores for INT8: the quantized model may run slower "
                       "than in FP16",
                       gpu->major_version, gpu->minor_version))
      .fix("build the model without Q/DQ, in FP16");
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt-rtx/latest/getting-started/support-matrix.html",
    "https://github.com/NVIDIA/TensorRT/issues/1461", "https://github.com/NVIDIA/TensorRT/issues/1768"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD304",
    .name = "int8-without-tensor-cores",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "Q/DQ on a GPU whose INT8 is slow",
    .docs = R"(## What it checks
Q/DQ to INT8 for V100 (compute capability 7.0). GPUs that have no INT8 at all, Jetson TX2 among them, are reported by [quantized-type-needs-newer-gpu](quantized-type-needs-newer-gpu.md).

## Why TensorRT cares
V100 has no tensor cores for INT8, and for many layers no INT8 kernels. Q/DQ is a demand all the same: the engine may be slower than in FP16, or a layer without kernel may end the build.

## Example
```onnx target=8.6 cc=7.0
agraph (float[1,4,8,8] x) => (float[1,4,8,8] y)
<float a = {0.05}, int8 zero = {0}> {
  q = QuantizeLinear(x, a, zero)
  d = DequantizeLinear(q, a, zero)
  y = Relu(d)
}
```

## Instead
```onnx target=8.6 cc=7.5
agraph (float[1,4,8,8] x) => (float[1,4,8,8] y)
<float a = {0.05}, int8 zero = {0}> {
  q = QuantizeLinear(x, a, zero)
  d = DequantizeLinear(q, a, zero)
  y = Relu(d)
}
```

## Fix
FP16 on such devices; tensor cores compute in INT8 from 7.2 on.

## Evidence
Support matrices; NVIDIA/TensorRT issues 1461 and 1768. How much slower it is was not measured.
)",
    .evidence = kEvidence,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::int8_without_tensor_cores
