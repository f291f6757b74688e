// Operators that keep the shape and change the element type at most.
#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"
#include "shapes/ops/arithmetic.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

Dim converted(OpContext& op, Dim dim, DataType type) {
  if (type == DataType::boolean) {
    if (dim.is(0)) return dim;
    if (op.dims().equal(dim, op.literal(0)) == Truth::no) return op.literal(1);
    return op.unknown("the condition depends on sizes", -1, {0, 1});
  }
  return survives(op, dim, type) ? dim : op.unknown_content("the number may not fit the type it is cast to");
}

void cast_to(OpContext& op, DataType type) {
  set_like_typed(op, type);
  if (!is_countable(type) && !is_float(type)) return;
  std::optional<DimVector> contents;
  if (const auto whole = op.contents(0)) {
    contents.emplace(whole->begin(), whole->end());
  } else if (const auto known = op.known(0)) {
    contents.emplace(known->begin(), known->end());
  } else if (is_integer(type) && is_float(op.type(0))) {
    contents = floor_of_quotient(op, 0);
  }
  if (!contents) return;
  for (Dim& dim : *contents) {
    // Contents of float tensors are followed as long as they are whole and exact.
    if (is_float(type) && !survives(op, dim, type)) return;
    dim = converted(op, dim, type);
  }
  op.set_contents(0, *contents);
}

DataType type_by_name(std::string_view name) {
  for (std::int32_t number = 1; number < 32; ++number) {
    if (to_string(DataType{number}) == name) return DataType{number};
  }
  return DataType::undefined;
}

}  // namespace

void infer_identity(OpContext& op) {
  op.set_like(0, 0);
  if (const auto contents = op.contents(0)) op.set_contents(0, *contents);
}

void infer_like_input(OpContext& op) { op.set_like(0, 0); }

void infer_cast(OpContext& op) { cast_to(op, type_attribute(op, "to", DataType::undefined)); }

void infer_cast_by_name(OpContext& op) { cast_to(op, type_by_name(op.attr_string("to", {}))); }

void infer_cast_like(OpContext& op) { cast_to(op, op.type(1)); }

void infer_bit_cast(OpContext& op) { set_like_typed(op, type_attribute(op, "to", DataType::undefined)); }

}  // namespace trtcheck::shapes
