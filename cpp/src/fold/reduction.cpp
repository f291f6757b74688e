// Along axes, to one result each. Sums of real numbers are added in double and rounded once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

enum class Reduction : std::uint8_t { sum, mean, product, smallest, largest, l1, l2, log_sum, log_sum_exp, sum_square };

/// Which of them leave a tensor as it is when no axis is reduced.
bool keeps_single(Reduction kind) {
  using enum Reduction;
  return kind == sum || kind == mean || kind == product || kind == smallest || kind == largest || kind == log_sum_exp;
}

/// The axes that are reduced; nothing: none, the input is the output.
std::optional<std::vector<std::size_t>> reduced_axes(const Call& call, std::int64_t since) {
  const std::size_t rank = call.in(0).dims.size();
  const Dims stated = call.list("axes", 1, since).value_or(Dims{});
  if (!stated.empty()) return axes_of(stated, rank);
  if (call.opset >= since && call.integer("noop_with_empty_axes", 0) != 0) return std::nullopt;
  std::vector<std::size_t> all(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) all[axis] = axis;
  return all;
}

/// Dims of the result, with the reduced axes or without.
Dims kept_dims(const Call& call, const Dims& dims, const std::vector<std::size_t>& axes) {
  if (call.integer("keepdims", 1) != 0) return reduced_dims(dims, axes);
  Dims made;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!std::ranges::binary_search(axes, axis)) made.push_back(dims[axis]);
  }
  return made;
}

/// What a reduction over nothing gives.
template <class T>
T start_of(const Call& call, Reduction kind) {
  if (kind == Reduction::product) return 1;
  if (kind != Reduction::smallest && kind != Reduction::largest) return 0;
  const bool is_high = kind == Reduction::smallest;
  if constexpr (std::is_floating_point_v<T>) {
    return is_high ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
  } else if constexpr (std::is_unsigned_v<T>) {
    return is_high ? std::numeric_limits<T>::max() : 0;
  } else {
    return is_high ? highest_integer(call.in(0).type) : lowest_integer(call.in(0).type);
  }
}

constexpr const char* kLeavesType = "an integer leaves its type";

/// Whether integers wrap or stop here, ONNX does not say, and runtimes differ.
template <class T>
T sum_of(T a, T b) {
  if constexpr (!std::is_floating_point_v<T>) {
    if (T ignored{}; __builtin_add_overflow(a, b, &ignored)) throw Unfolded{kLeavesType};
  }
  return added(a, b);
}
template <class T>
T product_of(T a, T b) {
  if constexpr (!std::is_floating_point_v<T>) {
    if (T ignored{}; __builtin_mul_overflow(a, b, &ignored)) throw Unfolded{kLeavesType};
  }
  return multiplied(a, b);
}
template <class T>
T magnitude(T x) {
  return x < 0 ? product_of(static_cast<T>(-1), x) : x;
}

template <class T>
T joined(Reduction kind, T sum, T x) {
  switch (kind) {
    case Reduction::product:
      return product_of(sum, x);
    case Reduction::smallest:
      return smaller(sum, x);
    case Reduction::largest:
      return larger(sum, x);
    case Reduction::l1:
      return sum_of(sum, magnitude(x));
    case Reduction::l2:
    case Reduction::sum_square:
      return sum_of(sum, product_of(x, x));
    default:
      return sum_of(sum, x);
  }
}

template <class T>
std::vector<T> reduced(const Call& call, Reduction kind, const std::vector<T>& values, const Places& places,
                       std::size_t count) {
  std::vector<T> made(count, start_of<T>(call, kind));
  for (std::size_t i = 0; i < values.size(); ++i) made[places[i]] = joined(kind, made[places[i]], values[i]);
  return made;
}

/// log(sum(exp(x))), without an overflow on the way.
std::vector<double> log_sum_exp(const Call& call, const std::vector<double>& values, const Places& places,
                                std::size_t count) {
  std::vector<double> top = reduced(call, Reduction::largest, values, places, count);
  std::vector<double> sums(count, 0);
  for (double& x : top) x = std::isfinite(x) || std::isnan(x) ? x : 0;
  for (std::size_t i = 0; i < values.size(); ++i) sums[places[i]] += std::exp(values[i] - top[places[i]]);
  for (std::size_t i = 0; i < count; ++i) sums[i] = std::log(sums[i]) + top[i];
  return sums;
}

void check_defined(const Call& call, Reduction kind, bool has_nan, bool is_empty) {
  const bool is_extreme = kind == Reduction::smallest || kind == Reduction::largest;
  if (is_extreme && has_nan) throw Unfolded{"ONNX does not define the order of NaN"};
  if (is_empty && (kind == Reduction::mean || (is_extreme && call.opset < 20))) {
    throw Unfolded{"ONNX does not define this reduction of nothing"};
  }
}

template <class T>
std::vector<T> finished(const Call& call, Reduction kind, const std::vector<T>& values, const Places& places,
                        std::size_t count) {
  if constexpr (std::is_floating_point_v<T>) {
    if (kind == Reduction::log_sum_exp) return log_sum_exp(call, values, places, count);
  }
  std::vector<T> made = reduced(call, kind, values, places, count);
  const auto per_result = static_cast<T>(count == 0 ? 1 : values.size() / count);
  for (T& x : made) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      const DataType type = call.in(0).type;
      if (x > highest_integer(type) || x < lowest_integer(type)) throw Unfolded{kLeavesType};
    }
    if (kind == Reduction::mean) x = divided(x, per_result);
    if constexpr (std::is_floating_point_v<T>) {
      if (kind == Reduction::l2) x = std::sqrt(x);
      if (kind == Reduction::log_sum) x = std::log(x);
    }
  }
  return made;
}

Outputs reduce(const Call& call, Reduction kind, std::int64_t since = 18) {
  const Array& x = call.in(0);
  const bool is_of_roots = kind == Reduction::l2 || kind == Reduction::log_sum || kind == Reduction::log_sum_exp;
  if (is_of_roots && !is_real(x.type)) throw Unfolded{"it is not computed for " + to_string(x.type)};
  const auto axes = reduced_axes(call, since);
  if (!axes && keeps_single(kind)) return one(x);
  if (!axes) throw Unfolded{"what it does without axes is not defined"};
  const Places places = reduced_places(call, x.dims, *axes);
  const Dims dims = kept_dims(call, x.dims, *axes);
  const std::size_t count = call.count(dims);
  return in_domain(x.type, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> values = numbers<T>(x);
    check_defined(call, kind, std::any_of(values.begin(), values.end(), is_nan<T>), count > 0 && values.empty());
    return one(array_of(x.type, dims, finished(call, kind, values, places, count)));
  });
}

Outputs reduce_sum(const Call& call) { return reduce(call, Reduction::sum, 13); }
template <Reduction Kind>
Outputs reduce_as(const Call& call) {
  return reduce(call, Kind);
}

template <bool IsMax>
Outputs arg(const Call& call) {
  const Array& x = call.in(0);
  const std::size_t axis = axis_of(call.integer("axis", 0), x.dims.size());
  const bool takes_last = call.integer("select_last_index", 0) != 0;
  if (x.dims[axis] == 0) throw Unfolded{"ONNX does not define this reduction of nothing"};
  const Places places = reduced_places(call, x.dims, {axis});
  const Dims dims = kept_dims(call, x.dims, {axis});
  const Places best = in_domain(x.type, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> values = numbers<T>(x);
    Places found(call.count(dims), kNowhere);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_nan(values[i])) throw Unfolded{"ONNX does not define the order of NaN"};
      std::size_t& at = found[places[i]];
      const bool is_better = at == kNowhere || (IsMax ? values[i] > values[at] : values[i] < values[at]);
      if (is_better || (takes_last && values[i] == values[at])) at = i;
    }
    return found;
  });
  const std::size_t inner = product(std::span(x.dims).subspan(axis + 1));
  Dims made;
  for (const std::size_t at : best) made.push_back(static_cast<std::int64_t>(at / inner % size(x.dims[axis])));
  return one(array_of(DataType::int64, dims, made));
}

constexpr Row kReductionRows[] = {
    {"ArgMax", arg<true>},
    {"ArgMin", arg<false>},
    {"ReduceL1", reduce_as<Reduction::l1>},
    {"ReduceL2", reduce_as<Reduction::l2>},
    {"ReduceLogSum", reduce_as<Reduction::log_sum>},
    {"ReduceLogSumExp", reduce_as<Reduction::log_sum_exp>},
    {"ReduceMax", reduce_as<Reduction::largest>},
    {"ReduceMean", reduce_as<Reduction::mean>},
    {"ReduceMin", reduce_as<Reduction::smallest>},
    {"ReduceProd", reduce_as<Reduction::product>},
    {"ReduceSum", reduce_sum},
    {"ReduceSumSquare", reduce_as<Reduction::sum_square>},
};

}  // namespace

std::span<const Row> reduction_rows() noexcept { return kReductionRows; }

}  // namespace trtcheck::fold
