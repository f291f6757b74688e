#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  if (node.inputs.size() < 3 || node.inputs[2]) return;
  if (node.op_type == "ConvTranspose" && context.has(gates::deconv_empty_bias)) return;
  context
      .add(
          fmt::format("input 2 (bias) of {} is listed with an empty name, TensorRT reads it as a tensor", node.op_type))
      .fix("drop the trailing empty input from the node", Applicability::safe);
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp Conv, 8.6 to 11.0: `Trying to access weights or a null tensor!`"};
constexpr std::string_view kMessages[] = {"Trying to access weights or a null tensor!"};

}  // namespace

extern constinit const Rule empty_bias_name{.code = "WGT108",
                                            .name = "empty-bias-name",
                                            .since = "0.1.0",
                                            .severity = Severity::error,
                                            .certainty = Certainty::proven,
                                            .rtx_certainty = Certainty::likely,
                                            .fix = Applicability::safe,
                                            .summary = "a convolution lists its bias with an empty name",
                                            .docs = R"(## What it checks
A third input of Conv or ConvTranspose that is listed with an empty name. ONNX reads it as "left out".

## Why TensorRT cares
The parser counts the inputs, treats the absent one as a tensor and fails when it reads it: `Trying to access weights or a null tensor!`.
True for Conv in every release read; ConvTranspose was cured in 10.13.

## Example
```onnx
agraph (float[1,1,8,8] x) => (float[1,1,8,8] y)
<float[1,1,1,1] w = {1}> {
  y = Conv<kernel_shape=[1,1]>(x, w, "")
}
```

## Instead
```onnx
agraph (float[1,1,8,8] x) => (float[1,1,8,8] y)
<float[1,1,1,1] w = {1}> {
  y = Conv<kernel_shape=[1,1]>(x, w)
}
```

## Fix
Drop the trailing empty input.

## Evidence
Parser source, 8.6 to 11.0.
)",
                                            .evidence = kEvidence,
                                            .messages = kMessages,
                                            .ops = kinds::convolution.operators,
                                            .check = check,
                                            .gates = {gates::deconv_empty_bias}};

}  // namespace trtcheck::rules
