// Functions of one and two numbers for each domain. Integers wrap, which only unsigned ones may in C++.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "fold/array.hpp"

namespace trtcheck::fold {

template <class T>
using Function1 = T (*)(T);
template <class T>
using Function2 = T (*)(T, T);

/// A function of two numbers in all three domains; made of one generic lambda that returns the type of its first
/// argument.
struct OfTwo {
  template <class F>
  constexpr OfTwo(F f) : real(f), integer(f), natural(f) {}  // NOLINT: a lambda stands for it
  template <class T>
  [[nodiscard]] constexpr Function2<T> of() const {
    if constexpr (std::is_same_v<T, double>) {
      return real;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      return integer;
    } else {
      return natural;
    }
  }
  Function2<double> real;
  Function2<std::int64_t> integer;
  Function2<std::uint64_t> natural;
};

template <class T>
T added(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
template <class T>
T subtracted(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a - b;
  else
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
template <class T>
T multiplied(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a * b;
  else
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// Toward zero for integers.
template <class T>
T divided(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    if (b == 0) throw Unfolded{"division by zero"};
    if (std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1)) {
      throw Unfolded{"a quotient leaves its type"};
    }
    return static_cast<T>(a / b);
  }
}

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(x);
  else
    return x != x;
}

/// NaN wins, as in numpy.
template <class T>
T smaller(T a, T b) {
  return is_nan(a) || (!is_nan(b) && a < b) || (!is_nan(b) && a == b) ? a : b;
}
template <class T>
T larger(T a, T b) {
  return is_nan(a) || (!is_nan(b) && a > b) || (!is_nan(b) && a == b) ? a : b;
}

/// The largest or smallest number of an element type.
[[nodiscard]] inline std::int64_t highest_integer(DataType type) {
  if (type == DataType::boolean) return 1;
  const int bits = bits_of(type) - (is_signed_integer(type) ? 1 : 0);
  return bits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) - 1;
}
[[nodiscard]] inline std::int64_t lowest_integer(DataType type) {
  return is_signed_integer(type) ? -highest_integer(type) - 1 : 0;
}

}  // namespace trtcheck::fold
