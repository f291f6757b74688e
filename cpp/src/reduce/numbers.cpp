#include "reduce/numbers.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "model/external_files.hpp"
#include "model/tensor_values.hpp"
#include "schema/kinds.hpp"
#include "text/fnv.hpp"
#include "text/hash.hpp"

namespace trtcheck::reducing {
namespace {

/// The widths of a format of floating point numbers.
struct FloatFormat {
  std::uint32_t exponent_bits;
  std::uint32_t mantissa_bits;
  std::uint32_t bias;
};

std::optional<FloatFormat> format_of(DataType type) {
  switch (type) {
    case DataType::float64:
      return FloatFormat{11, 52, 1023};
    case DataType::float32:
      return FloatFormat{8, 23, 127};
    case DataType::float16:
      return FloatFormat{5, 10, 15};
    case DataType::bfloat16:
      return FloatFormat{8, 7, 127};
    case DataType::float8e4m3fn:
      return FloatFormat{4, 3, 7};
    case DataType::float8e4m3fnuz:
      return FloatFormat{4, 3, 8};
    case DataType::float8e5m2:
      return FloatFormat{5, 2, 15};
    case DataType::float8e5m2fnuz:
      return FloatFormat{5, 2, 16};
    case DataType::float4e2m1:
      return FloatFormat{2, 1, 1};
    default:
      return std::nullopt;
  }
}

constexpr std::uint64_t kPowerOne = 127;  // FLOAT8E8M0: 2 to the 0

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return Hash(++state_).value(); }

 private:
  std::uint64_t state_;
};

/// Writes elements of any width, the first one lowest.
class Elements {
 public:
  Elements(const Tensor& tensor)
      : bits_(static_cast<std::uint32_t>(bits_of(tensor.type))), bytes_(bytes_of_elements(tensor).value_or(0), '\0') {}

  void set(std::uint64_t index, std::uint64_t pattern) {
    const std::uint64_t at = index * bits_;
    if (bits_ >= 8) {
      std::memcpy(bytes_.data() + at / 8, &pattern, bits_ / 8);
      return;
    }
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    char& byte = bytes_[at / 8];
    byte =
        static_cast<char>(static_cast<std::uint64_t>(static_cast<unsigned char>(byte)) | (pattern & mask) << (at % 8));
  }
  [[nodiscard]] std::string bytes() && { return std::move(bytes_); }

 private:
  std::uint32_t bits_;
  std::string bytes_;
};

std::uint64_t one_in(DataType type) {
  if (const auto format = format_of(type)) return static_cast<std::uint64_t>(format->bias) << format->mantissa_bits;
  return type == DataType::float8e8m0 ? kPowerOne : 1;
}

/// Between 0.5 and 1, and as often below 0.
std::uint64_t random_float(const FloatFormat& format, bool is_positive, std::uint64_t random) {
  const std::uint64_t mantissa = random & ((std::uint64_t{1} << format.mantissa_bits) - 1);
  // FLOAT4E2M1 has nothing between 0.5 and 1.
  const std::uint64_t exponent = format.exponent_bits > 2 ? format.bias - 1 : format.bias;
  const std::uint64_t sign = is_positive ? 0 : random >> 63U;
  return sign << (format.exponent_bits + format.mantissa_bits) | exponent << format.mantissa_bits | mantissa;
}

bool is_quantized(DataType type) { return bits_of(type) <= 8 && type != DataType::boolean; }

}  // namespace

bool is_small_float(DataType type) noexcept {
  return bits_of(type) <= 8 && (format_of(type).has_value() || type == DataType::float8e8m0);
}

std::uint64_t hash_of(std::string_view text) noexcept { return Fnv<std::uint64_t>().add(text).value(); }

Traits traits_of(const Model& model, ValueId value, const Tensor& tensor) {
  Traits traits;
  if (format_of(tensor.type)) {
    // A variance and a scale are positive, though nobody may be able to read them.
    traits.is_positive = std::ranges::any_of(model.value(value).users, [&](const Use& use) {
      return use.input == 1 && is_a(model.node(use.node).op_type, kinds::quantizer);
    });
    const auto numbers = decode_floats(model, tensor, kMostElements);
    traits.is_positive |= numbers && std::ranges::all_of(*numbers, [](double number) { return number > 0; });
    return traits;
  }
  if (is_quantized(tensor.type)) return traits;
  if (const auto numbers = decode_ints(model, tensor, kMostElements); numbers && !numbers->empty()) {
    const auto [least, most] = std::ranges::minmax(*numbers);
    traits.least = least;
    traits.most = most;
  }
  return traits;
}

std::string zeros(const Tensor& tensor, const Traits& traits) {
  Elements made(tensor);
  if (traits.is_positive || tensor.type == DataType::float8e8m0) {
    const auto count = static_cast<std::uint64_t>(tensor.element_count().value_or(0));
    for (std::uint64_t i = 0; i < count; ++i) made.set(i, one_in(tensor.type));
  }
  return std::move(made).bytes();
}

std::string random_numbers(const Tensor& tensor, const Traits& traits, std::uint64_t seed) {
  Elements made(tensor);
  Random random(seed);
  const auto format = format_of(tensor.type);
  const auto count = static_cast<std::uint64_t>(tensor.element_count().value_or(0));
  const std::uint64_t span = static_cast<std::uint64_t>(traits.most) - static_cast<std::uint64_t>(traits.least) + 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = random.next();
    if (format) {
      made.set(i, random_float(*format, traits.is_positive, bits));
    } else if (tensor.type == DataType::float8e8m0) {
      made.set(i, kPowerOne - (bits & 1U));
    } else if (is_quantized(tensor.type)) {
      made.set(i, bits);
    } else {
      made.set(i, static_cast<std::uint64_t>(traits.least) + (span == 0 ? bits : bits % span));
    }
  }
  return std::move(made).bytes();
}

}  // namespace trtcheck::reducing
