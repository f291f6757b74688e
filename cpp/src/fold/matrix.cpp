// Products of matrices, by Eigen: in double for all real types, rounded once; modulo 2^64 for integers.
// The only file that includes Eigen, whose headers take seconds to compile.
#include <type_traits>

#include <Eigen/Core>

#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using View = Eigen::Map<const Matrix<T>>;

Eigen::Index index(std::int64_t size) { return static_cast<Eigen::Index>(size); }

/// Overflow of unsigned numbers is defined, and gives the bits that signed ones would have.
template <class T>
auto elements(const Array& array) {
  const std::vector<T> values = numbers<T>(array);
  if constexpr (std::is_same_v<T, std::int64_t>) {
    return std::vector<std::uint64_t>(values.begin(), values.end());
  } else {
    return values;
  }
}

template <class T, class Element>
Array stored(DataType type, Dims dims, const std::vector<Element>& values) {
  return array_of(type, std::move(dims), std::vector<T>(values.begin(), values.end()));
}

/// For each matrix of the result, in order, which one of an operand it takes.
Places batches(const Call& call, const Dims& dims, const Dims& out) {
  return broadcast_places(call, Dims(dims.begin(), dims.end() - 2), Dims(out.begin(), out.end() - 2));
}

template <class T>
Array multiplied(const Call& call, const Array& a, const Array& b, const Dims& out) {
  const auto left = elements<T>(a);
  const auto right = elements<T>(b);
  using Element = typename decltype(left)::value_type;
  const Eigen::Index rows = index(a.dims.end()[-2]);
  const Eigen::Index inner = index(a.dims.back());
  const Eigen::Index columns = index(b.dims.back());
  std::vector<Element> made(call.count(out));
  call.spend(static_cast<std::int64_t>(made.size()) * (inner + 1));
  const Places lefts = batches(call, a.dims, out);
  const Places rights = batches(call, b.dims, out);
  for (std::size_t i = 0; i < lefts.size() && !made.empty(); ++i) {
    const View<Element> x(left.data() + static_cast<std::ptrdiff_t>(lefts[i]) * rows * inner, rows, inner);
    const View<Element> y(right.data() + static_cast<std::ptrdiff_t>(rights[i]) * inner * columns, inner, columns);
    Eigen::Map<Matrix<Element>>(made.data() + static_cast<std::ptrdiff_t>(i) * rows * columns, rows, columns)
        .noalias() = x * y;
  }
  return stored<T>(a.type, out, made);
}

Outputs matmul(const Call& call) {
  Array a = call.in(0);
  Array b = call.in(1);
  if (a.dims.empty() || b.dims.empty()) throw Unfolded{"a scalar is no matrix"};
  const bool is_row = a.dims.size() == 1;
  const bool is_column = b.dims.size() == 1;
  if (is_row) a.dims.insert(a.dims.begin(), 1);
  if (is_column) b.dims.push_back(1);
  if (a.dims.back() != b.dims.end()[-2]) throw Unfolded{"the inner sizes of the matrices are not equal"};
  Dims out = broadcast(Dims(a.dims.begin(), a.dims.end() - 2), Dims(b.dims.begin(), b.dims.end() - 2));
  out.push_back(a.dims.end()[-2]);
  out.push_back(b.dims.back());
  Array made = in_domain(a.type, [&](auto zero) { return multiplied<decltype(zero)>(call, a, b, out); });
  if (is_row) made.dims.erase(made.dims.end() - 2);
  if (is_column) made.dims.pop_back();
  return one(std::move(made));
}

/// The bias, spread over the result; zeros where there is none.
template <class T>
auto bias(const Call& call, const Dims& out) {
  using Element = typename decltype(elements<T>(call.in(0)))::value_type;
  std::vector<Element> made(call.count(out));
  if (call.maybe(2) == nullptr) return made;
  const auto values = elements<T>(call.in(2));
  if (call.opset < 7 && call.integer("broadcast", 0) == 0 && call.in(2).dims != out) {
    throw Unfolded{"the bias does not have the sizes of the result"};
  }
  const Places places = broadcast_places(call, call.in(2).dims, out);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = values[places[i]];
  return made;
}

template <class T>
Array gemm_of(const Call& call, const Dims& out, bool flips_a, bool flips_b) {
  const Array& a = call.in(0);
  const Array& b = call.in(1);
  const auto left = elements<T>(a);
  const auto right = elements<T>(b);
  using Element = typename decltype(left)::value_type;
  std::vector<Element> made = bias<T>(call, out);
  const View<Element> x(left.data(), index(a.dims[0]), index(a.dims[1]));
  const View<Element> y(right.data(), index(b.dims[0]), index(b.dims[1]));
  const auto alpha = static_cast<Element>(call.real("alpha", 1));
  const auto beta = static_cast<Element>(call.real("beta", 1));
  call.spend(static_cast<std::int64_t>(made.size()) * (a.dims[flips_a ? 0 : 1] + 1));
  const Matrix<Element> flat_x = flips_a ? Matrix<Element>(x.transpose()) : Matrix<Element>(x);
  const Matrix<Element> flat_y = flips_b ? Matrix<Element>(y.transpose()) : Matrix<Element>(y);
  Eigen::Map<Matrix<Element>> result(made.data(), index(out[0]), index(out[1]));
  result *= beta;
  result.noalias() += alpha * (flat_x * flat_y);
  return stored<T>(a.type, out, made);
}

Outputs gemm(const Call& call) {
  const Array& a = call.in(0);
  const Array& b = call.in(1);
  if (a.dims.size() != 2 || b.dims.size() != 2) throw Unfolded{"an input is not of rank 2"};
  const bool has_factors = call.real("alpha", 1) != 1 || call.real("beta", 1) != 1;
  if (has_factors && !is_real(a.type)) throw Unfolded{"factors of integers are not evaluated"};
  const bool flips_a = call.integer("transA", 0) != 0;
  const bool flips_b = call.integer("transB", 0) != 0;
  if (a.dims[flips_a ? 0 : 1] != b.dims[flips_b ? 1 : 0])
    throw Unfolded{"the inner sizes of the matrices are not equal"};
  const Dims out{a.dims[flips_a ? 1 : 0], b.dims[flips_b ? 0 : 1]};
  return one(in_domain(a.type, [&](auto zero) { return gemm_of<decltype(zero)>(call, out, flips_a, flips_b); }));
}

constexpr Row kMatrixRows[] = {
    {"Gemm", gemm},
    {"MatMul", matmul},
};

}  // namespace

std::span<const Row> matrix_rows() noexcept { return kMatrixRows; }

}  // namespace trtcheck::fold
