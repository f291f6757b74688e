// Between element types, with the rounding and saturation that ONNX defines.
#include <bit>
#include <cmath>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/rounding.hpp"

namespace trtcheck::fold {
namespace {

bool is_eight_bits(DataType type) {
  switch (type) {
    case DataType::float8e4m3fn:
    case DataType::float8e4m3fnuz:
    case DataType::float8e5m2:
    case DataType::float8e5m2fnuz:
      return true;
    default:
      return false;
  }
}

Round round_mode(const Call& call) {
  const std::string_view mode = call.text("round_mode", "up");
  if (mode == "up") return Round::up;
  if (mode == "down") return Round::down;
  if (mode == "nearest") return Round::nearest;
  throw Unfolded{"attribute `round_mode` is not one that ONNX defines"};
}

struct Cast {
  DataType to;
  Overflow overflow;
  Round round;
};

/// What ONNX Runtime does by way of FLOAT. Where rounding once gives another number, it is not ours to choose.
std::uint32_t encode_both_ways(const Cast& cast, double x) {
  if (cast.to == DataType::float4e2m1 && std::isnan(x)) throw Unfolded{"FLOAT4E2M1 has no NaN"};
  const std::uint32_t bits = encode(cast.to, x, cast.overflow);
  if (bits != encode(cast.to, static_cast<double>(static_cast<float>(x)), cast.overflow)) {
    throw Unfolded{"a number is rounded differently by way of FLOAT"};
  }
  return bits;
}

Array real_to_real(const Cast& cast, const Array& x) {
  const std::vector<double> values = numbers<double>(x);
  if (width_of(cast.to) >= 4) return array_of(cast.to, x.dims, values);
  std::vector<std::int64_t> bits;
  for (const double value : values) {
    const bool is_scale = cast.to == DataType::float8e8m0;
    bits.push_back(is_scale ? encode_e8m0(static_cast<float>(value), cast.round, cast.overflow)
                            : encode_both_ways(cast, value));
  }
  Array made = array_of(width_of(cast.to) == 2 ? DataType::uint16 : DataType::uint8, x.dims, bits);
  made.type = cast.to;
  return made;
}

Array real_to_integer(const Cast& cast, const Array& x) {
  const double end = std::ldexp(1.0, bits_of(cast.to) - (is_signed_integer(cast.to) ? 1 : 0));
  const double begin = is_signed_integer(cast.to) ? -end : 0;
  std::vector<std::uint64_t> made;
  for (const double value : numbers<double>(x)) {
    const double whole = std::trunc(value);
    // ONNX's reference cuts them off, ONNX Runtime rounds.
    if (bits_of(cast.to) < 8 && whole != value)
      throw Unfolded{"ONNX does not define how fractions become " + to_string(cast.to)};
    if (!(whole >= begin && whole < end)) throw Unfolded{"a number does not fit into " + to_string(cast.to)};
    made.push_back(whole < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole))
                             : static_cast<std::uint64_t>(whole));
  }
  if (domain_of(cast.to) == Domain::natural) return array_of(cast.to, x.dims, made);
  return array_of(cast.to, x.dims, std::vector<std::int64_t>(made.begin(), made.end()));
}

template <class T>
std::vector<std::int64_t> are_not_zero(const std::vector<T>& values) {
  std::vector<std::int64_t> made;
  for (const T value : values) made.push_back(value != 0 ? 1 : 0);
  return made;
}

template <class From>
Array integer_to(const Cast& cast, const Array& x) {
  const std::vector<From> values = numbers<From>(x);
  if (domain_of(cast.to) == Domain::natural) {
    return array_of(cast.to, x.dims, std::vector<std::uint64_t>(values.begin(), values.end()));
  }
  if (domain_of(cast.to) == Domain::integer) {
    return array_of(cast.to, x.dims, std::vector<std::int64_t>(values.begin(), values.end()));
  }
  // Rounded once to FLOAT: by way of DOUBLE 2^53 + 1 would be rounded twice.
  std::vector<double> reals;
  for (const From value : values) {
    reals.push_back(cast.to == DataType::float64 ? static_cast<double>(value)
                                                 : static_cast<double>(static_cast<float>(value)));
  }
  if (width_of(cast.to) >= 4) return array_of(cast.to, x.dims, reals);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (encode(cast.to, reals[i]) != encode(cast.to, static_cast<double>(values[i]))) {
      throw Unfolded{"a number is rounded differently by way of FLOAT"};
    }
  }
  return real_to_real(cast, {DataType::float64, x.dims, array_of(DataType::float64, x.dims, reals).bytes});
}

Array converted(const Cast& cast, const Array& x) {
  if (width_of(cast.to) == 0) throw Unfolded{"a cast to " + to_string(cast.to) + " is not evaluated"};
  if (cast.to == x.type) return x;
  if (cast.to == DataType::boolean) {
    return in_domain(x.type,
                     [&](auto zero) { return array_of(cast.to, x.dims, are_not_zero(numbers<decltype(zero)>(x))); });
  }
  if (is_real(x.type)) return is_real(cast.to) ? real_to_real(cast, x) : real_to_integer(cast, x);
  if (domain_of(x.type) == Domain::natural) return integer_to<std::uint64_t>(cast, x);
  return integer_to<std::int64_t>(cast, x);
}

Outputs convert(const Call& call, DataType to) {
  const bool saturates = call.integer("saturate", 1) != 0;
  const bool has_choice = is_eight_bits(to) || to == DataType::float8e8m0;
  const Cast cast{to, saturates && has_choice ? Overflow::saturate : Overflow::special,
                  to == DataType::float8e8m0 ? round_mode(call) : Round::nearest};
  return one(converted(cast, call.in(0)));
}

Outputs cast(const Call& call) {
  if (call.opset < 6) throw Unfolded{"Cast of opset 1 is not evaluated"};
  return convert(call, static_cast<DataType>(call.integer("to", 0)));
}

Outputs cast_like(const Call& call) { return convert(call, call.type_of(1)); }

constexpr Row kCastRows[] = {
    {"Cast", cast},
    {"CastLike", cast_like, 0b01},
};

}  // namespace

std::span<const Row> cast_rows() noexcept { return kCastRows; }

}  // namespace trtcheck::fold
