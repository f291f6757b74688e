// Contents of float tensors, which need not be whole. Private to this floor.
//
// A `Dim` is an integer. For 0.5, or H/3, an unknown dim stands in the contents of the tensor, and this table knows
// what it stands for: so whatever moves contents moves fractions, and whoever asks for a size finds an unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::shapes {

/// numerator / denominator: exactly what is in the tensor, or rounded once to what its type holds.
struct Number {
  Dim numerator{};
  std::int64_t denominator = 1;  ///< at least 1
  bool is_rounded = false;       ///< whole numbers never are
  [[nodiscard]] bool is_whole() const noexcept { return denominator == 1; }
};

/// Which dims of float contents stand for fractions, or for a number that nobody can say.
class NumberTable {
 public:
  /// What the dim of a float tensor's contents stands for; nothing when that is not known.
  [[nodiscard]] std::optional<Number> operator[](Dim dim) const;
  /// The dim for a number. Past some hundred thousand fractions nothing more is followed.
  [[nodiscard]] Dim dim_of(DimTable& dims, const Number& number, Origin origin);
  /// A number that cannot be followed; not even whether it is whole.
  [[nodiscard]] Dim open(DimTable& dims, Origin origin);

 private:
  struct Key {
    std::int64_t numerator;
    std::int64_t denominator;
    bool is_rounded;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  std::unordered_map<std::int64_t, Number> by_dim_;  ///< by key_of(dim); a denominator of 0 is an open number
  std::unordered_map<Key, Dim, Hash> by_number_;
};

/// Digits of two that the type has; 0 for types that are no floats.
[[nodiscard]] int precision_of(DataType type) noexcept;

/// A double as a number, exactly; nothing for NaN, infinities, and what is too large or too fine.
[[nodiscard]] std::optional<Number> number_of(DimTable& dims, double value);
/// The other way round; nothing for expressions, and for what was rounded.
[[nodiscard]] std::optional<double> double_of(const Number& number) noexcept;
/// Rounded to the nearest number of the type; nothing where that takes more than a cast of C++.
[[nodiscard]] std::optional<double> rounded_to(double value, DataType type) noexcept;

}  // namespace trtcheck::shapes
