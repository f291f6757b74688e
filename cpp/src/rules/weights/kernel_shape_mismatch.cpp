#include "rules/rule_context.hpp"
#include "rules/weights/conv_facts.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const ConvFacts facts = conv_facts(context, context.node());
  if (const auto message = kernel_mismatch(context, context.node(), facts)) {
    context.add(*message).value(context.name(facts.weight)).fix("correct `kernel_shape`, or leave it out");
  }
}

constexpr std::string_view kOps[] = {"Conv", "ConvTranspose"};
constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp Conv and ConvTranspose, 10.1"};
constexpr std::string_view kMessages[] = {"size of spatial dimension and the size of kernel shape",
                                          "Attribute kernel_shape misaligns with the dimensions of the weight tensor",
                                          "The input tensor shape misaligns with the input kernel shape."};

}  // namespace

extern constinit const Rule kernel_shape_mismatch{
    .code = "WGT106",
    .name = "kernel-shape-mismatch",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "the attribute kernel_shape contradicts the weights of the convolution",
    .docs = R"(## What it checks
`kernel_shape` of Conv and ConvTranspose, where it is given, must be the spatial extent of the weights.

## Why TensorRT cares
The parser compares the two and refuses the node: `size of spatial dimension and the size of kernel shape` differ.

## Example
```onnx
agraph (float[1,1,8,8] x) => (float[1,1,8,8] y)
<float[1,1,1,1] w = {1}> {
  y = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(x, w)
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
Correct the attribute, or leave it out.

## Evidence
Parser source, 8.6 to 11.0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .check = check};

}  // namespace trtcheck::rules
