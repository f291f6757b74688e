#include <span>
#include <string>
#include <vector>
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trtcheck::rules::kernel_shape_mismatch {
namespace {

/// The parser reads missing entries as 1.
bool is_completed(DimTable& dims, std::span<const std::int64_t> stated, std::span<const Dim> stored) {
  if (stated.size() >= stored.size()) return false;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (dims.equal(stored[i], dims.literal(i < stated.size() ? stated[i] : 1)) == Truth::no) return false;
  }
  return true;
}

void check(RuleContext& context) {
  if (context.conflict(ConflictId::conv_kernel_shape) == nullptr) return;
  const ValueId weight = context.conv().weight;
  const auto stated = context.node().attribute("kernel_shape")->ints();
  const auto stored = context.shape(weight).dims.subspan(2);
  if (is_completed(context.dims(), stated, stored)) return;
  std::vector<std::string> sizes;
  for (const Dim size : stored) sizes.push_back(context.dims().text(size));
  context
      .add(fmt::format("kernel_shape is [{}], weight `{}` has a kernel of [{}]", fmt::join(stated, ","),
                       context.name(weight), fmt::join(sizes, ",")))
      .value(context.name(weight))
      .fix("correct `kernel_shape`, or leave it out");
}

constexpr ConflictId kConflicts[] = {ConflictId::conv_kernel_shape};
constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp Conv and ConvTranspose, 10.1"};
constexpr std::string_view kMessages[] = {"size of spatial dimension and the size of kernel shape",
                                          "Attribute kernel_shape misaligns with the dimensions of the weight tensor",
                                          "The input tensor shape misaligns with the input kernel shape."};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT106",
    .name = "kernel-shape-mismatch",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
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
    .conflicts = kConflicts,
    .ops = kinds::convolution.operators,
    .check = check,
};

}  // namespace trtcheck::rules::kernel_shape_mismatch
