// Matrix products, floating point and integer, and the determinant.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/ops/agree.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

void check_inner_sizes(OpContext& op, std::size_t right, Dim a, Dim b) {
  agree(op, a, b, "inner sizes of the matrix product are equal", op.node().input(right), -1, [&] {
    return fmt::format("cannot multiply: the last axis of input 0 is {}, input {} needs {}", op.dims().text(a), right,
                       op.dims().text(b));
  });
}

// numpy.matmul of inputs 0 and `right`.
void infer_product(OpContext& op, std::size_t right, DataType type) {
  if (!op.has_rank(0) || !op.has_rank(right)) return op.set_type(0, type, {});
  const auto a = op.in(0).dims;
  const auto b = op.in(right).dims;
  if (a.empty() || b.empty()) {
    op.conflict(fmt::format("input {} of a matrix product is a scalar", a.empty() ? 0 : right));
    return op.set_type(0, type, "a matrix product of a scalar");
  }
  check_inner_sizes(op, right, a.back(), b.size() == 1 ? b[0] : b[b.size() - 2]);
  const std::span<const Dim> batches[] = {a.first(a.size() > 2 ? a.size() - 2 : 0),
                                          b.first(b.size() > 2 ? b.size() - 2 : 0)};
  auto out = op.broadcast(batches);
  if (!out) return op.set_type(0, type, "batch axes of a matrix product do not broadcast");
  if (a.size() > 1) out->push_back(a[a.size() - 2]);
  if (b.size() > 1) out->push_back(b.back());
  op.set(0, type, *out);
}

/// The product plus input 2. ONNX lets the latter broadcast to the product only; TensorRT adds an elementwise sum,
/// which broadcasts both.
DimVector add_gemm_bias(OpContext& op, DimVector product) {
  if (!op.has_input(2) || !op.has_rank(2)) return product;
  const auto c = op.in(2).dims;
  const ValueId value = op.node().input(2);
  if (c.size() > 2) {
    op.onnx_forbids(fmt::format("input 2 has {} axes, at most 2 are allowed", c.size()),
                    "the result has as many axes as input 2", value);
    product.insert(product.begin(), c.begin(), c.end() - 2);
  }
  for (std::size_t back = 1; back <= std::min<std::size_t>(c.size(), 2); ++back) {
    Dim& size = product[product.size() - back];
    const Dim wanted = c[c.size() - back];
    if (size.is(1) && op.dims().equal(wanted, size) == Truth::no) {
      op.onnx_forbids(fmt::format("input 2 has {} where the product has 1", op.dims().text(wanted)),
                      "the product is repeated", value, static_cast<int>(c.size() - back));
      size = wanted;
    } else {
      op.require_one_or_equal(wanted, size, "input 2 of Gemm broadcasts to the product");
    }
  }
  return product;
}

}  // namespace

void infer_matmul(OpContext& op) { infer_product(op, 1, common_type(op, 0, 2)); }
void infer_matmul_integer(OpContext& op) { infer_product(op, 1, DataType::int32); }
void infer_qlinear_matmul(OpContext& op) { infer_product(op, 3, op.type(7)); }

void infer_gemm(OpContext& op) {
  const auto a = dims_of_rank(op, 0, 2);
  const auto b = dims_of_rank(op, 1, 2);
  const bool is_a_turned = op.attr_int("transA", 0) != 0;
  const bool is_b_turned = op.attr_int("transB", 0) != 0;
  if (a && b) {
    const Dim left = (*a)[is_a_turned ? 0 : 1];
    const Dim right = (*b)[is_b_turned ? 1 : 0];
    if (op.has_rank(0) && op.has_rank(1)) check_inner_sizes(op, 1, left, right);
  }
  const Dim rows = a ? (*a)[is_a_turned ? 1 : 0] : op.unknown("input 0 of Gemm is not a matrix", 0);
  const Dim columns = b ? (*b)[is_b_turned ? 0 : 1] : op.unknown("input 1 of Gemm is not a matrix", 1);
  op.set(0, common_type(op, 0, 2), add_gemm_bias(op, {rows, columns}));
}

void infer_det(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  const auto dims = op.in(0).dims;
  if (dims.size() < 2) {
    op.conflict(fmt::format("input 0 has {} axes, at least 2 are required", dims.size()), op.node().input(0));
    return op.set_type(0, op.type(0), "the determinant of something without rows and columns");
  }
  op.require_equal(dims[dims.size() - 2], dims.back(), "a determinant is of square matrices");
  op.set(0, op.type(0), dims.first(dims.size() - 2));
}

}  // namespace trtcheck::shapes
