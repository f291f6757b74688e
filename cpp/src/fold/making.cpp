// Tensors out of sizes, attributes and dims.
#include <algorithm>
#include <cmath>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

Array scalar_of_attribute(const Attribute& attribute) {
  if (attribute.type == AttributeType::float_)
    return array_of(DataType::float32, {}, std::vector<double>{attribute.f()});
  return array_of(DataType::int64, {}, Dims{attribute.i()});
}

constexpr const char* kTooLongRange = "a range has no end, or is too long";

Outputs constant(const Call& call) {
  if (call.node.attributes().size() != 1) throw Unfolded{"it does not have one attribute"};
  const Attribute& attribute = call.node.attributes().front();
  const auto is = [&](std::string_view name, AttributeType type) {
    return attribute.name == name && attribute.type == type;
  };
  if (is("value", AttributeType::tensor)) return one(read_constant(call.model, attribute.t(), call.left));
  if (is("value_float", AttributeType::float_) || is("value_int", AttributeType::int_)) {
    return one(scalar_of_attribute(attribute));
  }
  if (is("value_floats", AttributeType::floats)) {
    const std::vector<double> values(attribute.floats().begin(), attribute.floats().end());
    return one(array_of(DataType::float32, {static_cast<std::int64_t>(values.size())}, values));
  }
  if (is("value_ints", AttributeType::ints)) {
    const Dims values(attribute.ints().begin(), attribute.ints().end());
    return one(array_of(DataType::int64, {static_cast<std::int64_t>(values.size())}, values));
  }
  throw Unfolded{"a constant in attribute " + quoted(attribute.name) + " is not read"};
}

Outputs constant_of_shape(const Call& call) {
  const Attribute* attribute = call.node.attribute("value");
  Array value = array_of(DataType::float32, {1}, std::vector<double>{0});
  if (attribute != nullptr) value = read_constant(call.model, attribute->t(), call.left);
  if (value.count() != 1) throw Unfolded{"attribute `value` does not have one element"};
  const Dims dims = call.integers(0);
  return one(take(call, value, Places(call.count(dims), 0), dims));
}

Outputs shape(const Call& call) {
  const Dims dims = call.dims_of(0);
  const auto rank = static_cast<std::int64_t>(dims.size());
  const auto bound = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const std::int64_t start = bound(call.integer("start", 0));
  const std::int64_t end = std::max(start, bound(call.integer("end", rank)));
  return one(array_of(DataType::int64, {end - start}, Dims(dims.begin() + start, dims.begin() + end)));
}

Outputs element_count(const Call& call) {
  std::int64_t made = 1;
  for (const std::int64_t dim : call.dims_of(0)) {
    if (__builtin_mul_overflow(made, dim, &made)) throw Unfolded{"a number of elements leaves INT64"};
  }
  return one(array_of(DataType::int64, {}, Dims{made}));
}

template <class T>
T single(const Call& call, std::size_t i) {
  const std::vector<T> values = numbers<T>(call.in(i));
  if (values.size() != 1) throw Unfolded{"input " + std::to_string(i) + " does not have one element"};
  return values.front();
}

/// ONNX multiplies, ONNX Runtime adds up; where that is not the same it is not ours to choose.
Outputs real_range(const Call& call, DataType type) {
  const double start = single<double>(call, 0);
  const double delta = single<double>(call, 2);
  const double steps = std::ceil((single<double>(call, 1) - start) / delta);
  if (!(std::fabs(steps) <= static_cast<double>(call.left.elements))) throw Unfolded{kTooLongRange};
  std::vector<double> made(static_cast<std::size_t>(std::max(steps, 0.0)));
  double sum = start;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = rounded(type, start + rounded(type, static_cast<double>(i) * delta));
    if (made[i] != sum) throw Unfolded{"a range of " + to_string(type) + " that can be rounded in two ways"};
    sum = rounded(type, sum + delta);
  }
  return one(array_of(type, {static_cast<std::int64_t>(made.size())}, made));
}

Outputs integer_range(const Call& call, DataType type) {
  const std::int64_t start = single<std::int64_t>(call, 0);
  const std::int64_t limit = single<std::int64_t>(call, 1);
  const std::int64_t delta = single<std::int64_t>(call, 2);
  if (delta == 0) throw Unfolded{kTooLongRange};
  std::vector<std::int64_t> made;
  for (std::int64_t at = start; delta > 0 ? at < limit : at > limit;) {
    made.push_back(at);
    if (static_cast<std::int64_t>(made.size()) > call.left.elements) throw Unfolded{kTooLongRange};
    if (__builtin_add_overflow(at, delta, &at)) break;
  }
  return one(array_of(type, {static_cast<std::int64_t>(made.size())}, made));
}

Outputs range(const Call& call) {
  const DataType type = call.in(0).type;
  return is_real(type) ? real_range(call, type) : integer_range(call, type);
}

Outputs eye_like(const Call& call) {
  const Dims dims = call.dims_of(0);
  if (dims.size() != 2) throw Unfolded{"the input is not of rank 2"};
  const std::int64_t given = call.integer("dtype", 0);
  const DataType type = given == 0 ? call.type_of(0) : static_cast<DataType>(given);
  const std::int64_t k = call.integer("k", 0);
  return in_domain(type, [&](auto zero) {
    std::vector<decltype(zero)> made(call.count(dims));
    for (std::int64_t row = 0; row < dims[0]; ++row) {
      std::int64_t column = 0;
      if (__builtin_add_overflow(row, k, &column) || column < 0 || column >= dims[1]) continue;
      made[size(row * dims[1] + column)] = 1;
    }
    return one(array_of(type, dims, made));
  });
}

/// Real indices are cut off.
Dims whole_numbers(const Array& x) {
  if (domain_of(x.type) == Domain::natural) throw Unfolded{"indices of UINT64 are not evaluated"};
  if (!is_real(x.type)) return numbers<std::int64_t>(x);
  Dims made;
  for (const double value : numbers<double>(x)) {
    if (!(std::fabs(value) < 0x1p53)) throw Unfolded{"an index is no number"};
    made.push_back(static_cast<std::int64_t>(value));
  }
  return made;
}

Outputs one_hot(const Call& call) {
  const Array& values = call.in(2);
  if (values.count() != 2 || call.in(1).count() != 1)
    throw Unfolded{"there is not one depth, or there are not two values"};
  const std::int64_t depth = whole_numbers(call.in(1)).front();
  Dims dims = call.in(0).dims;
  const std::size_t axis = axis_of(call.integer("axis", -1), dims.size() + 1);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth);
  Places places(call.count(dims), 0);
  const Dims hot = whole_numbers(call.in(0));
  const std::size_t inner = product(std::span(dims).subspan(axis + 1));
  for (std::size_t i = 0; i < hot.size(); ++i) {
    const std::int64_t at = hot[i] < 0 ? hot[i] + depth : hot[i];
    if (at >= 0 && at < depth) places[(i / inner * size(depth) + size(at)) * inner + i % inner] = 1;
  }
  return one(take(call, values, places, dims));
}

constexpr Row kMakingRows[] = {
    {"Constant", constant},     {"ConstantOfShape", constant_of_shape},
    {"EyeLike", eye_like, 0},   {"OneHot", one_hot},
    {"Range", range},           {"Shape", shape, 0},
    {"Size", element_count, 0},
};

}  // namespace

std::span<const Row> making_rows() noexcept { return kMakingRows; }

}  // namespace trtcheck::fold
