#include "fold/allowed.hpp"

#include "schema/facts.hpp"

namespace trtcheck::fold {
namespace {

/// Undefined: the contents are not read, and nothing is known.
DataType type_of(const Call& call, std::size_t i) {
  if (const Array* array = call.maybe(i)) return array->type;
  const ValueShape& shape = call.shapes[call.node.input(i)];
  return shape.kind == ValueShape::Kind::tensor ? shape.type : DataType::undefined;
}

void check_type(const Call& call, const schema::InputFacts& facts, std::size_t i) {
  const DataType type = type_of(call, i);
  if (type == DataType::undefined) return;
  const auto bit = static_cast<std::uint32_t>(type);
  if (bit >= 64 || (facts.types >> bit & 1U) == 0) {
    throw Unfolded{"opset " + std::to_string(call.opset) + " does not define it for " + to_string(type)};
  }
  if (facts.like == schema::InputFacts::kUnlike || facts.like >= i) return;
  const DataType other = type_of(call, facts.like);
  if (other != DataType::undefined && other != type) {
    throw Unfolded{"inputs are of different types, " + to_string(other) + " and " + to_string(type)};
  }
}

}  // namespace

void check_allowed(const Call& call) {
  const schema::SchemaFacts* facts = schema::schema_facts("", call.node.op_type, call.opset);
  if (facts == nullptr || facts->deprecated) {
    throw Unfolded{"opset " + std::to_string(call.opset) + " has no such operator"};
  }
  const std::size_t inputs = call.node.inputs.size();
  if (inputs < facts->min_inputs || inputs > facts->max_inputs) throw Unfolded{"the number of inputs is not allowed"};
  if (call.node.outputs.size() > facts->max_outputs) throw Unfolded{"the number of outputs is not allowed"};
  for (std::size_t i = 0; i < inputs; ++i) {
    if (!call.node.input(i)) {
      if (i < 64 && (facts->required_inputs >> i & 1U) != 0)
        throw Unfolded{"input " + std::to_string(i) + " is missing"};
      continue;
    }
    if (const schema::InputFacts* input = facts->input(i)) check_type(call, *input, i);
  }
}

}  // namespace trtcheck::fold
