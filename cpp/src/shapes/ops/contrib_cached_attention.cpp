// Attention of large language models in ONNX Runtime: grouped heads, caches in blocks or in buffers, recurrent states.
#include "shapes/ops/contrib.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kTotal = "the length of the cache is known at run time only";

/// Query, key and value side by side have the width (N + 2*Nkv)*D; N*D of it is the result.
Dim width_of_result(OpContext& op, Dim width, bool is_packed) {
  if (!is_packed) return width;
  const std::int64_t heads = op.attr_int("num_heads", 0);
  const std::int64_t kv_heads = op.attr_int("kv_num_heads", 0);
  constexpr std::int64_t kMost = std::int64_t{1} << 32;
  if (heads < 1 || kv_heads < 1 || heads > kMost || kv_heads > kMost) {
    return op.unknown("the numbers of heads are missing");
  }
  const Dim size = op.dims().floor_div(width, op.literal(heads + 2 * kv_heads));
  return op.dims().mul(size, op.literal(heads));
}

void set_query_result(OpContext& op, bool is_packed) {
  if (!op.has_rank(0) || op.rank(0) == 0) return op.set_type(0, op.type(0), {});
  set_with_last(op, 0, 0, op.type(0), width_of_result(op, op.in(0).dims.back(), is_packed));
}

/// Without a cache from before there are the tokens of this call.
void set_first_cache(OpContext& op, std::size_t output) {
  const auto heads = size_attribute(op, "num_heads");
  const auto kv_heads = size_attribute(op, "kv_num_heads");
  if (!op.has_rank(0) || op.rank(0) != 3 || !heads || !kv_heads) return op.set_type(output, op.type(0), kTotal);
  const Dim width = width_of_result(op, op.dim(0, 2), !op.has_input(1));
  op.set(output, op.type(0), {op.dim(0, 0), *kv_heads, op.dim(0, 1), op.dims().floor_div(width, *heads)});
}

/// The cache is as long as the buffer, or as what is in it when that is more.
void set_grown_cache(OpContext& op, std::size_t output, std::size_t past, std::optional<Dim> total) {
  if (!op.has_output(output)) return;
  const DataType type = op.has_input(past) ? op.type(past) : op.type(0);
  if (!op.has_input(past)) return set_first_cache(op, output);
  if (!op.has_rank(past) || op.rank(past) != 4) return op.set_type(output, type, kTotal);
  DimVector out(op.in(past).dims.begin(), op.in(past).dims.end());
  if (op.attr_int("sliding_window_cache", 0) == 0) {
    out[2] =
        total ? op.dims().max(out[2], *total) : op.unknown(kTotal, 2, {op.dims().bounds(out[2]).low, Interval::kMax});
  }
  op.set(output, type, out);
}

/// [..., state] with one slot per token that is kept, when the node asks for several.
void set_state(OpContext& op, std::size_t output, DataType type, DimVector state) {
  if (const auto window = size_attribute(op, "state_window")) state.insert(state.begin(), *window);
  op.set(output, type, state);
}

/// Values that the taps of a causal convolution reach back to.
Dim reach(OpContext& op) {
  const Dim taps = op.has_rank(1) && op.rank(1) > 0 ? op.in(1).dims.back() : op.unknown("the weight is not known");
  return op.dims().mul(op.dims().sub(taps, op.literal(1)), op.literal(op.attr_int("dilation", 1)));
}

/// Offsets are one more than there are sequences.
Dim sequences(OpContext& op, std::size_t offsets, std::int32_t axis) {
  return op.dims().sub(dim_or_unknown(op, offsets, 1, 0, axis), op.literal(1));
}

}  // namespace

void infer_group_query_attention(OpContext& op) {
  set_query_result(op, !op.has_input(1));
  const auto total = number_in(op, 6);
  set_grown_cache(op, 1, 3, total);
  set_grown_cache(op, 2, 4, total);
  if (!op.has_output(3)) return;
  const auto heads = size_attribute(op, "num_heads");
  op.set(3, op.type(0),
         {dim_or_unknown(op, 0, 3, 0, 0), heads ? *heads : op.unknown("the attribute `num_heads` is missing", 1),
          dim_or_unknown(op, 0, 3, 1, 2), total ? *total : op.unknown(kTotal, 3)});
}

/// The caches are buffers that keep their size.
void infer_sparse_attention(OpContext& op) {
  set_query_result(op, !op.has_input(1));
  set_dims_of(op, 1, 3, op.type(3));
  set_dims_of(op, 2, 4, op.type(4));
}

/// Tokens of all sequences side by side; a latent cache may have narrower values.
void infer_paged_attention(OpContext& op) {
  set_dims_of(op, 1, 3, op.type(3));
  set_dims_of(op, 2, 4, op.type(4));
  const auto value_size = size_attribute(op, "v_head_size");
  const auto heads = size_attribute(op, "num_heads");
  if (op.attr_string("kv_cache_layout", "SEPARATE") != "LATENT" || !value_size || !heads) {
    return set_query_result(op, !op.has_input(1));
  }
  set_with_last(op, 0, 0, op.type(0), op.dims().mul(*heads, *value_size));
}

void infer_dynamic_sparse_attention(OpContext& op) {
  set_query_result(op, !op.has_input(1));
  const auto total = number_in(op, 10);
  set_grown_cache(op, 1, 3, total);
  set_grown_cache(op, 2, 4, total);
}

/// Q [B, T, Hq*Dk], K [B, T, Hkv*Dk], V [B, T, Hkv*Dv]; the state is [B, Hkv, Dk, Dv].
void infer_contrib_linear_attention(OpContext& op) {
  const DataType state_type = op.has_input(3) ? op.type(3) : op.type(0);
  const auto query_heads = size_attribute(op, "q_num_heads");
  const auto heads = size_attribute(op, "kv_num_heads");
  const bool fits = query_heads && heads && op.has_rank(0) && op.rank(0) == 3 && op.has_rank(2) && op.rank(2) == 3;
  if (!fits) {
    op.set_type(0, op.type(0), {});
    return op.set_type(1, state_type, {});
  }
  DimTable& t = op.dims();
  const Dim key_size = t.floor_div(op.dim(0, 2), *query_heads);
  const Dim value_size = t.floor_div(op.dim(2, 2), *heads);
  op.set(0, op.type(0), {op.dim(0, 0), op.dim(0, 1), t.mul(t.max(*query_heads, *heads), value_size)});
  set_state(op, 1, state_type, {op.dim(0, 0), *heads, key_size, value_size});
}

/// Token by token: Q [T, Hq, Dk], K [T, Hk, Dk], V [T, Hv, Dv]; the state is [B, Hv, Dv, Dk].
void infer_gated_delta_net(OpContext& op) {
  set_dims_of(op, 1, 6, DataType::float32);
  const auto capacity = size_attribute(op, "state_update_capacity");
  const bool is_apart =
      op.has_rank(0) && op.rank(0) == 3 && op.has_rank(1) && op.rank(1) == 3 && op.has_rank(2) && op.rank(2) == 3;
  if (!is_apart) {
    op.set_type(0, op.type(0), "query, key and value are packed");
    return op.set_type(2, DataType::float32, "query, key and value are packed");
  }
  DimTable& t = op.dims();
  op.set(0, op.type(0), {op.dim(0, 0), t.max(op.dim(0, 1), op.dim(2, 1)), op.dim(2, 2)});
  if (!op.has_output(2) || !capacity) return;
  const Dim keys = t.mul(op.dim(1, 1), op.dim(0, 2));
  const Dim factors = t.add(t.add(op.dim(2, 1), keys), t.mul(op.dim(2, 1), op.dim(2, 2)));
  op.set(2, DataType::float32, {dim_or_unknown(op, 6, 4, 0, 0), t.mul(*capacity, factors)});
}

/// Depthwise and causal, with what the taps reach back to kept: [B, C, L] or, channels last, [B, L, ...].
void infer_contrib_causal_conv(OpContext& op) {
  op.set_like(0, 0);
  if (op.has_input(3) && op.has_rank(3)) return op.set_like(1, 3);
  if (!op.has_rank(0) || op.rank(0) < 2) return op.set_type(1, op.type(0), {});
  DimVector state(op.in(0).dims.begin(), op.in(0).dims.end());
  if (op.attr_int("channels_last", 0) != 0) {
    state[1] = reach(op);
  } else if (op.attr_int("ndim", 1) == 1 && state.size() == 3) {
    state[2] = reach(op);
  } else {
    return op.set_type(1, op.type(0), "the state of a causal convolution with several axes is not followed");
  }
  set_state(op, 1, op.type(0), state);
}

/// Tokens of all sequences side by side: [T, C].
void infer_varlen_causal_conv(OpContext& op) {
  op.set_like(0, 0);
  op.set_like(1, 4);
  if (!op.has_output(2)) return;
  op.set(2, op.type(0),
         {sequences(op, 2, 0), op.literal(op.attr_int("state_update_capacity", 0)), dim_or_unknown(op, 0, 2, 1, 2)});
}

/// [B, S, D] without padding is [tokens, D].
void infer_remove_padding(OpContext& op) {
  const Dim batch = dim_or_unknown(op, 0, 3, 0, 0);
  const Dim length = dim_or_unknown(op, 0, 3, 1, 1);
  op.set(0, op.type(0), {op.unknown("as many tokens as are no padding", 0), dim_or_unknown(op, 0, 3, 2, 1)});
  op.set(1, op.type(1), {batch, length});
  op.set(2, op.type(1), {op.dims().add(batch, op.literal(1))});
  op.set(3, op.type(1), {op.literal(1)});
}

void infer_restore_padding(OpContext& op) {
  op.set(0, op.type(0),
         {dim_or_unknown(op, 1, 2, 0, 0), dim_or_unknown(op, 1, 2, 1, 1), dim_or_unknown(op, 0, 2, 1, 2)});
}

/// Which tokens the attention that follows may read.
void infer_sparse_attention_indexer(OpContext& op) {
  const bool is_of_tokens = op.attr_string("policy_mode", "") == "qsa";
  const auto budget = size_attribute(op, is_of_tokens ? "token_budget" : "index_topk");
  const Dim rest = op.literal(is_of_tokens ? op.attr_int("compress_ratio", 1) - 1 : 0);
  const Dim capacity = budget ? op.dims().add(*budget, rest) : op.unknown("the number of selected tokens is missing");
  set_with_last(op, 0, 0, DataType::int32, capacity);
  if (op.node().op_type == "SparseAttentionIndexer") {
    if (op.has_input(12)) {
      op.set_like(1, 7);
    } else if (op.has_rank(7) && op.rank(7) == 3) {
      const Dim grown =
          is_of_tokens ? op.dims().add(op.dim(7, 1), dim_or_unknown(op, 0, 3, 1, 1)) : op.unknown(kTotal, 1);
      op.set(1, op.type(7), {op.dim(7, 0), grown, op.dim(7, 2)});
    } else {
      op.set_type(1, op.type(7), {});
    }
    return op.set_type(2, op.type(0), kTotal);
  }
  op.set(1, DataType::int32, {dim_or_unknown(op, 0, 2, 0, 0)});
  for (const std::size_t state : {std::size_t{2}, std::size_t{3}, std::size_t{4}, std::size_t{5}}) {
    op.set_like(state, state + 10);
  }
  op.set_type(6, op.type(0), kTotal);
}

}  // namespace trtcheck::shapes
