// Along axes, with a result for each element.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

template <bool IsSum>
Outputs running(const Call& call) {
  const Array& x = call.in(0);
  const std::size_t axis = axis_of(call.one_integer(1), x.dims.size());
  const bool is_exclusive = call.integer("exclusive", 0) != 0;
  const bool is_reverse = call.integer("reverse", 0) != 0;
  const Places places = reduced_places(call, x.dims, {axis});
  return in_domain(x.type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = numbers<T>(x);
    std::vector<T> sums(call.count(reduced_dims(x.dims, {axis})), IsSum ? 0 : 1);
    for (std::size_t step = 0; step < values.size(); ++step) {
      const std::size_t i = is_reverse ? values.size() - 1 - step : step;
      T& sum = sums[places[i]];
      const T before = sum;
      sum = IsSum ? added(sum, values[i]) : multiplied(sum, values[i]);
      values[i] = is_exclusive ? before : sum;
    }
    return one(array_of(x.type, x.dims, values));
  });
}

/// Before opset 13 the input is a matrix whose rows are all axes from `axis` on.
std::vector<std::size_t> softmax_axes(const Call& call) {
  const std::size_t rank = call.in(0).dims.size();
  const bool is_matrix = call.opset < 13;
  const std::size_t axis = axis_of(call.integer("axis", is_matrix ? 1 : -1), rank);
  std::vector<std::size_t> axes{axis};
  for (std::size_t next = axis + 1; is_matrix && next < rank; ++next) axes.push_back(next);
  return axes;
}

/// The largest element of each group; -infinity for none.
std::vector<double> tops_of(const std::vector<double>& values, const Places& groups, std::size_t count) {
  std::vector<double> tops(count, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < values.size(); ++i) tops[groups[i]] = larger(tops[groups[i]], values[i]);
  return tops;
}

/// x - max(x) is NaN where the largest one is infinite, and so is every quotient of their sum.
template <bool IsLog>
Outputs softmax(const Call& call) {
  const Array& x = call.in(0);
  const std::vector<std::size_t> axes = softmax_axes(call);
  const Places groups = reduced_places(call, x.dims, axes);
  std::vector<double> values = numbers<double>(x);
  const std::vector<double> tops = tops_of(values, groups, call.count(reduced_dims(x.dims, axes)));
  std::vector<double> sums(tops.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] -= tops[groups[i]];
    sums[groups[i]] += std::exp(values[i]);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double sum = sums[groups[i]];
    values[i] = IsLog ? values[i] - std::log(sum) : std::exp(values[i]) / sum;
  }
  return one(array_of(x.type, x.dims, values));
}

Outputs hardmax(const Call& call) {
  const Array& x = call.in(0);
  const std::vector<std::size_t> axes = softmax_axes(call);
  const Places groups = reduced_places(call, x.dims, axes);
  std::vector<double> values = numbers<double>(x);
  if (std::ranges::any_of(values, is_nan<double>)) throw Unfolded{"ONNX does not define the order of NaN"};
  const std::vector<double> tops = tops_of(values, groups, call.count(reduced_dims(x.dims, axes)));
  std::vector<bool> is_found(tops.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_first = values[i] == tops[groups[i]] && !is_found[groups[i]];
    if (is_first) is_found[groups[i]] = true;
    values[i] = is_first ? 1 : 0;
  }
  return one(array_of(x.type, x.dims, values));
}

constexpr Row kRunningRows[] = {
    {"CumProd", running<false>},   {"CumSum", running<true>},   {"Hardmax", hardmax},
    {"LogSoftmax", softmax<true>}, {"Softmax", softmax<false>},
};

}  // namespace

std::span<const Row> running_rows() noexcept { return kRunningRows; }

}  // namespace trtcheck::fold
