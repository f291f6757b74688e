#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "text/readable.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::measured_clipping {
namespace {

/// Calibration clips rare large numbers on purpose; beyond this it is no longer a few.
constexpr double kMuch = 2;

struct Codes {
  double lowest;
  double highest;
};

std::optional<Codes> codes_of(DataType type) {
  if (type == DataType::int8) return Codes{-128, 127};
  if (type == DataType::uint8 || type == DataType::undefined) return Codes{0, 255};
  if (type == DataType::float8e4m3fn) return Codes{-448, 448};
  return std::nullopt;
}

/// Of all elements; nothing: it is no single constant.
std::optional<double> only_number(const RuleContext& context, ValueId value) {
  const auto numbers = context.view().tensors.floats(context.model().constant(value), 1);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

void check(RuleContext& context) {
  const Node& node = context.node();
  const MeasuredTensor* const tensor = context.view().measured.of(node.input(0));
  const DataType type = code_type(context.view(), node);
  const auto codes = codes_of(type);
  const auto scale = only_number(context, node.input(1));
  const auto zero = node.input(2) && type != DataType::float8e4m3fn ? only_number(context, node.input(2)) : 0.0;
  if (tensor == nullptr || !tensor->max || !codes || !scale || !(*scale > 0) || !zero) return;
  const double low = (codes->lowest - *zero) * *scale;
  const double high = (codes->highest - *zero) * *scale;
  const double reach = std::max(-low, high);
  if (tensor->magnitude() <= kMuch * reach) return;
  context
      .add(fmt::format("`{}` reached {} to {} with these samples, scale {} covers {} to {}: what is beyond is clipped",
                       context.name(node.input(0)), readable(*tensor->min), readable(*tensor->max), readable(*scale),
                       readable(low), readable(high)))
      .value(context.name(node.input(0)))
      .reason("scales cover less than half of what was measured")
      .fix("calibrate with samples like these, or make sure that the clipping is meant");
}

constexpr std::string_view kOps[] = {"QuantizeLinear"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "measured: ONNX Runtime ran the model on the samples of `trtcheck ranges`",
};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM303",
    .name = "measured-clipping",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "a scale that covers less than half of what a tensor reached on the user's samples",
    .docs = R"(## What it checks
QuantizeLinear to INT8, UINT8 or FP8 (E4M3) with one constant scale, in the main graph, with what its input reached on samples (`--ranges`, which
`trtcheck ranges` measures): more than twice what the codes can express, 127 times the scale for INT8, 448 times for FP8.

## Why TensorRT cares
It clips what is beyond. Calibrators clip rare large numbers on purpose, to give the others finer steps; a tensor of which this is the wrong half was calibrated with other
data, or in another unit.

## Example
```onnx ranges=x:-3:81.2
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.02}, int8 zero = {0}> {
  q = QuantizeLinear(x, a, zero)
  y = DequantizeLinear(q, a, zero)
}
```

## Instead
```onnx ranges=x:-3:81.2
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.64}, int8 zero = {0}> {
  q = QuantizeLinear(x, a, zero)
  y = DequantizeLinear(q, a, zero)
}
```

## Fix
Calibrate again with samples of the kind that the engine will see.

## Evidence
What is clipped is proven for these samples; whether it matters no file says: *possible*.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .quantized_only = false,
    .check = check,
};

}  // namespace trtcheck::rules::measured_clipping
