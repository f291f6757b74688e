// Two and more tensors, element by element, broadcast as numpy does.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"
#include "fold/zip.hpp"

namespace trtcheck::fold {
namespace {

/// What broadcasting of opset 6 gives PRelu: a slope for each channel.
Array slope_of(const Call& call) {
  Array slope = call.in(1);
  const std::size_t rank = call.in(0).dims.size();
  if (call.opset < 7 && slope.dims.size() == 1 && rank > 2) slope.dims.resize(rank - 1, 1);
  return slope;
}

Outputs add(const Call& call) {
  return one(combined(call, call.in(0), second(call), [](auto a, auto b) { return added(a, b); }));
}
Outputs subtract(const Call& call) {
  return one(combined(call, call.in(0), second(call), [](auto a, auto b) { return subtracted(a, b); }));
}
Outputs multiply(const Call& call) {
  return one(combined(call, call.in(0), second(call), [](auto a, auto b) { return multiplied(a, b); }));
}

Outputs divide(const Call& call) {
  const Array& a = call.in(0);
  const Array b = second(call);
  // Of narrow types it is -128 / -1 that leaves the type, which is no matter of 64 bits.
  if (is_signed_integer(a.type)) {
    const Dims dims = broadcast(a.dims, b.dims);
    const auto made = zipped<std::int64_t>(call, a, b, dims, divided<std::int64_t>);
    for (const std::int64_t quotient : made) {
      if (quotient > highest_integer(a.type)) throw Unfolded{"a quotient leaves its type"};
    }
    return one(array_of(a.type, dims, made));
  }
  return one(combined(call, a, b, [](auto x, auto y) { return divided(x, y); }));
}

template <class T>
T remainder_of_divisor(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(T{0}, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
  } else {
    if (b == 0) throw Unfolded{"division by zero"};
    if (static_cast<T>(-1) < 0 && b == static_cast<T>(-1)) return 0;
    const T rest = static_cast<T>(a % b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
}
template <class T>
T remainder_of_dividend(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) throw Unfolded{"division by zero"};
    if (static_cast<T>(-1) < 0 && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
}
Outputs modulo(const Call& call) {
  const bool is_fmod = call.integer("fmod", 0) != 0;
  if (!is_fmod && is_real(call.in(0).type) && call.opset < 28) {
    throw Unfolded{"this opset defines Mod of real numbers with fmod=1 only"};
  }
  const OfTwo f = is_fmod ? OfTwo([](auto a, auto b) { return remainder_of_dividend(a, b); })
                          : OfTwo([](auto a, auto b) { return remainder_of_divisor(a, b); });
  return one(combined(call, call.in(0), second(call), f));
}

/// Of integers: exact, or nothing.
std::int64_t power(std::int64_t base, std::int64_t exponent, DataType type) {
  if (exponent < 0) throw Unfolded{"a negative power of an integer"};
  std::int64_t made = 1;
  for (; exponent > 0; --exponent) {
    if (made == 0 || base == 1) return base == 0 ? 0 : made;
    if (base == -1) return exponent % 2 == 0 ? made : -made;
    if (__builtin_mul_overflow(made, base, &made)) throw Unfolded{"a power leaves its type"};
  }
  if (made > highest_integer(type) || made < lowest_integer(type)) throw Unfolded{"a power leaves its type"};
  return made;
}

/// Real powers of integers: their fractions are cut off.
Array cut_off(DataType type, const Dims& dims, const std::vector<double>& values) {
  Dims made;
  for (const double value : values) {
    const bool fits = std::fabs(value) < 0x1p53 && value <= static_cast<double>(highest_integer(type));
    if (!fits || value < static_cast<double>(lowest_integer(type))) throw Unfolded{"a power leaves its type"};
    made.push_back(static_cast<std::int64_t>(value));
  }
  return array_of(type, dims, made);
}

Outputs raise(const Call& call) {
  const Array& a = call.in(0);
  const Array b = second(call);
  const Dims dims = broadcast(a.dims, b.dims);
  const bool is_natural = domain_of(a.type) == Domain::natural || domain_of(b.type) == Domain::natural;
  if (!is_real(a.type) && is_natural) throw Unfolded{"powers of UINT64 are not evaluated"};
  const Places from_a = broadcast_places(call, a.dims, dims);
  const Places from_b = broadcast_places(call, b.dims, dims);
  if (!is_real(a.type) && !is_real(b.type)) {
    const Dims bases = numbers<std::int64_t>(a);
    const Dims exponents = numbers<std::int64_t>(b);
    Dims made;
    for (std::size_t i = 0; i < from_a.size(); ++i) {
      made.push_back(power(bases[from_a[i]], exponents[from_b[i]], a.type));
    }
    return one(array_of(a.type, dims, made));
  }
  const std::vector<double> bases = numbers<double>(a);
  const std::vector<double> exponents = numbers<double>(b);
  std::vector<double> made;
  for (std::size_t i = 0; i < from_a.size(); ++i) made.push_back(std::pow(bases[from_a[i]], exponents[from_b[i]]));
  return one(is_real(a.type) ? array_of(a.type, dims, made) : cut_off(a.type, dims, made));
}

Outputs prelu(const Call& call) {
  const Array slope = slope_of(call);
  if (broadcast(call.in(0).dims, slope.dims) != call.in(0).dims) throw Unfolded{"a slope is larger than its input"};
  return one(combined(call, call.in(0), slope, [](auto x, auto s) { return x < 0 ? multiplied(x, s) : x; }));
}

Array in_type(DataType type, const Array& x) { return array_of(type, x.dims, numbers<double>(x)); }

/// Any number of tensors; sums are rounded after each, those of 16 bits in FLOAT.
Array of_all(const Call& call, OfTwo f) {
  const DataType type = call.in(0).type;
  const bool is_half = is_real(type) && width_of(type) == 2;
  const auto wide = [&](const Array& x) { return is_half ? in_type(DataType::float32, x) : x; };
  Array made = wide(call.in(0));
  for (std::size_t i = 1; i < call.inputs.size(); ++i) made = combined(call, made, wide(call.in(i)), f);
  return made;
}
Outputs sum(const Call& call) {
  const Array total = of_all(call, [](auto a, auto b) { return added(a, b); });
  return one(in_type(call.in(0).type, total));
}
Outputs mean(const Call& call) {
  const Array total = of_all(call, [](auto a, auto b) { return added(a, b); });
  std::vector<double> values = numbers<double>(total);
  // ONNX Runtime multiplies by the reciprocal.
  const double share = rounded(total.type, 1.0 / static_cast<double>(call.inputs.size()));
  for (double& value : values) value = rounded(total.type, value * share);
  return one(array_of(call.in(0).type, total.dims, values));
}
Array extreme(const Call& call, OfTwo f) {
  Array made = call.in(0);
  for (std::size_t i = 1; i < call.inputs.size(); ++i) made = combined(call, made, call.in(i), f);
  return made;
}
Outputs minimum(const Call& call) {
  return one(extreme(call, [](auto a, auto b) { return smaller(a, b); }));
}
Outputs maximum(const Call& call) {
  return one(extreme(call, [](auto a, auto b) { return larger(a, b); }));
}

constexpr Row kBinaryRows[] = {
    {"Add", add},      {"Div", divide},  {"Max", maximum}, {"Mean", mean},    {"Min", minimum}, {"Mod", modulo},
    {"Mul", multiply}, {"PRelu", prelu}, {"Pow", raise},   {"Sub", subtract}, {"Sum", sum},
};

}  // namespace

std::span<const Row> binary_rows() noexcept { return kBinaryRows; }

}  // namespace trtcheck::fold
