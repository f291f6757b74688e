#include <fmt/core.h>

#include "rules/ops/node_schema.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::wrong_input_count {
namespace {

/// Listed inputs without the omitted ones at the end.
std::size_t input_count(const Node& node) {
  std::size_t count = node.inputs.size();
  while (count > 0 && !node.inputs[count - 1]) --count;
  return count;
}

bool is_refused(std::string_view op_type, std::size_t count, bool too_few) {
  return too_few ? count != 1 || !is_a(op_type, kinds::accepts_one_operand) : is_a(op_type, kinds::counts_inputs);
}

std::string allowed(const schema::SchemaFacts& facts) {
  if (facts.min_inputs == facts.max_inputs) return std::to_string(facts.min_inputs);
  if (facts.max_inputs == schema::SchemaFacts::kUnbounded) return fmt::format("at least {}", facts.min_inputs);
  return fmt::format("{} to {}", facts.min_inputs, facts.max_inputs);
}

void check(RuleContext& context) {
  for (NodeId id : context.nodes()) {
    const schema::SchemaFacts* facts = node_schema(context, id);
    if (facts == nullptr) continue;
    const Node& node = context.model().node(id);
    const std::size_t count = input_count(node);
    if (count < facts->min_inputs || count > facts->max_inputs) {
      const bool too_few = count < facts->min_inputs;
      context
          .add(id, fmt::format("{} `{}` has {}, opset {} of ONNX demands {}", node.op_type, context.label(id),
                               counted(count, "input"), *context.model().opset(node.graph), allowed(*facts)))
          .severity(is_refused(node.op_type, count, too_few) ? Severity::error : Severity::warning)
          .fix("export the model again, or correct the inputs of the node");
      continue;
    }
    for (std::size_t i = 0; i < count && i < 64; ++i) {
      if (node.inputs[i] || ((facts->required_inputs >> i) & 1U) == 0) continue;
      context
          .add(id, fmt::format("input {} of {} `{}` is left out, ONNX demands it", i, node.op_type, context.label(id)))
          .fix("connect the input");
    }
  }
}

constexpr std::string_view kEvidence[] = {"ONNX operator schemas", "onnx-tensorrt onnxOpImporters.cpp, 10.10",
                                          "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"operator requires exactly * input", "operator expects two inputs!",
                                          "operator requires at least * inputs", "The node requires between * inputs"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS301",
    .name = "wrong-input-count",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a node with too few or too many inputs",
    .docs = R"(## What it checks
The number of inputs of every node of the ONNX domain against the operator's schema at the opset of the model, and that no input
is left out that has to be there.

## Why TensorRT cares
Importers read their inputs by position. One that is not there ends in an exception, a null tensor or worse; one too many
is overlooked, except by PRelu, Pow, Slice and TopK. Add, Sub, Mul, Div, Equal, Greater, Less, And, Or and Xor pass a single operand through: a warning.

## Example
```onnx
agraph (float[3,3] x) => (float[3,3] y) {
  y = MatMul (x)
}
```

## Instead
```onnx
agraph (float[3,3] x) => (float[3,3] y) {
  y = MatMul (x, x)
}
```

## Fix
Correct the node.

## Evidence
Schemas of the onnx library; the importers of onnx-tensorrt index their inputs (`inputs.at(i)`). TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 were asked about 58
operators, each with one input too many and with each of its inputs left out.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::wrong_input_count
