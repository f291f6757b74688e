// Operators without a shape function of ours: symbolic dims go through the onnx library as names.
#include "schema/fallback.hpp"

#include "shapes/infer.hpp"

namespace trtcheck::shapes {

namespace {

/// Each distinct dim gets a number; equal numbers are equal dims.
class Names {
 public:
  schema::CarriedDim carry(Dim dim) {
    if (dim.is_literal()) return {schema::CarriedDim::Kind::literal, dim.value()};
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      if (dims_[i].same(dim)) return {schema::CarriedDim::Kind::name, static_cast<std::int64_t>(i)};
    }
    dims_.push_back(dim);
    return {schema::CarriedDim::Kind::name, static_cast<std::int64_t>(dims_.size()) - 1};
  }
  [[nodiscard]] const Dim* find(std::int64_t name) const {
    return name >= 0 && name < static_cast<std::int64_t>(dims_.size()) ? &dims_[static_cast<std::size_t>(name)]
                                                                       : nullptr;
  }

 private:
  std::vector<Dim> dims_;
};

// Longer contents are of no use to an inference function.
constexpr std::size_t kMaxContents = 64;

// No operator without a shape function of ours takes as many inputs, and names are compared one by one.
constexpr std::size_t kMaxInputs = 256;

schema::CarriedValue carry(OpContext& op, std::size_t input, Names& names) {
  schema::CarriedValue out;
  if (!op.has_input(input)) return out;
  const ValueShape& shape = op.in(input);
  if (shape.kind == ValueShape::Kind::sequence && shape.type != DataType::undefined) {
    out.kind = schema::CarriedValue::Kind::sequence;
    out.type = shape.type;
    return out;
  }
  if (shape.kind != ValueShape::Kind::tensor || shape.type == DataType::undefined) return out;
  out.kind = schema::CarriedValue::Kind::tensor;
  out.type = shape.type;
  out.has_rank = shape.has_rank;
  for (const Dim dim : shape.dims) out.dims.push_back(names.carry(dim));
  out.constant = op.model().constant(op.node().input(input));
  if (!shape.is_known || shape.known.size() > kMaxContents) return out;
  out.has_contents = true;
  for (const Dim dim : shape.known) out.contents.push_back(names.carry(dim));
  return out;
}

void take(OpContext& op, std::size_t output, const schema::CarriedValue& value, const Names& names) {
  if (value.kind == schema::CarriedValue::Kind::absent) return;
  if (value.kind == schema::CarriedValue::Kind::sequence) return op.set_sequence(output, value.type);
  if (!value.has_rank) return op.set_type(output, value.type, "ONNX's shape inference gives no rank");
  DimVector dims;
  for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
    const schema::CarriedDim& dim = value.dims[axis];
    const Dim* named = dim.kind == schema::CarriedDim::Kind::name ? names.find(dim.value) : nullptr;
    if (named != nullptr) {
      dims.push_back(*named);
    } else if (dim.kind == schema::CarriedDim::Kind::literal && dim.value >= 0) {
      dims.push_back(op.literal(dim.value));
    } else {
      dims.push_back(op.unknown("ONNX's shape inference gives no size", static_cast<std::int32_t>(axis)));
    }
  }
  op.set(output, value.type, dims);
}

}  // namespace

void infer_by_schema(OpContext& op) {
  if (op.input_count() > kMaxInputs) return;
  Names names;
  std::vector<schema::CarriedValue> inputs;
  for (std::size_t i = 0; i < op.input_count(); ++i) {
    inputs.push_back(carry(op, i, names));
    // The library's functions rely on the type of every input that is there. What is said then is "unknown".
    if (op.has_input(i) && inputs.back().kind == schema::CarriedValue::Kind::absent) return;
  }
  const schema::Outcome outcome = schema::infer_by_onnx(op.model(), op.node(), op.opset(), inputs);
  if (!outcome.failure.empty()) {
    // The library's complaint may rest on its own limits: it is a reason, not a conflict.
    const std::string_view reason = op.state().result.keep(outcome.failure);
    for (std::size_t i = 0; i < op.output_count(); ++i) {
      if (op.has_output(i)) op.state().at(op.node().outputs[i]).reason = reason;
      if (op.has_output(i)) op.state().at(op.node().outputs[i]).reason_node = op.id();
    }
    return;
  }
  for (std::size_t i = 0; i < outcome.outputs.size(); ++i) take(op, i, outcome.outputs[i], names);
}

}  // namespace trtcheck::shapes
