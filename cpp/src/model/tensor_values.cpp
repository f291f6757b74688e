#include "model/tensor_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/external_files.hpp"
#include "model/fields.hpp"
#include "model/partial.hpp"
#include "model/small_floats.hpp"
#include "model/wire.hpp"

namespace trtcheck {
namespace {

/// Which typed field carries a type, and how many elements one of its numbers holds (below one: complex).
struct TypedField {
  std::uint32_t field = 0;  ///< 0: none
  std::uint32_t elements = 1;
  std::uint32_t numbers = 1;
};

TypedField typed_field(DataType type) {
  namespace f = field::tensor;
  switch (type) {
    case DataType::float32:
      return {f::float_data};
    case DataType::complex64:
      return {f::float_data, 1, 2};
    case DataType::float64:
      return {f::double_data};
    case DataType::complex128:
      return {f::double_data, 1, 2};
    case DataType::int64:
      return {f::int64_data};
    case DataType::uint32:
    case DataType::uint64:
      return {f::uint64_data};
    case DataType::string:
      return {f::string_data};
    case DataType::uint4:
    case DataType::int4:
    case DataType::float4e2m1:
      return {f::int32_data, 2};
    case DataType::uint2:
    case DataType::int2:
      return {f::int32_data, 4};
    default:
      return bits_of(type) == 0 ? TypedField{} : TypedField{f::int32_data};
  }
}

std::string_view text_of(const Model& model, ByteRange range) {
  const auto bytes =
      model.bytes().subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.length));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_text_missing(const Model& model, std::string_view text) {
  const auto* first = reinterpret_cast<const char*>(model.bytes().data());
  return is_missing(model, ByteRange{static_cast<std::uint64_t>(text.data() - first), text.size()});
}

/// The content of a packed list; what was not fetched is no list of numbers.
std::string_view fetched(const Model& model, std::string_view packed) {
  if (is_text_missing(model, packed)) throw wire::Malformed{packed.data(), "was not fetched"};
  return packed;
}

/// Calls on_number(bits) for each number of one repeated field; the bits of floats, the low bits of integers.
template <class OnNumber>
void each_number(const Model& model, const Tensor& tensor, std::uint32_t wanted, OnNumber&& on_number) {
  namespace f = field::tensor;
  const bool is_float = wanted == f::float_data;
  const bool is_double = wanted == f::double_data;
  for (const ByteRange range : tensor.messages) {
    wire::Cursor c(text_of(model, range));
    while (c.next()) {
      if (c.key() == wire::bytes(wanted)) {
        wire::Cursor packed(fetched(model, c.bytes()));
        while (!packed.done()) {
          if (is_float) {
            on_number(packed.fixed<std::uint32_t>());
          } else {
            on_number(is_double ? packed.fixed<std::uint64_t>() : packed.number());
          }
        }
      } else if (is_float && c.key() == wire::fixed32(wanted)) {
        on_number(c.fixed<std::uint32_t>());
      } else if (is_double && c.key() == wire::fixed64(wanted)) {
        on_number(c.fixed<std::uint64_t>());
      } else if (!is_float && !is_double && c.key() == wire::varint(wanted)) {
        on_number(c.number());
      } else {
        c.skip();
      }
    }
  }
}

/// The same count as each_number makes, but packed floats are not touched.
std::uint64_t count_numbers(const Model& model, const Tensor& tensor, std::uint32_t wanted) {
  namespace f = field::tensor;
  std::uint64_t count = 0;
  if (wanted != f::float_data && wanted != f::double_data) {
    each_number(model, tensor, wanted, [&](std::uint64_t) { ++count; });
    return count;
  }
  const std::size_t width = wanted == f::float_data ? sizeof(float) : sizeof(double);
  const std::uint32_t single = wanted == f::float_data ? wire::fixed32(wanted) : wire::fixed64(wanted);
  for (const ByteRange range : tensor.messages) {
    wire::Cursor c(text_of(model, range));
    while (c.next()) {
      if (c.key() == single) ++count;
      if (c.key() == wire::bytes(wanted)) {
        count += c.bytes().size() / width;
      } else {
        c.skip();
      }
    }
  }
  return count;
}

using Bits = std::vector<std::uint64_t>;

/// The elements that one byte (or one number of int32_data) of a 4-bit or 2-bit type holds, lowest bits first.
void split(std::uint64_t packed, std::uint32_t width, std::uint32_t elements, std::size_t count, Bits& into) {
  for (std::uint32_t i = 0; i < elements && into.size() < count; ++i) {
    into.push_back(packed >> (i * width) & ((std::uint64_t{1} << width) - 1));
  }
}

std::optional<Bits> raw_bits(std::string_view raw, DataType type, std::size_t count) {
  const auto width = static_cast<std::uint32_t>(bits_of(type));
  if (width == 0 || width > 64 || count / 8 > raw.size()) return std::nullopt;  // so count * width is in range
  if (raw.size() != (count * width + 7) / 8) return std::nullopt;
  Bits bits;
  bits.reserve(count);
  if (width >= 8) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t element = 0;
      std::memcpy(&element, raw.data() + i * (width / 8), width / 8);
      bits.push_back(element);
    }
    return bits;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * width;
    std::uint64_t window = static_cast<unsigned char>(raw[first / 8]);
    if (first / 8 + 1 < raw.size()) window |= std::uint64_t{static_cast<unsigned char>(raw[first / 8 + 1])} << 8U;
    bits.push_back(window >> (first % 8) & ((std::uint64_t{1} << width) - 1));
  }
  return bits;
}

std::optional<Bits> typed_bits(const Model& model, const Tensor& tensor, std::size_t count) {
  const TypedField field = typed_field(tensor.type);
  const auto width = static_cast<std::uint32_t>(bits_of(tensor.type));
  if (field.field == 0 || field.numbers != 1 || tensor.type == DataType::string) return std::nullopt;
  Bits bits;
  std::size_t numbers = 0;
  each_number(model, tensor, field.field, [&](std::uint64_t number) {
    ++numbers;
    if (bits.size() >= count) return;
    if (field.elements > 1) {
      split(number, width, field.elements, count, bits);
    } else {
      bits.push_back(number);
    }
  });
  if (numbers != (count + field.elements - 1) / field.elements) return std::nullopt;
  return bits;
}

/// One number per element, its low bits as the type has them. Nothing: see decode_ints.
std::optional<Bits> decode_bits(const Model& model, const Tensor& tensor, std::int64_t limit) {
  const std::optional<std::int64_t> count = tensor.element_count();
  if (!count || *count > std::min(limit, kMostElements) || tensor.is_sparse) return std::nullopt;
  const bool is_elsewhere = tensor.data == Tensor::Data::none || tensor.data == Tensor::Data::external;
  if (*count == 0 && is_elsewhere) return Bits{};
  try {
    if (tensor.data == Tensor::Data::raw) {
      if (is_missing(model, tensor.raw)) return std::nullopt;
      return raw_bits(text_of(model, tensor.raw), tensor.type, static_cast<std::size_t>(*count));
    }
    if (tensor.data == Tensor::Data::external) {
      const std::optional<std::string> raw = external_bytes(model, tensor);
      return raw ? raw_bits(*raw, tensor.type, static_cast<std::size_t>(*count)) : std::nullopt;
    }
    if (tensor.data == Tensor::Data::typed) return typed_bits(model, tensor, static_cast<std::size_t>(*count));
  } catch (const wire::Malformed&) {
    // A long packed list is not walked by the reader; its flaw shows here and means "not decodable".
  }
  return std::nullopt;
}

template <class T>
std::int64_t signed_low(std::uint64_t bits) {
  return static_cast<T>(bits);
}

std::int64_t sign_extend(std::uint64_t bits, std::uint32_t width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::uint64_t low = bits & (sign * 2 - 1);
  return static_cast<std::int64_t>((low ^ sign) - sign);
}

std::optional<std::int64_t> to_int(DataType type, std::uint64_t bits) {
  switch (type) {
    case DataType::boolean:
      return bits != 0 ? 1 : 0;
    case DataType::int8:
      return signed_low<std::int8_t>(bits);
    case DataType::int16:
      return signed_low<std::int16_t>(bits);
    case DataType::int32:
      return signed_low<std::int32_t>(bits);
    case DataType::int64:
      return signed_low<std::int64_t>(bits);
    case DataType::int4:
      return sign_extend(bits, 4);
    case DataType::int2:
      return sign_extend(bits, 2);
    case DataType::uint2:
      return bits & 0x3U;
    case DataType::uint4:
      return bits & 0xfU;
    case DataType::uint8:
      return bits & 0xffU;
    case DataType::uint16:
      return bits & 0xffffU;
    case DataType::uint32:
      return bits & 0xffffffffU;
    case DataType::uint64:
      if (bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
      return static_cast<std::int64_t>(bits);
    default:
      return std::nullopt;
  }
}

std::optional<double> to_double(DataType type, std::uint64_t bits) {
  switch (type) {
    case DataType::float32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case DataType::float64:
      return std::bit_cast<double>(bits);
    case DataType::bfloat16:
      return std::bit_cast<float>(static_cast<std::uint32_t>((bits & 0xffffU) << 16U));
    case DataType::uint64:
      return static_cast<double>(bits);
    case DataType::float8e8m0:
      return (bits & 0xffU) == 0xffU ? std::numeric_limits<double>::quiet_NaN()
                                     : std::ldexp(1.0, static_cast<int>(bits & 0xffU) - 127);
    default:
      break;
  }
  if (const SmallFloat* format = small_float(type)) return format->decode(bits);
  const std::optional<std::int64_t> integer = to_int(type, bits);
  if (!integer) return std::nullopt;
  return static_cast<double>(*integer);
}

template <class T, class Convert>
std::optional<std::vector<T>> decode(const Model& model, const Tensor& tensor, std::int64_t limit, Convert convert) {
  // The type is judged first: an empty tensor of strings has no integers either.
  if (!convert(tensor.type, 0)) return std::nullopt;
  const std::optional<Bits> bits = decode_bits(model, tensor, limit);
  if (!bits) return std::nullopt;
  std::vector<T> result;
  result.reserve(bits->size());
  for (const std::uint64_t element : *bits) {
    const std::optional<T> value = convert(tensor.type, element);
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

}  // namespace

std::optional<std::vector<std::int64_t>> decode_ints(const Model& model, const Tensor& tensor, std::int64_t limit) {
  return decode<std::int64_t>(model, tensor, limit, to_int);
}

std::optional<std::vector<double>> decode_floats(const Model& model, const Tensor& tensor, std::int64_t limit) {
  return decode<double>(model, tensor, limit, to_double);
}

std::optional<std::vector<std::string_view>> decode_strings(const Model& model, const Tensor& tensor,
                                                            std::int64_t limit) {
  const std::optional<std::int64_t> count = tensor.element_count();
  if (!count || *count > limit || tensor.is_sparse || tensor.type != DataType::string) return std::nullopt;
  std::vector<std::string_view> result;
  for (const ByteRange range : tensor.messages) {
    wire::Cursor c(text_of(model, range));
    while (c.next()) {
      if (c.key() == wire::bytes(field::tensor::string_data)) {
        result.push_back(c.bytes());
        if (is_text_missing(model, result.back())) return std::nullopt;
      } else {
        c.skip();
      }
    }
  }
  if (result.size() != static_cast<std::size_t>(*count)) return std::nullopt;
  return result;
}

std::optional<std::uint64_t> typed_element_count(const Model& model, const Tensor& tensor) {
  const TypedField field = typed_field(tensor.type);
  if (field.field == 0 || tensor.type == DataType::string) return std::nullopt;
  try {
    return count_numbers(model, tensor, field.field) * field.elements / field.numbers;
  } catch (const wire::Malformed&) {
    return std::nullopt;
  }
}

}  // namespace trtcheck
