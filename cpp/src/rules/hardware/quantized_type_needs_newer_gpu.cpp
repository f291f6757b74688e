#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::quantized_type_needs_newer_gpu {
namespace {

struct Row {
  DataType code;
  ComputeCapability first;
  std::string_view gpus;
  bool is_reported;  ///< that the build ends; else documented only
};
// Support matrices; NVIDIA/TensorRT issue 3157 (INT8), Model-Optimizer issue 70 (FP8).
constexpr Row kRows[] = {
    {DataType::int8, {6, 1}, "Pascal other than P100 and Jetson TX2", true},
    {DataType::float8e4m3fn, {8, 9}, "Ada and Hopper", true},
    {DataType::int4, {8, 0}, "Ampere", false},
    {DataType::float4e2m1, {10, 0}, "Blackwell", false},
};

/// Jetson TX2: the capability is higher than that of the GPUs that have INT8.
constexpr ComputeCapability kWithoutInt8{6, 2};

bool has(ComputeCapability gpu, const Row& row) {
  return gpu >= row.first && (row.code != DataType::int8 || gpu != kWithoutInt8);
}

void check(RuleContext& context) {
  if (!context.target().compute_capability) return;
  const ComputeCapability gpu = *context.target().compute_capability;
  for (const Row& row : kRows) {
    if (has(gpu, row)) continue;
    const auto is_it = [&](NodeId id) {
      const Node& node = context.model().node(id);
      return (is_quantize(node) || is_dequantize(node)) && code_type(context.view(), node) == row.code;
    };
    const auto nodes = context.nodes();
    const auto first = std::ranges::find_if(nodes, is_it);
    if (first == nodes.end()) continue;
    FindingBuilder finding =
        context.add(*first, fmt::format("Q/DQ to {} needs a GPU of compute capability {}.{} ({}), this is {}.{}",
                                        to_string(row.code), row.first.major_version, row.first.minor_version, row.gpus,
                                        gpu.major_version, gpu.minor_version));
    if (!row.is_reported) finding.severity(Severity::warning);
    finding.fix(row.code == DataType::float8e4m3fn
                    ? "quantize to INT8, or leave the model in FP16"
                    : "quantize to a type that this GPU has, or leave the model in float");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/Model-Optimizer/issues/70",
    "https://github.com/NVIDIA/TensorRT-LLM/issues/1428",
    "https://github.com/NVIDIA/TensorRT/issues/3157",
    "https://docs.nvidia.com/deeplearning/tensorrt-rtx/latest/getting-started/support-matrix.html",
};
constexpr std::string_view kMessages[] = {
    "Networks with FP8 Q/DQ layers require hardware with FP8 support*",
    "Networks with FP8 precision require hardware with FP8 support*",
    "Networks with QuantizeLayer/DequantizeLayer layers require hardware with Int8 support*"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD302",
    .name = "quantized-type-needs-newer-gpu",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a type of Q/DQ that the GPU of the target does not compute with",
    .docs = R"(## What it checks
The types of all QuantizeLinear and DequantizeLinear nodes against the compute capability of the target (`--compute-capability`): INT8 from 6.1
except 6.2 (Jetson TX2), INT4 from 8.0, FP8 from 8.9, FP4 from 10.0.

## Why TensorRT cares
Q and DQ are a demand, and the build ends on a GPU without kernels for the type: *Networks with FP8 Q/DQ layers require hardware with FP8 support*.
For INT4 and FP4 no message is known, only that the support matrices leave older GPUs out: a warning.

## Example
```onnx opset=19 target=10.3 cc=8.6
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  y = DequantizeLinear(xq, a, zero)
}
```

## Instead
```onnx opset=19 target=10.3 cc=8.9
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  y = DequantizeLinear(xq, a, zero)
}
```

## Fix
Another type, or another GPU.

## Evidence
NVIDIA/Model-Optimizer issue 70 and NVIDIA/TensorRT-LLM issue 1428 (FP8 on Ampere), NVIDIA/TensorRT issue 3157 (INT8 on P100, 8.6), support matrices
of TensorRT-RTX and of NVIDIA's quantization tool.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .quantized_only = true,
    .check = check,
};

}  // namespace trtcheck::rules::quantized_type_needs_newer_gpu
