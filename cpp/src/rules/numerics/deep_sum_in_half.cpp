#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "rules/numerics/reached.hpp"
#include "schema/kinds.hpp"
#include "text/readable.hpp"
#include "view/extents.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::deep_sum_in_half {
namespace {

constexpr double kLargest = 65'504;
constexpr std::int64_t kMostAxes = 16;

std::optional<std::vector<std::int64_t>> axes_of(const RuleContext& context, const Node& node) {
  if (node.input(1)) return constant_ints(context.view(), node.input(1), kMostAxes);
  const Attribute* const axes = node.attribute("axes");
  if (axes == nullptr) return std::vector<std::int64_t>{};
  return std::vector<std::int64_t>(axes->ints().begin(), axes->ints().end());
}

/// Elements that become one; nothing: a size is not known.
Count depth_of(const RuleContext& context, const Node& node) {
  const ValueShape& shape = context.shape(node.input(0));
  const auto axes = axes_of(context, node);
  if (!axes || !shape.has_rank) return std::nullopt;
  if (axes->empty()) return int_attribute(node, "noop_with_empty_axes", 0) != 0 ? Count(1) : element_count(shape);
  Count depth = 1;
  const auto rank = static_cast<std::int64_t>(shape.rank());
  for (const std::int64_t axis : *axes) {
    const std::int64_t counted_from_front = axis < 0 ? axis + rank : axis;
    if (counted_from_front < 0 || counted_from_front >= rank) return std::nullopt;
    depth = product(depth, extent(shape, static_cast<std::size_t>(counted_from_front)));
  }
  return depth;
}

bool squares(const Node& node) { return node.op_type == "ReduceL2" || node.op_type == "ReduceSumSquare"; }

/// Where no number of the result shows it: what is summed up on the way.
std::optional<double> sum_behind(const Node& node, const MeasuredTensor& result, Count depth) {
  if (node.op_type == "ReduceL2") return result.magnitude() * result.magnitude();
  if (node.op_type == "ReduceMean" && depth) return result.magnitude() * static_cast<double>(*depth);
  return std::nullopt;
}

void tell_measured(RuleContext& context, double sum, Count depth) {
  const std::string_view op = context.node().op_type;
  context
      .add(fmt::format("{} of `{}` adds up to {} with these samples before it {}, beyond 65,504, the largest number of "
                       "FP16",
                       op, context.name(context.node().input(0)), readable(sum),
                       op == "ReduceL2" ? std::string("computes the root")
                                        : fmt::format("divides by {}", readable(static_cast<double>(*depth)))))
      .value(context.name(context.node().input(0)))
      .reason("sums beyond FP16 with these samples")
      .note("what the engine adds up in, FP16 or FLOAT, is not documented")
      .fix("keep this layer in FLOAT");
}

void check(RuleContext& context) {
  const Node& node = context.node();
  if (!runs_in_half(context, node.output(0))) return;
  const Count depth = depth_of(context, node);
  if (const MeasuredTensor* const result = context.view().measured.of(node.output(0))) {
    const auto sum = sum_behind(node, *result, depth);
    if (sum && *sum >= kBeyondHalf && result->magnitude() < kBeyondHalf) tell_measured(context, *sum, depth);
    return;  // measured-overflow tells what the result itself reached
  }
  if (node.op_type == "ReduceMean" || !depth || static_cast<double>(*depth) <= kLargest) return;
  const double mean = kLargest / static_cast<double>(*depth);
  context
      .add(fmt::format("{} adds up {} elements, which {} FP16: the sum passes 65,504 where the mean of the {} reaches "
                       "{}",
                       node.op_type, readable(static_cast<double>(*depth)),
                       context.shape(node.output(0)).type == DataType::float16 ? "are in" : "may run in",
                       squares(node) ? "squares" : (node.op_type == "ReduceL1" ? "magnitudes" : "numbers"),
                       readable(mean)))
      .reason("long sums in FP16")
      .fix("compute the mean, scale first, or keep this layer in FLOAT; `trtcheck ranges` measures what it reaches");
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/Model-Optimizer modelopt/onnx/autocast/nodeclassifier.py (DepthOfReductionRule: long reductions stay in "
    "FLOAT)",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/accuracy-considerations.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM105",
    .name = "deep-sum-in-half",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "a sum in FP16 over more elements than FP16 can count",
    .docs = R"(## What it checks
ReduceSum, ReduceL1, ReduceL2 and ReduceSumSquare in FLOAT16, or in FLOAT with `--precision fp16` before 11.0, over more than 65,504 elements: with numbers around 1
the sum is infinite. Shorter sums depend on the data. With `--ranges`, which `trtcheck ranges` measures, the data are known: instead of this, sums that
ReduceMean and ReduceL2 pass on their way are reported when they went beyond 65,504; results that did are [measured-overflow](measured-overflow.md).

## Why TensorRT cares
What passes 65,504 is infinite in FP16. In which type a reduction adds up TensorRT does not document, its result is FP16 in any case.

## Example
```onnx target=10.3 precision=fp16
agraph (float[1,3,224,224] x) => (float[1,1,1,1] y) {
  axes = Constant<value = int64[3] {1, 2, 3}>()
  y = ReduceSum(x, axes)
}
```

## Instead
```onnx target=10.3 precision=fp16
agraph (float[1,3,224,224] x) => (float[1,1,1,1] y) {
  y = ReduceMean<axes = [1, 2, 3]>(x)
}
```

## Fix
A mean instead of a sum, a scale in front of it, or this layer in FLOAT.

## Evidence
NVIDIA's AutoCast leaves reductions beyond a depth that the user gives in FLOAT. How large the data are the file does not say: *possible*.
)",
    .evidence = kEvidence,
    .ops = kinds::reduces_in_depth.operators,
    .check = check,
    .gates = {kStrongTypingGates},
};

}  // namespace trtcheck::rules::deep_sum_in_half
