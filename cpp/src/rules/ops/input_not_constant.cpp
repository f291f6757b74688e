#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "rules/ops/constraint_finding.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

/// What stands behind a parameter of a function: the parser hands the call's arguments through.
ValueId argument_of(const Model& model, ValueId id) {
  while (id) {
    const Value& value = model.value(id);
    const Graph& graph = model.graph(value.graph);
    const auto parameter = std::ranges::find(graph.inputs, id);
    if (graph.kind != Graph::Kind::function_call || parameter == graph.inputs.end()) break;
    id = model.node(graph.parent).input(static_cast<std::size_t>(parameter - graph.inputs.begin()));
  }
  return id;
}

/// Constant for the parser: an initializer, or the output of a Constant node of any kind.
bool is_constant(const RuleContext& context, ValueId id) {
  if (context.model().constant(id)) return true;
  const Node* producer = context.producer(id);
  return producer != nullptr && producer->op_type == "Constant";
}

/// Operators that hand constants on in some forms: Dropout with one output, Flatten of a matrix, no-op forms of others.
bool may_pass_constants(const RuleContext& context, ValueId id) {
  constexpr std::string_view kTensors[] = {
      "Identity", "Cast", "Transpose", "Reshape", "Unsqueeze", "ConstantOfShape", "Concat", "DequantizeLinear", "Shape",
      "Gather",   "Add",  "Sub",       "Mul",     "Div"};
  const Node* producer = context.producer(id);
  return producer != nullptr && context.shapes().folds_to_constant(id) &&
         std::ranges::find(kTensors, producer->op_type) == std::end(kTensors);
}

std::string origin(const RuleContext& context, ValueId id) {
  const Node* producer = context.producer(id);
  if (producer == nullptr) return "is no constant";
  return fmt::format("is computed by {} `{}`", producer->op_type, context.label(context.model().value(id).producer));
}

void check(RuleContext& context) {
  for (const Constraint& constraint :
       constraints_of_node(context, {Constraint::Must::initializer}, Constraint::On::input)) {
    const ValueId input = argument_of(context.model(), context.node().input(constraint.index));
    if (!input || !context.model().value(input).is_defined || is_constant(context, input)) continue;
    FindingBuilder finding = add_constraint(
        context, constraint,
        fmt::format("input {} `{}` of {} `{}` {}, TensorRT {} needs an initializer or a Constant there",
                    constraint.index, context.name(input), context.node().op_type, context.label(context.node_id()),
                    origin(context, input), to_string(context.target().release)));
    finding.value(context.name(input));
    if (may_pass_constants(context, input)) finding.severity(Severity::warning).certainty(Certainty::likely);
    if (context.shapes().folds_to_constant(input)) {
      finding.note("its value is constant all the same: folding constants before the conversion removes the obstacle")
          .fix("fold constants (onnxsim, or polygraphy surgeon sanitize --fold-constants)");
    } else {
      finding.fix(fmt::format("make `{}` a constant when exporting", context.name(input)),
                  context.model().value(input).producer);
    }
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt docs/operators.md and onnxOpImporters.cpp of each release",
                                          "onnx-tensorrt TensorOrWeights.hpp is_weights, 10.10"};
constexpr std::string_view kMessages[] = {"must be an initializer", "required to be an initializer"};

}  // namespace

extern constinit const Rule input_not_constant{
    .code = "OPS402",
    .name = "input-not-constant",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an input that has to be an initializer or Constant and is computed",
    .docs = R"(## What it checks
Inputs that the importer reads while it parses: axes of the Reduce operators, of Squeeze and CumSum in older releases, K of TopK up
to 8.5, and others. Constant is what the parser takes for constant: initializers and Constant nodes.

## Why TensorRT cares
The parser does not fold: the output of Identity, Cast or Concat is a tensor for it, also when everything behind it is constant.
The message says `must be an initializer`.

## Example
```onnx opset=18
agraph (float[2,3,4] x) => (float[A,B,C] y)
<int64[1] a = {1}> {
  b = Identity (a)
  y = ReduceMean (x, b)
}
```

## Instead
```onnx opset=18
agraph (float[2,3,4] x) => (float[2,1,4] y)
<int64[1] a = {1}> {
  y = ReduceMean (x, a)
}
```

## Fix
Fold constants, or export with a constant there.

## Evidence
Rows of `cpp/data/op_support.json`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely".
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kConstrainedOperators,
    .check = check};

}  // namespace trtcheck::rules
