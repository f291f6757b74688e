#include <fmt/core.h>
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules::conv_rank_mismatch {
namespace {

std::string message(const RuleContext& context, ConvRanks ranks) {
  const ConvView& view = context.conv();
  const std::string_view op = context.node().op_type;
  const std::size_t rank = context.shape(view.data).rank();
  if (ranks == ConvRanks::no_data) {
    return fmt::format("input 0 `{}` has rank {}, {} accepts 3, 4 or 5 (1 to 3 spatial axes)", context.name(view.data),
                       rank, op);
  }
  return fmt::format(
      "weight `{}` has rank {}, {} on input 0 `{}` of rank {} needs the same rank{}", context.name(view.weight),
      context.shape(view.weight).rank(), op, context.name(view.data), rank,
      ranks == ConvRanks::taken ? " in ONNX; TensorRT appends an axis of 1 to the shorter one and accepts them" : "");
}

void check(RuleContext& context) {
  const Conflict* conflict = context.conflict(ConflictId::conv_rank);
  const ConvRanks ranks = conv_ranks(context.view(), context.node(), context.conv());
  if (ranks == ConvRanks::fit && conflict == nullptr) return;
  FindingBuilder finding = context.add(ranks == ConvRanks::fit ? conflict->message : message(context, ranks));
  finding.value(context.name(context.conv().data))
      .fix("reshape the data so that batch, channels and 1 to 3 spatial axes remain");
  if (ranks == ConvRanks::taken) finding.severity(Severity::warning).certainty(Certainty::likely);
}

constexpr ConflictId kConflicts[] = {ConflictId::conv_rank};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt builtin_op_importers.cpp and onnxOpImporters.cpp Conv and ConvTranspose, 8.0 to 10.1",
    "onnx-tensorrt importerUtils.cpp convMultiInput, 10.1",
    "NVIDIA/TensorRT include/NvInfer.h, addConvolutionNd, 10.1",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1, every pair of ranks from 2 to 6",
};
constexpr std::string_view kMessages[] = {"number of spatial dimensions and the kernel shape doesn't match up",
                                          "Deconvolution input must be at least 3D and at most 5D!",
                                          "The input tensor shape misaligns with the input kernel shape"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT107",
    .name = "conv-rank-mismatch",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "ranks of data and weights that no convolution layer accepts",
    .docs = R"(## What it checks
Data and weights of Conv and ConvTranspose must have the same rank, and that must be 3, 4 or 5. A pair of ranks 3 and 4 is a warning
where TensorRT accepts it.

## Why TensorRT cares
Its layers have two or three spatial axes. One is expanded to two, for data and stored weights separately, so that it accepts ranks 3 and 4 together, which
ONNX forbids: weights of rank 3 act as a kernel of `k` by 1; data of rank 3 get a last axis of size 1, and what comes out must have that size again.
Computed weights of a Conv (a DequantizeLinear, say) must have the rank of the data. `number of spatial dimensions and the kernel shape doesn't match up`
and `Deconvolution input must be at least 3D and at most 5D!` are what the parser says.

## Example
```onnx
agraph (float[1,1,8] x) => (y)
<float[1,1,3,3] w = {1,1,1, 1,1,1, 1,1,1}> {
  y = Conv<kernel_shape=[3,3]>(x, w)
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
Parser source, 8.0 to 10.1, and header. TensorRT-RTX 1.5, 1.6 and 1.7, which are of 11.0 to 11.4, take and refuse the same pairs.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kinds::convolution.operators,
    .check = check,
};

}  // namespace trtcheck::rules::conv_rank_mismatch
