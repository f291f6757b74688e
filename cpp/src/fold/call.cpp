#include "fold/call.hpp"

#include <algorithm>
#include <cstring>

#include "model/tensor_values.hpp"
#include "model/weight_parts.hpp"

namespace trtcheck::fold {
namespace {

/// More than any model has; each costs time with every element.
constexpr std::size_t kMostDims = 64;

const Attribute* given(const Node& node, std::string_view name, AttributeType type) {
  const Attribute* attribute = node.attribute(name);
  if (attribute != nullptr && attribute->type != type) {
    throw Unfolded{"attribute " + quoted(name) + " is not of the type that ONNX defines"};
  }
  return attribute;
}

std::string too_large(const Left& left) { return "larger than " + std::to_string(left.elements) + " elements"; }

/// Elements that raw_data does not hold.
Array read_typed(const Model& model, const Tensor& tensor, Dims dims, std::int64_t limit) {
  std::optional<Array> made;
  if (is_real(tensor.type)) {
    if (const auto values = decode_floats(model, tensor, limit)) {
      made = array_of<double>(tensor.type, std::move(dims), *values);
    }
  } else if (const auto values = decode_ints(model, tensor, limit)) {
    if (domain_of(tensor.type) == Domain::natural) {
      made = array_of<std::uint64_t>(tensor.type, std::move(dims),
                                     std::vector<std::uint64_t>(values->begin(), values->end()));
    } else {
      made = array_of<std::int64_t>(tensor.type, std::move(dims), *values);
    }
  }
  if (!made) throw Unfolded{"constant " + quoted(tensor.name) + " cannot be read"};
  return std::move(*made);
}

}  // namespace

std::string quoted(std::string_view name) { return std::string("`").append(name).append("`"); }

const Array& Call::in(std::size_t i) const {
  if (maybe(i) == nullptr) throw Unfolded{"input " + std::to_string(i) + " is missing"};
  return *inputs[i];
}

Dims Call::dims_of(std::size_t i) const {
  if (const Array* array = maybe(i)) return array->dims;
  const ValueShape& shape = shapes[node.input(i)];
  Dims made;
  if (shape.has_rank && !shape.assumed && !shape.differs) {
    for (const Dim dim : shape.dims) {
      if (dim.is_literal()) made.push_back(dim.value());
    }
    if (made.size() == shape.rank()) return made;
  }
  throw Unfolded{"the sizes of " + quoted(model.value(node.input(i)).name) + " are not known", true};
}

DataType Call::type_of(std::size_t i) const {
  if (const Array* array = maybe(i)) return array->type;
  const ValueShape& shape = shapes[node.input(i)];
  if (shape.kind == ValueShape::Kind::tensor && shape.type != DataType::undefined && !shape.type_assumed)
    return shape.type;
  throw Unfolded{"the type of " + quoted(model.value(node.input(i)).name) + " is not known"};
}

std::int64_t Call::integer(std::string_view name, std::int64_t fallback) const {
  const Attribute* attribute = given(node, name, AttributeType::int_);
  return attribute == nullptr ? fallback : attribute->i();
}

double Call::real(std::string_view name, float fallback) const {
  const Attribute* attribute = given(node, name, AttributeType::float_);
  return attribute == nullptr ? fallback : attribute->f();
}

std::string_view Call::text(std::string_view name, std::string_view fallback) const {
  const Attribute* attribute = given(node, name, AttributeType::string);
  return attribute == nullptr ? fallback : attribute->s();
}

std::optional<Dims> Call::list(std::string_view name) const {
  const Attribute* attribute = given(node, name, AttributeType::ints);
  if (attribute == nullptr) return std::nullopt;
  return Dims(attribute->ints().begin(), attribute->ints().end());
}

std::optional<Dims> Call::list(std::string_view name, std::size_t input, std::int64_t since) const {
  if (opset < since) return list(name);
  return maybe(input) == nullptr ? std::nullopt : std::optional(integers(input));
}

Dims Call::integers(std::size_t i) const {
  const Array& array = in(i);
  if (domain_of(array.type) != Domain::integer) throw Unfolded{"input " + std::to_string(i) + " is not of integers"};
  return numbers<std::int64_t>(array);
}

std::int64_t Call::one_integer(std::size_t i) const {
  const Dims all = integers(i);
  if (all.size() != 1) throw Unfolded{"input " + std::to_string(i) + " does not have one element"};
  return all.front();
}

std::size_t Call::count(const Dims& dims) const {
  std::int64_t made = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) throw Unfolded{"a size is negative"};
    // Each alone, too: [0, 2^40] has no elements, and an index list of its axes has.
    if (dim > left.elements) throw Unfolded{too_large(left)};
    if (__builtin_mul_overflow(made, dim, &made) || made > left.elements) throw Unfolded{too_large(left)};
  }
  if (dims.size() > kMostDims) throw Unfolded{"more than " + std::to_string(kMostDims) + " dims"};
  return static_cast<std::size_t>(made);
}

Array Call::blank(DataType type, Dims dims) const {
  const std::size_t elements = count(dims);
  return {type, std::move(dims), std::vector<std::byte>(elements * width_of(type))};
}

void Call::spend(std::int64_t steps) const {
  if (steps > left.steps) throw Unfolded{"more work than the budget allows"};
  left.steps -= steps;
}

Array read_constant(const Model& model, TensorId id, const Left& left) {
  const Tensor& tensor = model.tensor(id);
  const std::string name = "constant " + (tensor.name.empty() ? std::string("of a node") : quoted(tensor.name));
  if (width_of(tensor.type) == 0) throw Unfolded{name + " is of type " + to_string(tensor.type)};
  const std::optional<std::int64_t> elements = tensor.element_count();
  if (!elements) throw Unfolded{name + " has a size that is negative or too large"};
  if (tensor.is_sparse) throw Unfolded{name + " is sparse"};
  const auto is_long = [&](std::int64_t dim) { return dim > left.elements; };
  if (*elements > left.elements || std::ranges::any_of(tensor.dims, is_long))
    throw Unfolded{name + " is " + too_large(left)};
  if (tensor.dims.size() > kMostDims) throw Unfolded{name + " has more than " + std::to_string(kMostDims) + " dims"};
  Dims dims(tensor.dims.begin(), tensor.dims.end());
  if (tensor.data == Tensor::Data::typed) return read_typed(model, tensor, std::move(dims), left.elements);
  if (*elements == 0 && tensor.data == Tensor::Data::none) return {tensor.type, std::move(dims), {}};
  std::vector<std::byte> raw;
  const bool is_read = each_part(
      model, tensor, [&](std::span<const std::byte> part) { raw.insert(raw.end(), part.begin(), part.end()); });
  std::optional<Array> made = is_read ? unpacked(tensor.type, std::move(dims), raw) : std::nullopt;
  if (made) return std::move(*made);
  throw Unfolded{name +
                 (tensor.data == Tensor::Data::external ? " is in a file that cannot be read" : " cannot be read")};
}

std::size_t axis_of(std::int64_t axis, std::size_t rank) {
  const auto end = static_cast<std::int64_t>(rank);
  if (axis < -end || axis >= end) {
    throw Unfolded{"axis " + std::to_string(axis) + " does not exist in a tensor of rank " + std::to_string(rank)};
  }
  return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

std::vector<std::size_t> axes_of(const Dims& axes, std::size_t rank) {
  std::vector<std::size_t> made;
  for (const std::int64_t axis : axes) made.push_back(axis_of(axis, rank));
  std::ranges::sort(made);
  if (std::ranges::adjacent_find(made) != made.end()) throw Unfolded{"an axis is named twice"};
  return made;
}

std::size_t product(std::span<const std::int64_t> dims) {
  std::size_t made = 1;
  for (const std::int64_t dim : dims) made *= static_cast<std::size_t>(dim);
  return made;
}

}  // namespace trtcheck::fold
