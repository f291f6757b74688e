#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::fp8_on_hopper {
namespace {

constexpr ComputeCapability kHopper{9, 0};

void check(RuleContext& context) {
  const Target& target = context.target();
  if (target.compute_capability != kHopper || !context.has(gates::fp8_broken_on_hopper) ||
      context.has(gates::fp8_repaired_on_hopper)) {
    return;
  }
  const auto is_fp8 = [&](NodeId id) {
    const Node& node = context.model().node(id);
    return is_dequantize(node) && code_type(context.view(), node) == DataType::float8e4m3fn;
  };
  const auto first = std::ranges::find_if(context.nodes(), is_fp8);
  if (first == context.nodes().end()) return;
  context.add(*first, fmt::format("a build with FP8 may fail on H100: a known issue of {}", context.release().name()))
      .fix("build with TensorRT 10.6 or later");
}

constexpr std::string_view kEvidence[] = {"NVIDIA/TensorRT CHANGELOG.md, 10.5"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD308",
    .name = "fp8-on-hopper",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "10.5: FP8 on H100",
    .docs = R"(## What it checks
Q/DQ to FP8 for TensorRT 10.5 and compute capability 9.0.

## Why TensorRT cares
The release notes of 10.5 list it as a known issue: a build with FP8 may fail on H100.

## Example
```onnx opset=19 target=10.5 cc=9.0
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  y = DequantizeLinear(xq, a, zero)
}
```

## Instead
```onnx opset=19 target=10.6 cc=9.0
agraph (float[1,4] x) => (float[1,4] y)
<float a = {0.05}> {
  zero = Constant<value = float8e4m3fn {0}>()
  xq = QuantizeLinear(x, a, zero)
  y = DequantizeLinear(xq, a, zero)
}
```

## Fix
TensorRT 10.6 or later.

## Evidence
TensorRT release notes, 10.5. Which models fail they do not say.
)",
    .evidence = kEvidence,
    .quantized_only = true,
    .check = check,
    .gates = {gates::fp8_broken_on_hopper, gates::fp8_repaired_on_hopper},
};

}  // namespace trtcheck::rules::fp8_on_hopper
