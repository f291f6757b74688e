// Matrix products of ONNX Runtime: fused, quantized, with weights in blocks.
#include <algorithm>
#include <span>
#include <utility>

#include "shapes/ops/agree.hpp"
#include "shapes/ops/contrib.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kInner = "inner sizes of the matrix product are equal";

/// As numpy.matmul sees an operand: batch axes first, then rows and columns.
DimVector turned(std::span<const Dim> dims, bool is_turned, bool is_batch_turned) {
  DimVector out(dims.begin(), dims.end());
  if (out.size() < 2) return out;
  // The first axis goes behind the other batch axes: it holds the rows.
  if (is_batch_turned) std::rotate(out.begin(), out.begin() + 1, out.end() - 1);
  if (is_turned) std::swap(out[out.size() - 2], out.back());
  return out;
}

void set_matrix_product(OpContext& op, const DimVector& a, const DimVector& b, DataType type) {
  if (a.empty() || b.empty()) return op.set_type(0, type, "a matrix product of a scalar");
  (void)op.require_equal(a.back(), b.size() == 1 ? b[0] : b[b.size() - 2], kInner);
  const auto batch_of = [](const DimVector& dims) {
    return std::span(dims).first(dims.size() > 2 ? dims.size() - 2 : 0);
  };
  const std::span<const Dim> batches[] = {batch_of(a), batch_of(b)};
  auto out = op.broadcast(batches);
  if (!out) return op.set_type(0, type, "batch axes of a matrix product do not broadcast");
  if (a.size() > 1) out->push_back(a[a.size() - 2]);
  if (b.size() > 1) out->push_back(b.back());
  op.set(0, type, *out);
}

void set_product_of(OpContext& op, std::size_t right, DataType type) {
  if (!op.has_rank(0) || !op.has_rank(right)) return op.set_type(0, type, {});
  set_matrix_product(op, turned(op.in(0).dims, false, false), turned(op.in(right).dims, false, false), type);
}

/// Two matrices, perhaps turned. What is added to the product does not widen it.
void set_gemm(OpContext& op, std::size_t right, DataType type) {
  const auto a = dims_of_rank(op, 0, 2);
  const auto b = dims_of_rank(op, right, 2);
  const bool is_a_turned = op.attr_int("transA", 0) != 0;
  const bool is_b_turned = op.attr_int("transB", 0) != 0;
  if (!a || !b) return op.set_type(0, type, "the inputs are not two matrices");
  if (op.has_rank(0) && op.has_rank(right)) {
    (void)op.require_equal((*a)[is_a_turned ? 0 : 1], (*b)[is_b_turned ? 1 : 0], kInner);
  }
  op.set(0, type, {(*a)[is_a_turned ? 1 : 0], (*b)[is_b_turned ? 0 : 1]});
}

/// The features that come out, and those that go in, as attributes state them.
void set_by_features(OpContext& op, std::size_t output, std::string_view out, std::string_view in) {
  const auto features = size_attribute(op, out);
  const auto needed = size_attribute(op, in);
  if (needed && op.has_rank(0) && op.rank(0) > 0) (void)op.require_equal(op.in(0).dims.back(), *needed, kInner);
  set_with_last(op, output, 0, op.type(0), features ? *features : op.unknown("the attribute `N` is missing"));
}

}  // namespace

void infer_fused_matmul(OpContext& op) {
  const DataType type = common_type(op, 0, 2);
  if (!op.has_rank(0) || !op.has_rank(1)) return op.set_type(0, type, {});
  const auto is_set = [&](std::string_view name) { return op.attr_int(name, 0) != 0; };
  set_matrix_product(op, turned(op.in(0).dims, is_set("transA"), is_set("transBatchA")),
                     turned(op.in(1).dims, is_set("transB"), is_set("transBatchB")), type);
}

/// The left side is sparse.
void infer_sparse_to_dense_matmul(OpContext& op) {
  if (!op.has_rank(0) || !op.has_rank(1)) return op.set_type(0, op.type(1), {});
  set_matrix_product(op, turned(op.in(0).dims, op.attr_int("transA", 0) != 0, false),
                     turned(op.in(1).dims, op.attr_int("transB", 0) != 0, false), op.type(1));
}

/// MatMul and something element by element.
void infer_matmul_like_first(OpContext& op) { set_product_of(op, 1, op.type(0)); }

void infer_matmul_to_int32(OpContext& op) { set_product_of(op, 1, DataType::int32); }

void infer_matmul_integer_to_float(OpContext& op) { set_product_of(op, 1, op.type(2)); }

/// A, scale, B, scale, scale.
void infer_qordered_matmul(OpContext& op) { set_product_of(op, 2, op.type(0)); }

/// A, scale, zero point, B, scale, zero point, C, scale, zero point. Without the last one the result is not quantized.
void infer_qgemm(OpContext& op) { set_gemm(op, 3, op.has_input(8) ? op.type(8) : DataType::float32); }

void infer_gemm_float8(OpContext& op) { set_gemm(op, 1, type_attribute(op, "dtype", DataType::float32)); }

/// MatMulNBits: the weight is packed, the attributes state what it is of.
void infer_matmul_nbits(OpContext& op) { set_by_features(op, 0, "N", "K"); }

void infer_matmul_bnb4(OpContext& op) {
  const bool is_turned = op.attr_int("transB", 1) != 0;
  set_by_features(op, 0, is_turned ? "N" : "K", is_turned ? "K" : "N");
}

void infer_matmul_nbits_mlp(OpContext& op) {
  set_by_features(op, 0, "N", "K");
  op.set_like(1, 0);
}

void infer_matmul_nbits_qkv(OpContext& op) {
  set_by_features(op, 0, "Nq", "K");
  set_by_features(op, 1, "Nkv", "K");
  set_by_features(op, 2, "Nkv", "K");
  op.set_like(3, 0);
}

/// The weight is [N, K] or [N, packed K].
void infer_matmul_rows_of_weight(OpContext& op) {
  set_with_last(op, 0, 0, op.type(0), dim_or_unknown(op, 1, 2, 0, -1));
}

/// The contents of input 2 are the shape of the weight: [K, N].
void infer_matmul_fpq4(OpContext& op) {
  const auto shape = op.known(2);
  const bool is_matrix = shape && shape->size() == 2;
  set_with_last(op, 0, 0, op.type(0), is_matrix ? shape->back() : op.unknown("the shape of the weight is not known"));
}

/// One distance per pair of rows.
void infer_cdist(OpContext& op) {
  op.set(0, op.type(0), {dim_or_unknown(op, 0, 2, 0, 0), dim_or_unknown(op, 1, 2, 0, 1)});
}

}  // namespace trtcheck::shapes
