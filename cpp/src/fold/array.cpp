#include "fold/array.hpp"

#include <cstring>
#include <utility>

#include "fold/rounding.hpp"

namespace trtcheck::fold {
namespace {

/// Calls f with a number of the C++ type that holds the bits of an element.
template <class F>
void in_storage(DataType type, F&& f) {
  switch (type) {
    case DataType::float32:
      return f(float{});
    case DataType::float64:
      return f(double{});
    case DataType::int64:
      return f(std::int64_t{});
    case DataType::uint64:
      return f(std::uint64_t{});
    case DataType::int32:
      return f(std::int32_t{});
    case DataType::uint32:
      return f(std::uint32_t{});
    case DataType::int16:
      return f(std::int16_t{});
    case DataType::uint16:
    case DataType::float16:
    case DataType::bfloat16:
      return f(std::uint16_t{});
    case DataType::int8:
    case DataType::int4:
    case DataType::int2:
      return f(std::int8_t{});
    default:
      return f(std::uint8_t{});
  }
}

bool is_small(DataType type) { return is_real(type) && type != DataType::float32 && type != DataType::float64; }

/// The low bits of a number of fewer than 8, sign-extended where the type is signed.
std::byte narrow(std::uint64_t bits, DataType type) {
  const auto width = static_cast<unsigned>(bits_of(type));
  const std::uint64_t low = bits & ((std::uint64_t{1} << width) - 1);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::byte>(is_signed_integer(type) ? (low ^ sign) - sign : low);
}

}  // namespace

std::size_t width_of(DataType type) noexcept {
  const int bits = bits_of(type);
  if (type == DataType::complex64 || type == DataType::complex128 || bits > 64) return 0;
  return bits == 0 ? 0 : static_cast<std::size_t>((bits + 7) / 8);
}

std::size_t Array::count() const noexcept {
  const std::size_t width = width_of(type);
  return width == 0 ? 0 : bytes.size() / width;
}

Domain domain_of(DataType type) noexcept {
  switch (type) {
    case DataType::uint64:
      return Domain::natural;
    case DataType::boolean:
    case DataType::uint8:
    case DataType::uint16:
    case DataType::uint32:
    case DataType::uint4:
    case DataType::uint2:
      return Domain::integer;
    default:
      return is_signed_integer(type) ? Domain::integer : Domain::real;
  }
}

bool is_signed_integer(DataType type) noexcept {
  switch (type) {
    case DataType::int8:
    case DataType::int16:
    case DataType::int32:
    case DataType::int64:
    case DataType::int4:
    case DataType::int2:
      return true;
    default:
      return false;
  }
}

template <class T>
std::vector<T> numbers(const Array& array) {
  std::vector<T> made(array.count());
  in_storage(array.type, [&](auto stored) {
    const bool is_coded = is_small(array.type);
    for (std::size_t i = 0; i < made.size(); ++i) {
      std::memcpy(&stored, array.bytes.data() + i * sizeof stored, sizeof stored);
      if constexpr (std::is_same_v<T, double>) {
        made[i] = is_coded ? decode(array.type, static_cast<std::uint32_t>(stored)) : static_cast<double>(stored);
      } else if constexpr (!std::is_floating_point_v<decltype(stored)>) {
        made[i] = static_cast<T>(stored);
      }
    }
  });
  return made;
}

template <class T>
Array array_of(DataType type, Dims dims, std::span<const T> elements) {
  Array made{type, std::move(dims), std::vector<std::byte>(elements.size() * width_of(type))};
  const bool is_packed = bits_of(type) < 8 && !is_real(type);
  in_storage(type, [&](auto stored) {
    using Stored = decltype(stored);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if constexpr (std::is_same_v<T, double> && !std::is_floating_point_v<Stored>) {
        stored = static_cast<Stored>(encode(type, elements[i]));
      } else if (type == DataType::boolean) {
        stored = static_cast<Stored>(elements[i] != 0);
      } else if constexpr (!std::is_same_v<T, double> && !std::is_floating_point_v<Stored>) {
        const auto bits = static_cast<std::uint64_t>(elements[i]);
        stored = is_packed ? static_cast<Stored>(narrow(bits, type)) : static_cast<Stored>(bits);
      } else {
        stored = static_cast<Stored>(elements[i]);
      }
      std::memcpy(made.bytes.data() + i * sizeof stored, &stored, sizeof stored);
    }
  });
  return made;
}

template <class T>
T rounded(DataType type, T x) {
  if constexpr (std::is_same_v<T, double>) {
    if (type == DataType::float32) return static_cast<double>(static_cast<float>(x));
    return is_small(type) ? decode(type, encode(type, x)) : x;
  } else {
    return x;
  }
}

template double rounded<double>(DataType, double);
template std::int64_t rounded<std::int64_t>(DataType, std::int64_t);
template std::uint64_t rounded<std::uint64_t>(DataType, std::uint64_t);
template std::vector<double> numbers<double>(const Array&);
template std::vector<std::int64_t> numbers<std::int64_t>(const Array&);
template std::vector<std::uint64_t> numbers<std::uint64_t>(const Array&);
template Array array_of<double>(DataType, Dims, std::span<const double>);
template Array array_of<std::int64_t>(DataType, Dims, std::span<const std::int64_t>);
template Array array_of<std::uint64_t>(DataType, Dims, std::span<const std::uint64_t>);

std::optional<Array> unpacked(DataType type, Dims dims, std::span<const std::byte> raw) {
  std::uint64_t count = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(dim), &count)) return std::nullopt;
  }
  const auto bits = static_cast<std::uint64_t>(bits_of(type));
  std::uint64_t needed = 0;
  if (width_of(type) == 0 || __builtin_mul_overflow(count, bits, &needed)) return std::nullopt;
  if (raw.size() != needed / 8 + (needed % 8 != 0 ? 1 : 0)) return std::nullopt;
  Array made{type, std::move(dims), std::vector<std::byte>(raw.begin(), raw.end())};
  if (type == DataType::boolean) {
    for (std::byte& element : made.bytes) element = std::byte{element != std::byte{0}};
  }
  if (bits >= 8) return made;
  made.bytes.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < made.bytes.size(); ++i) {
    const std::size_t first = i * bits;
    std::uint64_t window = std::to_integer<std::uint64_t>(raw[first / 8]);
    if (first / 8 + 1 < raw.size()) window |= std::to_integer<std::uint64_t>(raw[first / 8 + 1]) << 8U;
    made.bytes[i] = narrow(window >> (first % 8), type);
  }
  return made;
}

Constant packed(const Array& array) {
  const auto bits = static_cast<std::size_t>(bits_of(array.type));
  if (bits >= 8) return {array.type, array.dims, array.bytes};
  Constant made{array.type, array.dims, std::vector<std::byte>((array.bytes.size() * bits + 7) / 8)};
  const unsigned mask = (1U << bits) - 1;
  for (std::size_t i = 0; i < array.bytes.size(); ++i) {
    const unsigned window = (std::to_integer<unsigned>(array.bytes[i]) & mask) << (i * bits % 8);
    made.bytes[i * bits / 8] |= static_cast<std::byte>(window & 0xffU);
    if (window > 0xffU) made.bytes[i * bits / 8 + 1] |= static_cast<std::byte>(window >> 8U);
  }
  return made;
}

}  // namespace trtcheck::fold
