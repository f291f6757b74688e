#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "facts/evaluate.hpp"
#include "rules/claims.hpp"
#include "rules/rule_context.hpp"
#include "rules/types/one_type.hpp"
#include "rules/types/roots.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"
#include "view/operand_types.hpp"

namespace trtcheck::rules::wrong_input_type {
namespace {

using schema::TypeMask;

/// 0 for numbers that a file made up.
constexpr TypeMask bit(DataType type) {
  const auto number = static_cast<unsigned>(type);
  return number < 64 ? TypeMask{1} << number : 0;
}

constexpr TypeMask kFloats =
    bit(DataType::float32) | bit(DataType::float16) | bit(DataType::bfloat16) | bit(DataType::float64);
constexpr TypeMask kIntegers = bit(DataType::int32) | bit(DataType::int64);

/// All types of the network of which the operator takes at least one: FLOAT16 passes where FLOAT does (BFLOAT16 in old
/// opsets), INT8 where floats do (quantized without Q/DQ).
bool is_right(std::string_view type, TypeMask allowed) {
  if (type == "BOOL") return (allowed & bit(DataType::boolean)) != 0;
  if (type == "INT32" || type == "INT64") return (allowed & kIntegers) != 0;
  if (type == "INT8") return (allowed & (bit(DataType::int8) | kFloats)) != 0;
  return (allowed & kFloats) != 0;
}

bool takes_all(const schema::SchemaFacts& schema) {
  constexpr std::string_view kTypes[] = {"BOOL", "INT32", "INT8", "FP32"};
  return std::ranges::all_of(schema.inputs, [&](const schema::InputFacts& input) {
    return input.types == 0 ||
           std::ranges::all_of(kTypes, [&](std::string_view type) { return is_right(type, input.types); });
  });
}

std::string allowed_types(TypeMask allowed) {
  constexpr DataType kNames[] = {DataType::float32, DataType::float16, DataType::bfloat16, DataType::float64,
                                 DataType::int8,    DataType::int32,   DataType::int64,    DataType::boolean};
  std::vector<std::string> names;
  for (const DataType type : kNames) {
    if ((allowed & bit(type)) != 0) names.push_back(to_string(type));
  }
  return alternatives(names);
}

/// What a cast makes of it that every release takes.
DataType cast_to(TypeMask allowed) {
  if ((allowed & kFloats) != 0) return DataType::float32;
  return (allowed & kIntegers) != 0 ? DataType::int64 : DataType::boolean;
}

class Walk {
 public:
  explicit Walk(RuleContext& context) : context_(&context) {
    const std::span<const OperatorView> operators = context.view().operators.all();
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const OperatorView& op = operators[i];
      const bool is_judged = context.view().handler_of(i) == Handler::importer && op.schema != nullptr &&
                             !op.schema->deprecated && !is_a(op.op_type, kinds::accepts_other_types) &&
                             !takes_all(*op.schema);
      schemas_.push_back(is_judged ? op.schema : nullptr);
    }
  }

  void visit(NodeId id) {
    const schema::SchemaFacts* schema = schemas_[context_->view().operators.index(id)];
    if (schema == nullptr && roots_.empty()) return;
    const Node& node = context_->model().node(id);
    NodeId root = roots_.of(node);
    if (schema != nullptr && tell(id, *schema, root) && !root) root = id;
    roots_.hand_on(node, root);
  }

 private:
  bool tell(NodeId id, const schema::SchemaFacts& schema, NodeId root) {
    const Node& node = context_->model().node(id);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const schema::InputFacts* input = schema.input(i);
      if (input == nullptr || input->types == 0 || !node.inputs[i]) continue;
      // Nearly always.
      if ((input->types & bit(context_->shape(node.inputs[i]).type)) != 0) continue;
      const std::string_view type = operand_type(context_->view(), node.inputs[i]);
      if (type.empty() || is_right(type, input->types) || is_told(id, i)) continue;
      report(id, i, *input, root);
      return true;
    }
    return false;
  }

  /// By a fact about the same input, perhaps of another release: that one was looked at, then. Or because operands
  /// differ.
  [[nodiscard]] bool is_told(NodeId id, std::size_t input) const {
    const OperatorView& op = context_->operator_of(id);
    if (one_type(op.op_type) != nullptr && mixed_pair(context_->view(), id)) return true;
    const NodeView node(context_->view(), id);
    return std::ranges::any_of(facts::facts_of(op.op_type), [&](const facts::Fact& fact) {
      return fact.index == input && fact.effect == facts::Effect::refuse &&
             facts::evaluate(fact, node).holds == Truth::yes;
    });
  }

  void report(NodeId id, std::size_t i, const schema::InputFacts& input, NodeId root) {
    const Node& node = context_->model().node(id);
    const ValueId value = node.inputs[i];
    const ValueShape& shape = context_->shape(value);
    FindingBuilder finding =
        context_->add(id, fmt::format("input {} `{}` of {} `{}` is {}, opset {} of ONNX demands {}", i,
                                      context_->name(value), node.op_type, context_->label(id), to_string(shape.type),
                                      *context_->model().opset(node.graph), allowed_types(input.types)));
    finding.value(context_->name(value))
        .fix(fmt::format("cast `{}` to {} before the node", context_->name(value), to_string(cast_to(input.types))))
        .caused_by(root);
    const bool is_measured = context_->has(gates::input_types_measured) && !is_a(node.op_type, kinds::never_measured);
    if (!is_measured) finding.severity(Severity::warning).certainty(Certainty::possible);
    if (shape.assumed) rests_on_claim(finding, "the type");
  }

  RuleContext* context_;
  std::vector<const schema::SchemaFacts*> schemas_;  ///< by operator; nullptr: nothing to ask
  Roots roots_;
};

void check(RuleContext& context) {
  Walk walk(context);
  for (const NodeId id : context.nodes()) walk.visit(id);
}

constexpr std::string_view kEvidence[] = {
    "ONNX operator schemas",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1, 2,500 models of 130 operators",
};
constexpr std::string_view kMessages[] = {"has type * but must have type *", "input must have type *. Type is *"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS304",
    .name = "wrong-input-type",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an input of an element type that its operator does not have",
    .docs = R"(## What it checks
The element type of every input against the operator's schema at the opset of the model: whole numbers into Sin, FLOAT into And, FLOAT
indices into Gather, BOOL into MatMul. Only kinds of types count: BFLOAT16 passes where FLOAT does, whatever the opset, and so does INT8.
Operators that TensorRT was seen to build with other types than ONNX's are left out (Clip, Dropout, Pow, TopK, Resize and others).

## Why TensorRT cares
No importer casts. `onnx.checker` passes such a model unless it is asked for full inference, and ONNX Runtime refuses it. From 10.16 on
it is an error; what older releases make of it nobody saw: a warning.

## Example
```onnx
agraph (int32[N,4] x) => (int32[N,4] y) {
  y = Sin(x)
}
```

## Instead
```onnx
agraph (int32[N,4] x) => (float[N,4] y) {
  f = Cast <to = 1> (x)
  y = Sin(f)
}
```

## Fix
Cast the input, or correct what makes it.

## Evidence
Schemas of the onnx library. 2,500 models of 130 operators, one input of another type each, were tested with TensorRT-RTX 1.5.0, 1.6.1
and 1.7.1 (of the branches 11.0 to 11.4): refused, but for the operators that are left out here. 1.4.0 (of 10.16) refused 147 of 147.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::input_types_measured, kNetworkTypeGates},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::wrong_input_type
