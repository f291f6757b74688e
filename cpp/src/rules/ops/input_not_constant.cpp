#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/core.h>

#include "checks/checked_operators.hpp"
#include "facts/node_facts.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

std::optional<std::size_t> scales_input(const RuleContext& context) {
  const std::string_view op_type = context.node().op_type;
  if (op_type == "Upsample") return 1;
  if (op_type != "Resize") return std::nullopt;
  return context.model().opset(context.node().graph).value_or(0) < 11 ? 1 : 2;
}

/// Scales are numbers that TensorRT computes sizes with: a network input behind them becomes a shape tensor.
void check(RuleContext& context) {
  const auto index = scales_input(context);
  if (!index) return;
  const ValueId scales = context.node().input(*index);
  const ValueId input = float_input_of(context.facts(), scales);
  if (!input) return;
  context
      .add(fmt::format("the scales of {} `{}` come from the network input `{}`, which is {}", context.node().op_type,
                       context.label(context.node_id()), context.name(input), to_string(context.shape(input).type)))
      .certainty(Certainty::likely)
      .note("TensorRT computes sizes from INT32 and INT64 inputs only")
      .value(context.name(input))
      .fix("export with constant scales, or hand over the sizes as INT64");
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt docs/operators.md and onnxOpImporters.cpp of each release",
                                          "onnx-tensorrt TensorOrWeights.hpp is_weights, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"must be an initializer", "required to be an initializer",
                                          "is a shape tensor and must have type Int32 or Int64"};

}  // namespace

extern constinit const Rule input_not_constant{
    .code = "OPS402",
    .name = "input-not-constant",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an input that has to be an initializer or Constant and is computed",
    .docs = R"(## What it checks
Inputs that the importer reads while it parses: axes of the Reduce operators, of Squeeze and CumSum in older releases, K of TopK up
to 8.5, scale and bias of InstanceNormalization up to 9.3, and others. Also scales of Resize that come from a network input. Constant is what the parser takes for constant: initializers and Constant nodes.

## Why TensorRT cares
The parser does not fold: the output of Identity, Cast or Concat is a tensor for it, also when everything behind it is constant.
The message says `must be an initializer`. From 11.2 on it seems to fold the axes of the Reduce operators: those may follow from constants. Scales of Resize may be computed from constants and from shapes, but not from a network
input of a floating point type: `Network input s is a shape tensor and must have type Int32 or Int64`.

## Example
```onnx opset=18
agraph (float[2,3,4] x, int64[1] a) => (float[A,B,C] y) {
  y = ReduceMean (x, a)
}
```

## Instead
```onnx opset=18
agraph (float[2,3,4] x) => (float[2,1,4] y)
<int64[1] a = {1}> {
  y = ReduceMean (x, a)
}
```

## Fix
Fold constants, or export with a constant there.

## Evidence
Rows of `cpp/data/checks`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely". Scales: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 (like 11.1
to 11.5).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = checks::kCheckedOperators,
    .check = check,
};

}  // namespace trtcheck::rules
