#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules::batchnorm_rank {
namespace {

bool takes_a_scale(std::string_view op) { return is_a(op, kinds::convolution) || is_a(op, kinds::matrix_product); }

void check(RuleContext& context) {
  const ValueId data = context.node().input(0);
  const ValueShape& shape = context.shape(data);
  if (!shape.has_rank || (shape.rank() >= 4 && shape.rank() <= 5)) return;
  FindingBuilder finding =
      context.add(fmt::format("input 0 `{}` has rank {}, TensorRT reshapes it to {} around BatchNormalization",
                              context.name(data), shape.rank(), shape.rank() < 4 ? "rank 4" : "fewer axes"));
  finding.value(context.name(data));
  const Node* before = context.producer(data);
  if (before != nullptr && takes_a_scale(before->op_type)) {
    finding.note("the reshapes can keep the node from being fused into the layer before")
        .fix(fmt::format("fold BatchNormalization into {} `{}`", before->op_type,
                         context.label(context.model().value(data).producer)));
  } else {
    finding.note("the reshapes are layers of their own")
        .fix("write it as Mul and Add with constants, which accept any rank");
  }
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp BatchNormalization, 10.1",
    "NVIDIA/TensorRT include/NvInfer.h, IScaleLayer, 8.6",
};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT207",
    .name = "batchnorm-rank",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "BatchNormalization on data of a rank that TensorRT has to reshape",
    .docs = R"(## What it checks
The rank of the data: below 4 (BatchNorm1d) or above 5.

## Why TensorRT cares
The scale layer requires at least four axes. The parser unsqueezes lower ranks and collapses higher ones, which works, but the extra reshapes can prevent
fusing the node into a Gemm or a convolution.

## Example
```onnx
agraph (float[N,2] x) => (float[N,2] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y = BatchNormalization(x, s, b, m, v)
}
```

## Instead
```onnx
agraph (float[N,2,1,1] x) => (float[N,2,1,1] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y = BatchNormalization(x, s, b, m, v)
}
```

## Fix
Fold the node into the Gemm or convolution before it. Without one, a Mul and an Add with constants (scale / sqrt(variance +
epsilon), and what is left of the bias) compute the same at any rank.

## Evidence
Parser source, 8.6 to 11.0; header of the scale layer.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules::batchnorm_rank
