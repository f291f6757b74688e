// Operators of ONNX Runtime that work element by element, and quantization the way it has it.
#include "shapes/ops/contrib.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::int64_t kBitsOfAWord = 32;

/// One bit per element, in words.
void set_bit_mask(OpContext& op, std::size_t output) {
  const auto count = op.element_count(0);
  op.set(output, DataType::uint32,
         {count ? op.dims().ceil_div(*count, op.literal(kBitsOfAWord))
                : op.unknown("the number of elements is not known", 0)});
}

}  // namespace

/// A, scale, zero point, B, ...
void infer_qlinear_binary(OpContext& op) { set_broadcast_of(op, op.type(0), {0, 3}); }

/// A, zero point, B, zero point.
void infer_mul_integer(OpContext& op) { set_broadcast_of(op, DataType::int32, {0, 2}); }

/// condition, X, scale, zero point, Y, ...
void infer_qlinear_where(OpContext& op) { set_broadcast_of(op, op.type(1), {0, 1, 4}); }

void infer_broadcast_of_two(OpContext& op) { set_broadcast_of(op, op.type(0), {0, 1}); }

void infer_contrib_quantize(OpContext& op) { set_dims_of(op, 0, 0, op.has_input(2) ? op.type(2) : DataType::uint8); }

void infer_contrib_dequantize(OpContext& op) { set_dims_of(op, 0, 0, op.type(1)); }

void infer_quantize_with_order(OpContext& op) { set_dims_of(op, 0, 0, DataType::int8); }

void infer_dequantize_with_order(OpContext& op) {
  set_dims_of(op, 0, 0, type_attribute(op, "to", DataType::undefined));
}

/// Dropout after a sum: the mask is one boolean per element.
void infer_bias_dropout(OpContext& op) {
  op.set_like(0, 0);
  set_dims_of(op, 1, 0, DataType::boolean);
}

void infer_bitmask_dropout(OpContext& op) {
  op.set_like(0, 0);
  set_bit_mask(op, 1);
}

void infer_is_all_finite(OpContext& op) { op.set(0, DataType::boolean, {}); }

void infer_murmur_hash(OpContext& op) {
  set_dims_of(op, 0, 0, op.attr_int("positive", 1) != 0 ? DataType::uint32 : DataType::int32);
}

/// Two halves of the last axis, one gating the other.
void infer_bias_split_gelu(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) == 0) return op.set_type(0, op.type(0), {});
  const Dim last = op.in(0).dims.back();
  set_with_last(op, 0, 0, op.type(0), op.dims().floor_div(last, op.literal(2)));
}

/// Bytes in blocks, how many of them is the format's business; shape and strides go with them.
void infer_quantize_bfp(OpContext& op) {
  op.set(0, DataType::uint8, {op.unknown("the number of bytes depends on the block format", 0)});
  const Dim rank = op.has_rank(0) ? op.literal(static_cast<std::int64_t>(op.rank(0)))
                                  : op.unknown("the rank of the input is not known", 0);
  op.set(1, DataType::int64, {rank});
  op.set(2, DataType::int64, {rank});
  if (op.has_rank(0)) op.set_known(1, op.in(0).dims);
}

void infer_dequantize_bfp(OpContext& op) {
  const DataType type = type_attribute(op, "dtype", DataType::float32);
  const auto sizes = sizes_from(op, 1, "the shape is computed at run time");
  if (sizes) return op.set(0, type, *sizes);
  op.set_type(0, type, "the shape is computed at run time");
}

/// Two results, each with the dims of an input: the gates of linear attention.
void infer_linear_attention_gate(OpContext& op) {
  op.set_like(0, 0);
  set_dims_of(op, 1, op.has_input(3) ? 3 : 0, op.type(0));
}

void infer_like_input_twice(OpContext& op) {
  op.set_like(0, 0);
  op.set_like(1, 0);
}

/// The scores of input 1, or what else has its dims.
void infer_like_second_input(OpContext& op) { op.set_like(0, 1); }

/// C streams of H values, side by side or on an axis of their own, become one.
void infer_hyper_connection_pre_mix(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) == 0) return op.set_type(0, op.type(0), {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  if (const auto branches = size_attribute(op, "num_branches")) {
    out.back() = op.dims().floor_div(out.back(), *branches);
  } else if (out.size() >= 2) {
    out.erase(out.end() - 2);
  } else {
    return op.set_type(0, op.type(0), "the streams have no axis of their own");
  }
  op.set(0, op.type(0), out);
}

}  // namespace trtcheck::shapes
