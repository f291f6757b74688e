// Comparisons, logic and bits, and the choice between two tensors.
#include <algorithm>
#include <functional>
#include <type_traits>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"
#include "fold/zip.hpp"

namespace trtcheck::fold {
namespace {

Outputs compared(const Call& call, OfTwo f) {
  const Array& a = call.in(0);
  const Array b = second(call);
  const Dims dims = broadcast(a.dims, b.dims);
  return in_domain(a.type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::int64_t> answers;
    for (const T answer : zipped<T>(call, a, b, dims, f.of<T>())) answers.push_back(answer != 0 ? 1 : 0);
    return one(array_of(DataType::boolean, dims, answers));
  });
}

Outputs less(const Call& call) {
  return compared(call, [](auto a, auto b) -> decltype(a) { return a < b; });
}
Outputs less_or_equal(const Call& call) {
  return compared(call, [](auto a, auto b) -> decltype(a) { return a <= b; });
}
Outputs greater(const Call& call) {
  return compared(call, [](auto a, auto b) -> decltype(a) { return a > b; });
}
Outputs greater_or_equal(const Call& call) {
  return compared(call, [](auto a, auto b) -> decltype(a) { return a >= b; });
}
Outputs equal(const Call& call) {
  return compared(call, [](auto a, auto b) -> decltype(a) { return a == b; });
}

template <class F>
Outputs of_bits(const Call& call) {
  const OfTwo f([](auto a, auto b) -> decltype(a) {
    if constexpr (std::is_floating_point_v<decltype(a)>) {
      return a;
    } else {
      return static_cast<decltype(a)>(F{}(a, b));
    }
  });
  return one(combined(call, call.in(0), second(call), f));
}
Outputs bits_and(const Call& call) { return of_bits<std::bit_and<>>(call); }
Outputs bits_or(const Call& call) { return of_bits<std::bit_or<>>(call); }
Outputs bits_xor(const Call& call) { return of_bits<std::bit_xor<>>(call); }

/// By all bits or more, and by a negative number: what shifting one by one would give, from opset 28 on.
template <class T>
T shifted(T x, T steps, std::uint64_t width, bool is_left) {
  const bool is_beyond = steps < 0 || static_cast<std::uint64_t>(steps) >= width;
  if (is_left)
    return is_beyond ? 0 : static_cast<T>(static_cast<std::uint64_t>(x) << static_cast<std::uint64_t>(steps));
  if (is_beyond) return x < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(x >> steps);
}

template <class T>
Outputs shift_in(const Call& call, bool is_left) {
  const Array& a = call.in(0);
  const Array b = second(call);
  const Dims dims = broadcast(a.dims, b.dims);
  const auto width = static_cast<std::uint64_t>(bits_of(a.type));
  std::vector<T> made = zipped<T>(call, a, b, dims, [](T x, T) { return x; });
  const std::vector<T> by = zipped<T>(call, a, b, dims, [](T, T y) { return y; });
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (call.opset < 28 && static_cast<std::uint64_t>(by[i]) >= width) throw Unfolded{"a shift by all bits or more"};
    made[i] = shifted(made[i], by[i], width, is_left);
  }
  return one(array_of(a.type, dims, made));
}

Outputs shift(const Call& call) {
  const std::string_view direction = call.text("direction", "");
  const bool is_left = direction == "LEFT";
  if (!is_left && direction != "RIGHT") throw Unfolded{"attribute `direction` is not one that ONNX defines"};
  if (domain_of(call.in(0).type) == Domain::natural) return shift_in<std::uint64_t>(call, is_left);
  return shift_in<std::int64_t>(call, is_left);
}

Outputs where(const Call& call) {
  const Array& x = call.in(1);
  const Array& y = call.in(2);
  const Dims dims = broadcast(call.in(0).dims, broadcast(x.dims, y.dims));
  Array made = take(call, x, broadcast_places(call, x.dims, dims), dims);
  const Array others = take(call, y, broadcast_places(call, y.dims, dims), dims);
  const Places asked = broadcast_places(call, call.in(0).dims, dims);
  const std::size_t width = width_of(x.type);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (call.in(0).bytes[asked[i]] != std::byte{0}) continue;
    std::copy_n(others.bytes.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                made.bytes.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  return one(std::move(made));
}

constexpr Row kLogicRows[] = {
    {"And", bits_and},        {"BitShift", shift},
    {"BitwiseAnd", bits_and}, {"BitwiseOr", bits_or},
    {"BitwiseXor", bits_xor}, {"Equal", equal},
    {"Greater", greater},     {"GreaterOrEqual", greater_or_equal},
    {"Less", less},           {"LessOrEqual", less_or_equal},
    {"Or", bits_or},          {"Where", where},
    {"Xor", bits_xor},
};

}  // namespace

std::span<const Row> logic_rows() noexcept { return kLogicRows; }

}  // namespace trtcheck::fold
