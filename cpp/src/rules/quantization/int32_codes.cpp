#include <algorithm>

#include <fmt/format.h>

#include "rules/quantization/qdq_pattern.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

bool is_bias(const RuleContext& context, const Node& node) {
  return node.output(0) && std::ranges::any_of(context.model().value(node.output(0)).users,
                                               [&](const Use& use) { return use.input == 2; });
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const ValueId data = node.input(0);
  if (context.shape(data).type != DataType::int32) return;
  const bool bias = is_bias(context, node);
  context
      .add(fmt::format("input 0 `{}` of DequantizeLinear is INT32{}, TensorRT takes INT8, FP8, INT4 or FP4",
                       context.name(data), bias ? " (a quantized bias)" : ""))
      .value(context.name(data))
      .fix(bias ? "store the bias as FLOAT (in ONNX Runtime's quantizer: extra option `QuantizeBias=False`)"
                : "store the dequantized values as FLOAT");
}

constexpr std::string_view kOps[] = {"DequantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, addDequantize, 10.1",
    "https://github.com/microsoft/onnxruntime/issues/14229",
    "https://github.com/NVIDIA/TensorRT/issues/3360",
};
constexpr std::string_view kMessages[] = {"only activation types allowed as input to this layer"};

}  // namespace

extern constinit const Rule int32_codes{.code = "QDQ108",
                                        .name = "int32-codes",
                                        .since = "0.1.0",
                                        .severity = Severity::error,
                                        .certainty = Certainty::likely,
                                        .fix = Applicability::display,
                                        .summary = "a DequantizeLinear reads INT32, as quantized biases are stored",
                                        .docs = R"(## What it checks
The data of a DequantizeLinear must not be INT32.

## Why TensorRT cares
Its dequantize layer takes INT8, FP8, INT4 and FP4. ONNX Runtime's static quantization stores the bias of Conv and Gemm as INT32 unless told otherwise: `only activation
types allowed as input to this layer`.

## Example
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, int32[1] b = {5}, float s = {0.01}> {
  d = DequantizeLinear(b, s)
  y = Conv<kernel_shape=[1,1]>(x, w, d)
}
```

## Instead
```onnx
agraph (float[1,1,4,4] x) => (float[1,1,4,4] y)
<float[1,1,1,1] w = {1}, float[1] b = {0.05}> {
  y = Conv<kernel_shape=[1,1]>(x, w, b)
}
```

## Fix
Store the bias as FLOAT. ONNX Runtime: `extra_options={"QuantizeBias": False}`.

## Evidence
The list of types in the header, and reports with the message.
)",
                                        .evidence = kEvidence,
                                        .messages = kMessages,
                                        .ops = kOps,
                                        .check = check};

}  // namespace trtcheck::rules
