#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>

#include <fmt/core.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::conv1d_before_add {
namespace {

// Identity, Cast and Dropout in between are passed over; so many of them are no pattern any more.
constexpr std::size_t kMostSteps = 8;

/// The value behind operators that change nothing which the builder sees; none: somebody else reads it on the way, so
/// that the Add is not drawn into the convolution.
ValueId only_read_here(const RuleContext& context, ValueId value) {
  ValueId found;
  walk<kMostSteps>(value, [&](ValueId id, auto& onward) {
    const auto sizes_only = [&](const Use& use) { return context.model().node(use.node).op_type == "Shape"; };
    const auto readers = readers_of(context.model(), id);
    const bool is_read_elsewhere = std::ranges::count_if(readers, std::not_fn(sizes_only)) != 1;
    if (context.model().value(id).is_output || is_read_elsewhere) return true;
    const Node* const producer = context.producer(id);
    if (producer == nullptr || !is_a(producer->op_type, kinds::passed_before_bias)) {
      found = id;
      return true;
    }
    onward.add(producer->input(0));
    return false;
  });
  return found;
}

/// One group, or one channel in and out for each group: others are built.
bool is_plain_or_depthwise(const RuleContext& context, const Node& conv) {
  const std::int64_t group = int_attribute(conv, "group", 1);
  const ValueShape& weights = context.shape(conv.input(1));
  return group == 1 || (weights.has_rank && weights.rank() == 3 && weights.dims[0].is(group) && weights.dims[1].is(1));
}

/// The Conv of rank 3 whose result is `value`, and nobody else's; none: there is none.
NodeId conv1d_behind(const RuleContext& context, ValueId value) {
  const ValueId result = value ? only_read_here(context, value) : ValueId{};
  const NodeId id = result ? producer_of(context.model(), result) : NodeId{};
  if (!id || context.model().node(id).op_type != "Conv") return {};
  if (!is_plain_or_depthwise(context, context.model().node(id))) return {};
  const ValueShape& shape = context.shape(result);
  return shape.has_rank && shape.rank() == 3 ? id : NodeId{};
}

bool is_one_constant(const RuleContext& context, ValueId value) {
  const ValueShape& shape = context.shape(value);
  return value && shape.has_rank && shape.rank() <= 3 &&
         std::ranges::all_of(shape.dims, [](Dim dim) { return dim.is(1); }) &&
         context.shapes().folds_to_constant(value);
}

/// In the body of a loop, in a branch beside one, or read in a body: of such models some are built.
bool meets_body(const RuleContext& context, NodeId id) {
  constexpr std::size_t kMostLookedAt = 4096;  // in larger bodies there may be one
  const Model& model = context.model();
  const GraphId own = model.node(id).graph;
  const auto is_read_within = [&](const Use& use) { return model.node(use.node).graph != own; };
  if (std::ranges::any_of(readers_of(model, model.node(id).output(0)), is_read_within)) return true;
  for (GraphId around = own; model.graph(around).kind == Graph::Kind::body;) {
    const auto is_loop = [&](NodeId other) {
      const std::string_view op = model.node(other).op_type;
      return is_a(op, kinds::loop) || is_a(op, kinds::recurrent);
    };
    const NodeId owner = model.graph(around).parent;
    if (model.graph(around).order.size() > kMostLookedAt) return true;
    if (is_loop(owner) || std::ranges::any_of(model.graph(around).order, is_loop)) return true;
    around = model.node(owner).graph;
  }
  return false;
}

void check(RuleContext& context) {
  if (!context.has(gates::conv1d_before_add)) return;
  const Node& node = context.node();
  if (node.inputs.size() != 2) return;
  const std::size_t sides = node.op_type == "Sub" ? 1 : 2;  // constant - data is built
  for (std::size_t side = 0; side < sides; ++side) {
    const ValueId added = node.input(1 - side);
    if (!is_one_constant(context, added)) continue;
    const NodeId conv = conv1d_behind(context, node.input(side));
    if (!conv) continue;
    FindingBuilder finding =
        context
            .add(fmt::format("{} of the single number `{}` to the result of the 1-D Conv `{}`: the builder makes it "
                             "the bias of the convolution and fails",
                             node.op_type, context.name(added), context.label(conv)))
            .value(context.name(added))
            .fix(fmt::format("store the number once for each channel, in the shape [channels, 1], or add it to the "
                             "bias of Conv `{}` and leave the {} out",
                             context.label(conv), node.op_type));
    if (!context.has(gates::tensorrt_rtx)) {
      finding.severity(Severity::warning)
          .certainty(Certainty::possible)
          .note("measured with TensorRT-RTX; no report is of TensorRT itself");
    } else if (meets_body(context, context.node_id())) {
      finding.severity(Severity::warning)
          .certainty(Certainty::possible)
          .note("with bodies of loops or branches around it, some such models are built");
    }
    return;
  }
}

constexpr std::string_view kOps[] = {"Add", "Sub", "Sum"};
constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 refuse it in FLOAT, FLOAT16 and BFLOAT16"};
constexpr std::string_view kMessages[] = {"CHECK(nbdims_bias == 4 || nbdims_bias == 5) failed"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT109",
    .name = "conv1d-before-add",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a 1-D convolution, and a single number that is added to its result",
    .docs = R"(## What it checks
A Conv of one group, or a depthwise one, over data of three dimensions (`torch.nn.Conv1d`) whose result is read by one Add, Sum or Sub only, which adds or subtracts a constant of one
element. An Identity, Cast or Dropout between them changes nothing. An error for TensorRT-RTX, a warning (*possible*) for TensorRT from 10.16 on, and in the body of a loop,
in a branch that holds a loop, or where a body reads the sum: there some such models are built.

## Why TensorRT cares
The builder turns the constant into the bias of the convolution. It does not expand a single number for a 1-D convolution, and stops with
`CHECK(nbdims_bias == 4 || nbdims_bias == 5) failed`. Mul, Div, Max and Pow, other groups, a constant of the shape `[channels, 1]`, 2-D and 3-D
convolutions, ConvTranspose, and an activation in between are built; so is a result that something else reads as well.

## Example
```onnx target=rtx-1.7
agraph (float[1,2,8] x) => (y) <float[3,2,1] w = {1,1,1,1,1,1}, float one = {1}> {
  c = Conv (x, w)
  y = Add (c, one)
}
```

## Instead
```onnx target=rtx-1.7
agraph (float[1,2,8] x) => (y) <float[3,2,1] w = {1,1,1,1,1,1}, float[3,1] one = {1,1,1}> {
  c = Conv (x, w)
  y = Add (c, one)
}
```

## Fix
Add the number to the bias of the convolution (`conv.bias.data += 1` before the export), or store it once for each channel:
`torch.full((channels, 1), 1.0)`.

## Evidence
Measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1, in 35 forms: FLOAT, FLOAT16, BFLOAT16, static and dynamic, with and without bias, stored and
computed weights.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .refused_by = RefusedBy::kernels,
    .check = check,
    .gates = {gates::conv1d_before_add, gates::tensorrt_rtx},
};

}  // namespace trtcheck::rules::conv1d_before_add
