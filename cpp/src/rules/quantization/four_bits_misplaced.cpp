#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::four_bits_misplaced {
namespace {

bool is_four_bits(DataType type) { return type == DataType::int4 || type == DataType::float4e2m1; }

void check_data(RuleContext& context) {
  const Node& node = context.node();
  const DataType type = code_type(context.view(), node);
  if (!is_four_bits(type) || context.shapes().folds_to_constant(node.input(0))) return;
  FindingBuilder finding =
      context.add(fmt::format("`{}` is computed at run time and quantized to {}, which is meant for weights",
                              context.name(node.input(0)), to_string(type)));
  finding.value(context.name(node.input(0))).reason("data of 4 bits");
  if (context.has(gates::four_bits_for_data)) finding.severity(Severity::info);
  finding.fix("quantize data to INT8 or FP8");
}

void check_weights(RuleContext& context) {
  const Node& node = context.node();
  const auto weight = dequantized(context.view(), node.input(1));
  if (!weight || !is_four_bits(weight->code)) return;
  FindingBuilder finding = context.add(fmt::format("weights `{}` of {} are {}, which is meant for matrix products",
                                                   context.name(node.input(1)), node.op_type, to_string(weight->code)));
  finding.value(context.name(node.input(1))).reason("convolution weights of 4 bits");
  if (context.has(gates::four_bits_for_data)) finding.severity(Severity::info);
  finding.fix("quantize the weights of convolutions to INT8 or FP8", weight->dq);
}

void check(RuleContext& context) {
  if (is_quantize(context.node())) {
    check_data(context);
  } else {
    check_weights(context);
  }
}

constexpr std::string_view kOps[] = {"Conv", "ConvTranspose", "QuantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h@release/10.0",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 build both forms",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ225",
    .name = "four-bits-misplaced",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "INT4 or FP4 for data, or for weights of a convolution",
    .docs = R"(## What it checks
A QuantizeLinear to INT4 or FP4 of something that is computed at run time, and Conv or ConvTranspose with INT4 or FP4 weights.

## Why TensorRT cares
Types of 4 bits are for weights of matrix products: they are stored in 4 bits and decoded into floats, which the layer computes with. The header of
10.0 rules data out; for data of FP4 there is TRT_FP4DynamicQuantize.

## Example
```onnx opset=21 target=10.13
agraph (float[2,2] x) => (y)
<float a = {0.05}> {
  q = QuantizeLinear<output_dtype=22>(x, a)
  y = DequantizeLinear(q, a)
}
```

## Instead
```onnx opset=21 target=10.13
agraph (float[2,2] x) => (y)
<float[2,2] w = {1,1,1,1}, float a = {0.05}> {
  q = QuantizeLinear<output_dtype=22>(w, a)
  wd = DequantizeLinear(q, a)
  y = MatMul(x, wd)
}
```

## Fix
INT8 or FP8 for data and convolutions.

## Evidence
NVIDIA/TensorRT include/NvInfer.h 10.0 and the explicit quantization guide, up to 10.16. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to
11.4, build both: information from 11.0 on.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
    .gates = {gates::four_bits_for_data},
};

}  // namespace trtcheck::rules::four_bits_misplaced
