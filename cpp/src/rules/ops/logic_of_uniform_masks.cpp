#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/core.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::logic_of_uniform_masks {
namespace {

constexpr std::size_t kMostSteps = 8;

bool is_logic(const RuleContext& context, const Node& node) {
  if (!is_a(node.op_type, kinds::logic) || node.inputs.size() != 2) return false;
  return context.shape(node.input(0)).type == DataType::boolean;
}

/// Equal of a tensor with itself: the same in every element, whatever its type.
bool compares_with_itself(const RuleContext& context, const Node& node) {
  return node.op_type == "Equal" && node.inputs.size() == 2 &&
         passed_on(context.model(), node.input(0)) == passed_on(context.model(), node.input(1));
}

bool is_one_constant(const RuleContext& context, ValueId value) {
  const ValueShape& shape = context.shape(value);
  return value && shape.has_rank && context.shapes().folds_to_constant(value) &&
         std::ranges::all_of(shape.dims, [](Dim dim) { return dim.is(1); });
}

/// The value before Identity nodes and nodes that only move elements.
ValueId unmoved(const RuleContext& context, ValueId value) {
  ValueId last = value;
  walk<kMostSteps>(value, [&](ValueId at, auto& onward) {
    last = at;
    const Node* const producer = context.producer(at);
    const bool moves =
        producer != nullptr && (is_a(producer->op_type, kinds::moves_data) || producer->op_type == "Identity");
    if (moves) onward.add(producer->input(0));
    return false;
  });
  return last;
}

/// Every element is the same constant: `torch.ones`, `torch.full`, or one number.
bool is_uniform(const RuleContext& context, ValueId value) {
  value = unmoved(context, value);
  const Node* const producer = context.producer(value);
  if (producer == nullptr) return is_one_constant(context, value);
  if (producer->op_type == "ConstantOfShape") return true;
  if (producer->op_type == "Expand") return is_one_constant(context, producer->input(0));
  return is_one_constant(context, value);
}

/// The number that all elements of a ConstantOfShape or an Expand are.
std::optional<double> number_of_all(const RuleContext& context, ValueId value) {
  const Node* const producer = context.producer(unmoved(context, value));
  if (producer == nullptr) return std::nullopt;
  const Attribute* const stored = producer->attribute("value");
  if (producer->op_type == "ConstantOfShape" && stored == nullptr) return 0;
  const TensorId tensor = producer->op_type == "ConstantOfShape" ? stored->t()
                          : producer->op_type == "Expand"        ? context.model().constant(producer->input(0))
                                                                 : TensorId{};
  const auto numbers = context.tensors().floats(tensor, 1);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

/// Less of two tensors of different numbers; of equal ones the builder makes one tensor, and builds it.
bool compares_two_numbers(const RuleContext& context, const Node& node) {
  if (node.op_type != "Less" || node.inputs.size() != 2) return false;
  const auto a = number_of_all(context, node.input(0)), b = number_of_all(context, node.input(1));
  return a && b && *a != *b;
}

bool is_dynamic(const ValueShape& shape) {
  return shape.has_rank && std::ranges::any_of(shape.dims, std::not_fn(&Dim::is_literal));
}

bool same_sizes(const RuleContext& context, const ValueShape& a, const ValueShape& b) {
  if (!a.has_rank || !b.has_rank || a.rank() != b.rank()) return false;
  for (std::size_t axis = 0; axis < a.rank(); ++axis) {
    if (context.dims().equal(a.dims[axis], b.dims[axis]) != Truth::yes) return false;
  }
  return true;
}

/// The node that combines two uniform masks, when its result is read here only; none: there is none.
NodeId uniform_logic(const RuleContext& context, ValueId value) {
  NodeId found;
  walk<kMostSteps>(value, [&](ValueId at, auto& onward) {
    if (context.model().value(at).is_output || !sole_reader(context.model(), at)) return false;
    const NodeId id = producer_of(context.model(), at);
    if (!id) return false;
    const Node& node = context.model().node(id);
    if (is_a(node.op_type, kinds::passes_numbers) || is_a(node.op_type, kinds::moves_data)) {
      onward.add(node.input(0));
      return false;
    }
    const ValueShape& result = context.shape(at);
    const bool has_its_size = same_sizes(context, context.shape(node.input(0)), result) ||
                              same_sizes(context, context.shape(node.input(1)), result);
    const bool combines =
        is_logic(context, node) || compares_with_itself(context, node) || compares_two_numbers(context, node);
    const bool is_meant =
        combines && has_its_size && is_uniform(context, node.input(0)) && is_uniform(context, node.input(1));
    if (is_meant) found = id;
    return true;
  });
  return found;
}

void check(RuleContext& context) {
  const Node& node = context.node();
  if (!context.has(gates::tensorrt_rtx) || !is_logic(context, node)) return;
  for (std::size_t side = 0; side < 2; ++side) {
    const ValueId mask = node.input(side), other = node.input(1 - side);
    if (!is_dynamic(context.shape(mask)) || !same_sizes(context, context.shape(mask), context.shape(other))) continue;
    if (is_uniform(context, other)) continue;
    const NodeId made = uniform_logic(context, mask);
    if (!made) continue;
    FindingBuilder finding = context.add(fmt::format(
        "{} `{}` combines two constant masks of dynamic size, and {} `{}` reads the result beside `{}`: the "
        "builder folds the first one and fails",
        context.model().node(made).op_type, context.label(made), node.op_type, context.label(context.node_id()),
        context.name(other)));
    finding.value(context.name(mask))
        .fix(
            "combine one mask after the other with the data, `(data & a) & b` in place of `(a & b) & data`, or leave "
            "masks of ones out");
    if (context.target().profile.empty()) {
      finding.severity(Severity::warning).note("it is built with a profile whose smallest and largest sizes are equal");
    }
    return;
  }
}

constexpr std::string_view kEvidence[] = {"measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 do not build it"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS307",
    .name = "logic-of-uniform-masks",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "two constant masks of dynamic size, combined with each other before the data",
    .docs = R"(## What it checks
For TensorRT-RTX: an And, Or, Xor or Equal of two masks whose elements are all the same constant (`torch.ones(n, dtype=torch.bool)`: ConstantOfShape, or Expand of one number) and
whose size is dynamic, an Equal of such a tensor of any type with itself, or a Less of two of them with different numbers. Only one other And, Or, Xor or Equal reads its result, beside
a tensor of the same size. Identity, Cast, Reshape, Slice and Transpose in between change nothing.

## Why TensorRT cares
The builder folds the first operator into a constant of dynamic size, which its second step does not expect: a failed check inside of the builder without a name. Masks of fixed size, one constant mask,
a Not in between, a mask that is broadcast, a Greater, a Less of equal numbers, and three of them in a row are built. So is a profile of one size: without a profile it is a warning.

## Example
```onnx target=rtx-1.7
agraph (float[N,4] x) => (bool[N,4] y) <float nothing = {0}> {
  sizes = Shape (x)
  ones = ConstantOfShape <value = bool[1] {1}> (sizes)
  masks = And (ones, ones)
  positive = Greater (x, nothing)
  y = And (masks, positive)
}
```

## Instead
```onnx target=rtx-1.7
agraph (float[N,4] x) => (bool[N,4] y) <float nothing = {0}> {
  sizes = Shape (x)
  ones = ConstantOfShape <value = bool[1] {1}> (sizes)
  positive = Greater (x, nothing)
  first = And (positive, ones)
  y = And (first, ones)
}
```

## Fix
Combine the data with one mask after the other, or leave masks of ones out.

## Evidence
Measured in 150 forms with TensorRT-RTX 1.7.1, 52 of them also with 1.5.0 and 1.6.1, and 23 with 1.4.0. Nothing is known of TensorRT, for which nothing is reported.
)",
    .evidence = kEvidence,
    .ops = kinds::logic.operators,
    .check = check,
    .gates = {gates::tensorrt_rtx},
};

}  // namespace trtcheck::rules::logic_of_uniform_masks
