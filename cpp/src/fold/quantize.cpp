// QuantizeLinear and DequantizeLinear: one scale, one for each index of an axis, or one for each block of it.
#include <algorithm>
#include <cmath>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"
#include "fold/rounding.hpp"

namespace trtcheck::fold {
namespace {

/// For each element of the input the place of its scale.
Places scale_places(const Call& call, const Dims& dims, const Dims& scale) {
  if (product(scale) == 1 && scale.size() < 2) return Places(call.count(dims), 0);
  const std::size_t axis = axis_of(call.integer("axis", 1), dims.size());
  const std::int64_t block = call.integer("block_size", 0);
  Picks picks = all_of(call, dims);
  if (block > 0) {
    for (std::size_t& place : picks[axis]) place /= size(block);
    Dims expected = dims;
    expected[axis] = (dims[axis] + block - 1) / block;
    if (scale != expected) throw Unfolded{"the scales are not of the sizes of the blocks"};
    return picked(call, scale, picks);
  }
  if (scale != Dims{dims[axis]}) throw Unfolded{"there is not one scale for each index of the axis"};
  Dims seen(dims.size(), 1);
  seen[axis] = dims[axis];
  for (std::size_t i = 0; i < picks.size(); ++i) {
    if (i != axis) std::ranges::fill(picks[i], std::size_t{0});
  }
  return picked(call, seen, picks);
}

/// Zeros where there is none.
std::vector<double> zero_points(const Call& call, const Dims& scale) {
  const Array* zero = call.maybe(2);
  if (zero == nullptr) return std::vector<double>(call.count(scale), 0);
  if (zero->count() != product(scale)) throw Unfolded{"there are not as many zero points as scales"};
  return numbers<double>(*zero);
}

DataType quantized_type(const Call& call) {
  const auto stated = static_cast<DataType>(call.integer("output_dtype", 0));
  const Array* zero = call.maybe(2);
  if (zero == nullptr) return stated == DataType::undefined ? DataType::uint8 : stated;
  if (stated != DataType::undefined && stated != zero->type)
    throw Unfolded{"attribute `output_dtype` is not the type of the zero point"};
  return zero->type;
}

double in_float(double x) { return static_cast<double>(static_cast<float>(x)); }

/// x / scale, as a whole number. FLOAT16 may be divided in FLOAT or in FLOAT16, which ONNX leaves open.
double steps(double x, double scale, DataType type) {
  const double quotient = in_float(x / scale);
  const double whole = std::nearbyint(quotient);
  const bool is_half = type == DataType::float16 || type == DataType::bfloat16;
  if (is_half && std::nearbyint(decode(type, encode(type, quotient))) != whole) {
    throw Unfolded{"a quotient is rounded differently in " + to_string(type)};
  }
  if (!std::isfinite(whole)) throw Unfolded{"a number cannot be quantized"};
  return whole;
}

Outputs quantize(const Call& call) {
  const Array& x = call.in(0);
  const Array& scale = call.in(1);
  if (call.integer("precision", 0) != 0) throw Unfolded{"attribute `precision` is not evaluated"};
  const DataType type = quantized_type(call);
  const Places places = scale_places(call, x.dims, scale.dims);
  const std::vector<double> scales = numbers<double>(scale);
  const std::vector<double> zeros = zero_points(call, scale.dims);
  const std::vector<double> values = numbers<double>(x);
  if (is_real(type)) {
    const Overflow overflow = call.integer("saturate", 1) != 0 ? Overflow::saturate : Overflow::special;
    Dims bits;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (zeros[places[i]] != 0) throw Unfolded{"a zero point of " + to_string(type) + " is not 0"};
      bits.push_back(encode(type, in_float(values[i] / scales[places[i]]), overflow));
    }
    Array made = array_of(DataType::uint8, x.dims, bits);
    made.type = type;
    return one(std::move(made));
  }
  const auto low = static_cast<double>(lowest_integer(type));
  const auto high = static_cast<double>(highest_integer(type));
  Dims made;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double step = steps(in_float(values[i]), scales[places[i]], scale.type) + zeros[places[i]];
    made.push_back(static_cast<std::int64_t>(std::clamp(step, low, high)));
  }
  return one(array_of(type, x.dims, made));
}

Outputs dequantize(const Call& call) {
  const Array& x = call.in(0);
  const Array& scale = call.in(1);
  const auto stated = static_cast<DataType>(call.integer("output_dtype", 0));
  const DataType type = stated == DataType::undefined ? scale.type : stated;
  if (!is_real(type) || width_of(type) < 2 || width_of(type) < width_of(scale.type)) {
    throw Unfolded{"attribute `output_dtype` asks for a narrower type than the scale"};
  }
  const Places places = scale_places(call, x.dims, scale.dims);
  const std::vector<double> scales = numbers<double>(scale);
  const std::vector<double> zeros = zero_points(call, scale.dims);
  std::vector<double> values = numbers<double>(x);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = in_float(values[i] - zeros[places[i]]) * scales[places[i]];
  }
  return one(array_of(type, x.dims, values));
}

constexpr Row kQuantizeRows[] = {
    {"DequantizeLinear", dequantize},
    {"QuantizeLinear", quantize},
};

}  // namespace

std::span<const Row> quantize_rows() noexcept { return kQuantizeRows; }

}  // namespace trtcheck::fold
