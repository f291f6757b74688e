// Operators that make tensors: constants, filled and random ones.
#include <fmt/core.h>

#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"
#include "shapes/ops/computed_sizes.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

void set_tensor(OpContext& op, TensorId id) {
  const Tensor& tensor = op.model().tensor(id);
  DimVector dims;
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0) return op.set_type(0, tensor.type, "the constant has a negative dim");
    dims.push_back(op.literal(dim));
  }
  op.set(0, tensor.type, dims);
  if (is_countable(tensor.type)) decode_known(op.state(), op.node().output(0));
}

void set_floats(OpContext& op, std::span<const float> values) {
  op.set(0, DataType::float32, {op.literal(static_cast<std::int64_t>(values.size()))});
  if (values.size() > kShortContents) return;
  DimVector contents;
  for (const float value : values) {
    const auto dim = float_dim(op.state(), static_cast<double>(value));
    contents.push_back(dim ? *dim : op.open_number("the number is no fraction"));
  }
  op.set_known(0, contents);
}

void set_ints(OpContext& op, std::span<const std::int64_t> values) {
  op.set(0, DataType::int64, {op.literal(static_cast<std::int64_t>(values.size()))});
  if (values.size() > kMaxKnown) return;
  DimVector contents;
  for (const std::int64_t value : values) contents.push_back(content_dim(op.state(), value));
  op.set_known(0, contents);
}

/// The only element of the `value` attribute of ConstantOfShape.
std::optional<Dim> fill_value(OpContext& op, TensorId id) {
  if (!id) return op.literal(0);
  const Tensor& tensor = op.model().tensor(id);
  if (tensor.element_count() != 1) return std::nullopt;
  if (is_countable(tensor.type)) {
    const auto values = integer_contents(op.state(), id);
    if (values && values->size() == 1) return content_dim(op.state(), values->front());
  } else if (is_float(tensor.type)) {
    const auto values = float_contents(op.state(), id);
    if (values && values->size() == 1) return float_dim(op.state(), values->front());
  }
  return std::nullopt;
}

void set_shape_attribute(OpContext& op, DataType type) {
  const auto shape = op.attr_ints("shape");
  if (!shape) return op.set_type(0, type, "the attribute `shape` is missing");
  DimVector dims;
  for (const std::int64_t dim : *shape) dims.push_back(op.literal(dim));
  op.set(0, type, dims);
}

}  // namespace

void infer_constant(OpContext& op) {
  for (const Attribute& attribute : op.node().attributes()) {
    if (attribute.type == AttributeType::tensor || attribute.type == AttributeType::sparse_tensor) {
      if (attribute.t()) return set_tensor(op, attribute.t());
    } else if (attribute.name == "value_int") {
      op.set(0, DataType::int64, {});
      return op.set_known(0, {content_dim(op.state(), attribute.i())});
    } else if (attribute.name == "value_ints") {
      return set_ints(op, attribute.ints());
    } else if (attribute.name == "value_float") {
      op.set(0, DataType::float32, {});
      if (const auto dim = float_dim(op.state(), static_cast<double>(attribute.f()))) op.set_known(0, {*dim});
      return;
    } else if (attribute.name == "value_floats") {
      return set_floats(op, attribute.floats());
    } else if (attribute.name == "value_string") {
      return op.set(0, DataType::string, {});
    } else if (attribute.name == "value_strings") {
      return op.set(0, DataType::string, {op.literal(static_cast<std::int64_t>(attribute.strings().size()))});
    }
  }
  op.set_type(0, DataType::undefined, "the constant has no value");
}

void infer_constant_of_shape(OpContext& op) {
  const Attribute* value = op.attr("value");
  const TensorId tensor = value != nullptr && value->type == AttributeType::tensor ? value->t() : TensorId{};
  const DataType type = tensor ? op.model().tensor(tensor).type : DataType::float32;
  const auto count = tensor ? op.model().tensor(tensor).element_count() : std::nullopt;
  if (count && *count != 1) op.conflict(fmt::format("the value to fill with has {} elements, one is required", *count));
  if (op.has_input(0) && op.type(0) != DataType::int64 && op.has_rank(0)) {
    op.standard_forbids(fmt::format("the shape is {}, INT64 is required", to_string(op.type(0))), op.node().input(0));
    return op.set_type(0, type, "the shape is not INT64");
  }
  const auto dims = sizes_from(op, 0, "the size is computed at run time");
  if (!dims) return op.set_type(0, type, "the shape is computed at run time");
  check_sizes(op, *dims);
  op.set(0, type, *dims);
  const bool is_small =
      dims->empty() || (dims->size() == 1 && dims->front().is_literal() && dims->front().value() >= 0 &&
                        dims->front().value() <= static_cast<std::int64_t>(kMaxKnown));
  if (!is_small) return;
  const auto filled = fill_value(op, tensor);
  if (filled) op.set_known(0, DimVector(dims->empty() ? 1 : static_cast<std::size_t>(dims->front().value()), *filled));
}

void infer_eye_like(OpContext& op) { set_like_typed(op, type_attribute(op, "dtype", op.type(0))); }

void infer_random(OpContext& op) { set_shape_attribute(op, type_attribute(op, "dtype", DataType::float32)); }

void infer_random_like(OpContext& op) { set_like_typed(op, type_attribute(op, "dtype", op.type(0))); }

void infer_multinomial(OpContext& op) {
  const DataType type = type_attribute(op, "dtype", DataType::int32);
  if (!op.has_rank(0) || op.rank(0) != 2) return op.set_type(0, type, {});
  op.set(0, type, {op.dim(0, 0), op.literal(op.attr_int("sample_size", 1))});
}

}  // namespace trtcheck::shapes
