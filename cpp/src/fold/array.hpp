// A tensor while it is computed with: whole bytes for each element, and its elements as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "fold/fold.hpp"

namespace trtcheck::fold {

/// Why there is no value. Thrown by operators, caught by Folder.
struct Unfolded {
  std::string reason;
  bool may_be_inferred = false;  ///< shape inference may know it all the same
};

using Dims = std::vector<std::int64_t>;

struct Array {
  DataType type = DataType::undefined;
  Dims dims;
  std::vector<std::byte> bytes;  ///< width_of(type) for each element; below 8 bits one each, signed ones sign-extended

  [[nodiscard]] std::size_t count() const noexcept;
};

/// Bytes of an element in an Array; 0 for types that are not computed with (strings, complex numbers).
[[nodiscard]] std::size_t width_of(DataType type) noexcept;

/// Every number of ONNX is exact in one of three: double holds all floating point types.
enum class Domain : std::uint8_t { real, integer, natural };
[[nodiscard]] Domain domain_of(DataType type) noexcept;
[[nodiscard]] inline bool is_real(DataType type) noexcept { return domain_of(type) == Domain::real; }
[[nodiscard]] bool is_signed_integer(DataType type) noexcept;

/// The elements of an array whose type is in the domain of T: double, std::int64_t or std::uint64_t (UINT64 alone).
template <class T>
[[nodiscard]] std::vector<T> numbers(const Array& array);

/// The array of these elements: real types round to nearest even, integers drop high bits, BOOL is "not zero".
/// @pre T is of the domain of `type`
template <class T>
[[nodiscard]] Array array_of(DataType type, Dims dims, std::span<const T> elements);
template <class T>
[[nodiscard]] Array array_of(DataType type, Dims dims, const std::vector<T>& elements) {
  return array_of<T>(type, std::move(dims), std::span<const T>(elements));
}

/// The nearest number of a real type, as `array_of` rounds; other types as they are.
template <class T>
[[nodiscard]] T rounded(DataType type, T x);

/// Calls f with a number of the domain's type: `in_domain(type, [&](auto zero) { using T = decltype(zero); ... })`.
template <class F>
decltype(auto) in_domain(DataType type, F&& f) {
  switch (domain_of(type)) {
    case Domain::real:
      return f(double{});
    case Domain::natural:
      return f(std::uint64_t{});
    default:
      return f(std::int64_t{});
  }
}

/// As the file has it, and back. Nothing: the bytes are more or fewer than the elements need.
[[nodiscard]] std::optional<Array> unpacked(DataType type, Dims dims, std::span<const std::byte> raw);
[[nodiscard]] Constant packed(const Array& array);

}  // namespace trtcheck::fold
