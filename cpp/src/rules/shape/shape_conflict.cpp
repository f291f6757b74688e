#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "rules/claims.hpp"
#include "rules/rule_context.hpp"
#include "rules/shape/claimed.hpp"
#include "target/gates.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::rules::shape_conflict {
namespace {

void tell_what_is_taken(const RuleContext& context, FindingBuilder finding, std::string_view taken_as) {
  finding.severity(Severity::warning)
      .certainty(context.has(gates::conflicts_measured) ? Certainty::likely : Certainty::possible)
      .note(fmt::format("ONNX forbids it, TensorRT builds it: {}", taken_as))
      .fix("correct the model: other runtimes refuse this node, and TensorRT computes something that nobody wrote");
}

void tell_that_standard_forbids(FindingBuilder finding) {
  finding.severity(Severity::warning)
      .certainty(Certainty::possible)
      .note("the ONNX standard forbids it; what TensorRT makes of it was not measured")
      .fix("correct the model: onnx refuses it, and so may runtimes");
}

/// What cannot be only because of the sizes that the profile gives.
class OfProfile {
 public:
  explicit OfProfile(const RuleContext& context) : context_(&context) {}

  [[nodiscard]] bool is_cause(const Conflict& conflict) {
    if (context_->target().profile.empty()) return false;
    if (!without_) without_.emplace(infer(context_->model(), symbolic_options(context_->target())));
    return std::ranges::none_of(without_->conflicts(), [&](const Conflict& other) {
      return other.node == conflict.node && other.id == conflict.id;
    });
  }

 private:
  const RuleContext* context_;
  std::optional<Shapes> without_;
};

void check(RuleContext& context) {
  const Model& model = context.model();
  OfProfile of_profile(context);
  for (const Conflict& conflict : context.shapes().conflicts()) {
    if (!conflict.node) continue;
    const Node& node = model.node(conflict.node);
    if (is_claimed(conflict.id, node.op_type)) continue;
    const bool names_operator = conflict.message.starts_with(std::string(node.op_type) + " ");
    FindingBuilder finding = context.add(
        conflict.node, names_operator ? conflict.message : fmt::format("{}: {}", node.op_type, conflict.message));
    if (conflict.value) finding.value(context.name(conflict.value));
    if (conflict.is_of_standard) {
      tell_that_standard_forbids(finding);
    } else if (!conflict.taken_as.empty()) {
      tell_what_is_taken(context, finding, conflict.taken_as);
    } else if (has_claimed_input(context, node)) {
      rests_on_claim(finding, "one of the shapes");
    } else if (has_differing_input(context, node)) {
      rests_on_size_of_onnx(finding);
    } else if (of_profile.is_cause(conflict)) {
      finding.note("it is so at the sizes of the profile")
          .fix("change the sizes of the profile: `trtcheck profile` proposes some that fit");
    } else {
      finding.fix(
          "the file itself is broken: ONNX Runtime stops at this node as well. Correct the sizes in the module, or the "
          "step that changed the graph after the export, and export again");
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/onnx/onnx/blob/main/docs/Operators.md",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
    "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1",
};
constexpr std::string_view kMessages[] = {"reshape would change volume"};

}  // namespace

extern constinit const Rule rule{
    .code = "SHP101",
    .name = "shape-conflict",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "shapes that an operator cannot reconcile, whatever the input sizes",
    .docs = R"(## What it checks
What shape inference could not reconcile for any allowed size: operands that do not broadcast, a product whose inner extents differ, a Reshape that changes the number of elements,
an axis outside of the rank.

## Why TensorRT cares
It computes the same shapes when it builds, and stops at the same node.

With a profile that gives an axis one size, shapes are computed with that size: the note says when others fit.

Where one of the shapes is only declared in the file (after an operator that nobody knows), it is a warning.
So it is after a node for which TensorRT computes another size than ONNX: a pool that rounds up and whose last window starts in the padding, `pads` beside `auto_pad` VALID,
`output_padding` of ConvTranspose beside it.

Some models that ONNX forbids it builds all the same. They are a warning, and the note says what TensorRT makes of them:

| what ONNX forbids | what TensorRT makes of it |
|---|---|
| strides, dilations, pads or output_padding of another length than the spatial axes | the missing ones are 1 (pads: 0), the others are ignored |
| an `output_shape` of ConvTranspose that is too long | its last entries count |
| a kernel with one spatial axis on data with two | the kernel gets a last axis of 1 |
| a pooling window with fewer axes than the data (two or three) | it slides over the last axes |
| a pooling window that is one step too large | the result is empty |
| the same axis twice in a reduction | it is reduced once |
| a constant index of Gather outside of the axis | the element reads as 0; a size computed from it is refused |
| parts of Split that add up to less than the axis | the rest is dropped |
| Split without sizes, before opset 18, of an axis that is no multiple | the last part is smaller (up to 9.3 the rest is dropped) |
| a `perm` of Transpose that is too long or too short | the rest is overlooked, or stays where it is |
| one repeat of Tile for several axes, or too few for fixed ones | every axis; the list is read again |
| an Expand target below the size of the axis | the axis keeps its size |
| a scale of RMSNormalization that is larger than an axis of 1 | the result is as large as the scale |
| a slope of PRelu, a scale of LayerNormalization or RMSNormalization, or a C of Gemm of higher rank | the result has that rank |
| a C of Gemm that is larger than the product | the product is repeated |
| one scale of InstanceNormalization for several channels | it counts for every channel |
| LSTM, GRU, RNN: weights of another number of directions; GRU: larger weights | the same weights are used for both; the first part is read |
| RNN: weights of one row for several units; LSTM, GRU, RNN: a stored bias without elements | every unit uses that row; there is no bias |
| an axis of Resize that is the rank | it is overlooked |

What the standard forbids and nobody has tried with TensorRT is a warning of its own: negative `pads` of a convolution,
a Softmax of a scalar before opset 13, attributes of ai.onnx.ml that contradict each other.

## Example
```onnx
agraph (float[N,3] x) => (float[N,5] y)
<float[4,5] w = {1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1}> {
  y = MatMul(x, w)
}
```

## Instead
```onnx
agraph (float[N,4] x) => (float[N,5] y)
<float[4,5] w = {1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1}> {
  y = MatMul(x, w)
}
```

## Fix
Correct the model: runtimes fail at this node. Look at what was changed last, pruning, a new number of classes, a surgery on the graph.

## Evidence
The definition of the operator. What is built all the same was measured with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1, whose
parsers are those of 10.16 to 11.4: *likely* from 10.16 on, *possible* for older releases. Lists of attributes:
onnx-tensorrt `importerUtils.cpp`, `getKernelParams` (10.1). Gather: NvInfer.h, `IGatherLayer`.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::conflicts_measured},
};

}  // namespace trtcheck::rules::shape_conflict
