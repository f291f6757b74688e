#include "rules/rule_context.hpp"
#include "rules/weights/conv_facts.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const ConvFacts facts = conv_facts(context, context.node());
  if (const auto message = rank_mismatch(context, facts)) {
    context.add(*message)
        .value(context.name(facts.data))
        .fix("reshape the data so that batch, channels and 1 to 3 spatial axes remain");
  }
}

constexpr std::string_view kOps[] = {"Conv", "ConvTranspose"};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp Conv and ConvTranspose, 10.1",
    "NVIDIA/TensorRT include/NvInfer.h, addConvolutionNd, 10.1",
};
constexpr std::string_view kMessages[] = {"number of spatial dimensions and the kernel shape doesn't match up",
                                          "Deconvolution input must be at least 3D and at most 5D!"};

}  // namespace

extern constinit const Rule conv_rank_mismatch{.code = "WGT107",
                                               .name = "conv-rank-mismatch",
                                               .since = "0.1.0",
                                               .severity = Severity::error,
                                               .certainty = Certainty::proven,
                                               .fix = Applicability::display,
                                               .summary = "ranks of data and weights that no convolution layer takes",
                                               .docs = R"(## What it checks
Data and weights of Conv and ConvTranspose must have the same rank, and that must be 3, 4 or 5.

## Why TensorRT cares
Its layers have two or three spatial axes (one is expanded to two). `number of spatial dimensions and the kernel shape doesn't match up`
and `Deconvolution input must be at least 3D and at most 5D!` are what the parser says.

## Example
```onnx
agraph (float[1,1,8] x) => (y)
<float[1,1,1,1] w = {1}> {
  y = Conv<kernel_shape=[1,1]>(x, w)
}
```

## Instead
```onnx
agraph (float[1,1,8] x) => (float[1,1,8] y)
<float[1,1,1] w = {1}> {
  y = Conv<kernel_shape=[1]>(x, w)
}
```

## Fix
Reshape the data (or export the module with the number of axes that its weights have).

## Evidence
Parser source and header, 8.6 to 11.0.
)",
                                               .evidence = kEvidence,
                                               .messages = kMessages,
                                               .ops = kOps,
                                               .check = check};

}  // namespace trtcheck::rules
