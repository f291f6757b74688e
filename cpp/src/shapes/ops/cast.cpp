// Operators that keep the shape and change the element type at most.
#include "shapes/known_values.hpp"
#include "shapes/ops/arithmetic.hpp"
#include "shapes/ops/float_arithmetic.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

Dim to_boolean(OpContext& op, Dim dim) {
  if (dim.is(0)) return dim;
  if (op.dims().equal(dim, op.literal(0)) == Truth::no) return op.literal(1);
  return op.unknown("the condition depends on sizes", -1, {0, 1});
}

/// Contents of UINT64 may lie beyond what a dim holds; sizes do not.
bool is_beyond(OpContext& op, Dim dim) { return op.type(0) == DataType::uint64 && op.dims().bounds(dim).low < 0; }

Dim to_whole(OpContext& op, Dim dim, DataType type) {
  const bool is_kept = survives(op, dim, type) && (type == op.type(0) || !is_beyond(op, dim));
  return is_kept ? dim : op.unknown_content("the number may not fit the type it is cast to");
}

Dim from_float(OpContext& op, Dim dim, DataType type) {
  const auto number = op.number(dim);
  if (is_float(type)) {
    const auto made = number ? float_to_float(op, type, *number) : std::nullopt;
    return made ? op.dim_of(*made) : op.open_number("the number is rounded by the cast");
  }
  if (!number) return op.unknown_content("the number that is cast cannot be followed");
  return type == DataType::boolean ? to_boolean(op, number->numerator)
                                   : to_whole(op, float_to_whole(op, *number), type);
}

Dim from_whole(OpContext& op, Dim dim, DataType type) {
  if (type == DataType::boolean) return to_boolean(op, dim);
  if (!is_float(type)) return to_whole(op, dim, type);
  const auto made = whole_to_float(op, type, dim);
  return made ? op.dim_of(*made) : op.open_number("the number may be rounded by the cast");
}

void cast_to(OpContext& op, DataType type) {
  set_like_typed(op, type);
  if (!is_countable(type) && !is_float(type)) return;
  const bool is_from_float = is_float(op.type(0));
  if (!is_from_float && !is_countable(op.type(0))) return;
  auto contents = op.contents(0);
  if (!contents) contents = op.known(0);
  if (!contents) return;
  DimVector out;
  out.reserve(contents->size());
  for (const Dim dim : *contents) out.push_back(is_from_float ? from_float(op, dim, type) : from_whole(op, dim, type));
  op.set_contents(0, out);
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
