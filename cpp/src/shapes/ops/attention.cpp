// Attention of opset 23 and 24, FlexAttention and LinearAttention.
//
// With 4 axes: Q [B, Hq, S, D], K [B, Hkv, T, D], V [B, Hkv, T, Dv].
// With 3 axes the heads are folded into the last one: Q [B, S, Hq*D], and the node counts them.
#include <array>

#include <fmt/core.h>

#include "dims/checked.hpp"
#include "shapes/ops/agree.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::size_t kPastKey = 4;
constexpr std::size_t kPastValue = 5;

struct Heads {
  Dim batch;
  Dim count;
  Dim length;
  Dim size;
};

std::optional<Heads> heads_of(OpContext& op, std::size_t input, std::string_view attribute) {
  if (!op.has_rank(input)) return std::nullopt;
  const auto dims = op.in(input).dims;
  if (dims.size() == 4) return Heads{dims[0], dims[1], dims[2], dims[3]};
  const std::int64_t count = op.attr_int(attribute, 0);
  if (dims.size() != 3 || count < 1) {
    op.conflict(dims.size() == 3 ? fmt::format("input {} has 3 axes, attribute `{}` is required", input, attribute)
                                 : fmt::format("input {} has {} axes, 3 or 4 are required", input, dims.size()),
                op.node().input(input));
    return std::nullopt;
  }
  op.require_divides(op.literal(count), dims[2], "the last axis is a multiple of the number of heads");
  return Heads{dims[0], op.literal(count), dims[1], op.dims().floor_div(dims[2], op.literal(count))};
}

// Length of key or value together with what is kept from before.
Dim total_length(OpContext& op, const Heads& heads, std::size_t past) {
  if (!op.has_input(past)) return heads.length;
  if (!op.has_rank(past) || op.rank(past) != 4) return op.unknown("the past is not known", 2);
  return op.dims().add(op.dim(past, 2), heads.length);
}

}  // namespace

namespace {

/// Attributes, inputs and outputs that opset 25 allows only together, or not at all.
void check_combinations(OpContext& op) {
  constexpr std::size_t kUnpadded = 6;
  for (const std::string_view name : {"left_window_size", "right_window_size"}) {
    if (const std::int64_t size = op.attr_int(name, -1); size < -1) {
      op.standard_forbids(fmt::format("attribute `{}` is {}, at least -1 is required", name, size));
    }
  }
  if (op.has_rank(0) && op.rank(0) == 4 && (op.attr("q_num_heads") != nullptr || op.attr("kv_num_heads") != nullptr)) {
    op.standard_forbids("attributes `q_num_heads` and `kv_num_heads` are for inputs of 3 axes, input 0 has 4");
  }
  const bool has_past = op.has_input(kPastKey) || op.has_input(kPastValue);
  if (op.has_input(kPastKey) != op.has_input(kPastValue)) {
    op.standard_forbids("inputs `past_key` and `past_value` are required together");
  }
  if (op.has_output(1) != op.has_output(2)) {
    op.standard_forbids("outputs `present_key` and `present_value` are required together");
  }
  if (op.has_input(kUnpadded) && (has_past || op.has_output(1) || op.has_output(2))) {
    op.standard_forbids("input `nonpad_kv_seqlen` must not stand beside the past or the present");
  }
}

}  // namespace

void infer_attention(OpContext& op) {
  if (op.opset() >= 25) check_combinations(op);
  const auto q = heads_of(op, 0, "q_num_heads");
  const auto k = heads_of(op, 1, "kv_num_heads");
  const auto v = heads_of(op, 2, "kv_num_heads");
  if (!q || !k || !v) {
    for (std::size_t i = 0; i < op.output_count(); ++i) {
      op.set_type(i, op.type(i == 1 || i == 2 ? i : 0),
                  op.has_rank(0) && op.has_rank(1) && op.has_rank(2) ? "query, key and value do not fit" : "");
    }
    return;
  }
  op.require_equal(q->batch, k->batch, "query and key have the same batch");
  op.require_equal(q->size, k->size, "query and key heads have the same size");
  op.require_equal(k->length, v->length, "key and value have the same length");
  if (op.rank(0) == 3) {
    op.set(0, op.type(0), {q->batch, q->length, op.dims().mul(q->count, v->size)});
  } else {
    op.set(0, op.type(0), {q->batch, q->count, q->length, v->size});
  }
  const Dim keys = total_length(op, *k, kPastKey);
  op.set(1, op.type(1), {k->batch, k->count, keys, k->size});
  op.set(2, op.type(2), {v->batch, v->count, total_length(op, *v, kPastValue), v->size});
  op.set(3, op.type(0), {q->batch, q->count, q->length, keys});
}

namespace {

/// One batch for query, key and value. The reference evaluator repeats a batch of 1, which the standard does not allow.
Dim batch_of_all(OpContext& op) {
  Dim batch = op.dim(0, 0);
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
    const Dim other = op.dim(input, 0);
    const bool differs = op.dims().equal(batch, other) == Truth::no;
    if (!differs || (!batch.is(1) && !other.is(1))) {
      (void)op.require_equal(batch, other, "query, key and value have the same batch");
      continue;
    }
    op.standard_forbids(
        fmt::format("the batch of input {} is {}, {} is required", input, op.dims().text(other), op.dims().text(batch)),
        op.node().input(input), 0);
    if (batch.is(1)) batch = other;
  }
  return batch;
}

}  // namespace

/// ai.onnx.preview: as above with 4 axes, without a past and with one result.
void infer_flex_attention(OpContext& op) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (op.has_rank(i) && op.rank(i) == 4) continue;
    if (op.has_rank(i))
      op.conflict(fmt::format("input {} has {} axes, 4 are required", i, op.rank(i)), op.node().input(i));
    return op.set_type(0, op.type(0), op.has_rank(i) ? "query, key and value do not fit" : "");
  }
  (void)op.require_divides(op.dim(1, 1), op.dim(0, 1), "query heads are a multiple of key heads");
  (void)op.require_equal(op.dim(0, 3), op.dim(1, 3), "query and key heads have the same size");
  (void)op.require_equal(op.dim(1, 1), op.dim(2, 1), "key and value have the same number of heads");
  (void)op.require_equal(op.dim(1, 2), op.dim(2, 2), "key and value have the same length");
  op.set(0, op.type(0), {batch_of_all(op), op.dim(0, 1), op.dim(0, 2), op.dim(2, 3)});
}

namespace {

void check_rule_inputs(OpContext& op) {
  constexpr std::size_t kDecay = 4;
  constexpr std::size_t kBeta = 5;
  const std::string_view rule = op.attr_string("update_rule", "gated_delta");
  const bool is_gated = rule == "gated" || rule == "gated_delta";
  const bool is_delta = rule == "delta" || rule == "gated_delta";
  if (!is_gated && !is_delta && rule != "linear") {
    return op.conflict("attribute `update_rule` must be linear, gated, delta or gated_delta");
  }
  const auto check = [&](std::size_t input, std::string_view name, bool is_needed) {
    if (op.has_input(input) == is_needed) return;
    op.conflict(fmt::format("input `{}` {} for the update rule {}", name,
                            is_needed ? "is required" : "must be left out", rule));
  };
  check(kDecay, "decay", is_gated);
  check(kBeta, "beta", is_delta);
}

void check_rank(OpContext& op, std::size_t input, std::size_t rank) {
  if (!op.has_rank(input) || op.rank(input) == rank) return;
  op.conflict(fmt::format("input {} has {} axes, {} are required", input, op.rank(input), rank),
              op.node().input(input));
}

/// The last axis has one of two sizes.
void check_last(OpContext& op, std::size_t input, Dim one, Dim other) {
  if (!op.has_rank(input) || op.rank(input) != 3) return;
  const Dim last = op.dim(input, 2);
  DimTable& dims = op.dims();
  if (dims.equal(last, one) != Truth::no || dims.equal(last, other) != Truth::no) return;
  op.conflict(fmt::format("axis 2 of input {} is {}, {} or {} is required", input, dims.text(last), dims.text(one),
                          dims.text(other)),
              op.node().input(input), 2);
}

/// False: nothing more can be said.
bool check_linear_attention(OpContext& op, std::int64_t query_heads, std::int64_t heads) {
  check_rule_inputs(op);
  constexpr std::array<std::size_t, 5> kPacked{0, 1, 2, 4, 5};
  for (const std::size_t input : kPacked) check_rank(op, input, 3);
  check_rank(op, 3, 4);
  if (query_heads < 1 || heads < 1) {
    op.conflict("attributes `q_num_heads` and `kv_num_heads` must be above 0");
    return false;
  }
  if (int_mod(query_heads, heads) != 0) {
    op.conflict(fmt::format("{} query heads are no multiple of {} key heads", query_heads, heads));
  }
  return true;
}

}  // namespace

/// Q [B, T, Hq*D], K [B, T, Hkv*D], V [B, T, Hkv*Dv]; the state kept is [B, Hkv, D, Dv].
void infer_linear_attention(OpContext& op) {
  const std::int64_t query_heads = op.attr_int("q_num_heads", 0);
  const std::int64_t heads = op.attr_int("kv_num_heads", 0);
  const DataType state_type = op.has_input(3) ? op.type(3) : op.type(0);
  const bool fits = check_linear_attention(op, query_heads, heads);
  bool has_all = true;
  for (std::size_t i = 0; i < 3; ++i) has_all = has_all && op.has_rank(i) && op.rank(i) == 3;
  if (fits && !has_all && op.has_rank(3) && op.rank(3) == 4) {
    const Dim length = op.has_rank(0) && op.rank(0) == 3 ? op.dim(0, 1) : op.unknown("the query is not known", 1);
    op.set(0, op.type(0), {op.dim(3, 0), length, op.dims().mul(op.literal(query_heads), op.dim(3, 3))});
    return op.set_like(1, 3);
  }
  if (!fits || !has_all) {
    op.set_type(0, op.type(0), {});
    return op.set_type(1, state_type, {});
  }
  DimTable& dims = op.dims();
  const Dim count = op.literal(heads);
  (void)op.require_divides(count, op.dim(1, 2), "the last axis is a multiple of the number of heads");
  (void)op.require_divides(count, op.dim(2, 2), "the last axis is a multiple of the number of heads");
  (void)op.require_divides(op.literal(query_heads), op.dim(0, 2), "the last axis is a multiple of the number of heads");
  const Dim key_size = dims.floor_div(op.dim(1, 2), count);
  check_last(op, 4, count, op.dim(1, 2));
  check_last(op, 5, op.literal(1), count);
  const Dim value_size = dims.floor_div(op.dim(2, 2), count);
  op.set(0, op.type(0), {op.dim(0, 0), op.dim(0, 1), dims.mul(op.literal(query_heads), value_size)});
  op.set(1, state_type, {op.dim(0, 0), count, key_size, value_size});
}

}  // namespace trtcheck::shapes
