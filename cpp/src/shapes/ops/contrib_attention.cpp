// Attention of ONNX Runtime as encoders and decoders of BERT and GPT have it: with projection, and behind one.
//
// B batch, S new tokens, N heads, D values per head, P tokens kept from before.
#include "shapes/ops/contrib.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kNoHidden = "the size of the value heads is not known";
constexpr std::string_view kNoHeads = "the attribute `num_heads` is missing";

/// One third of what the merged weights (or the bias) give, or what the node states for each of the three.
Dim part_of_merged(OpContext& op, std::size_t weights, std::size_t bias, std::size_t part) {
  const auto stated = op.attr_ints("qkv_hidden_sizes");
  if (stated && stated->size() == 3) return op.literal((*stated)[part]);
  const Dim third = op.literal(3);
  if (op.has_rank(weights) && op.rank(weights) == 2) return op.dims().floor_div(op.dim(weights, 1), third);
  if (op.has_rank(bias) && op.rank(bias) == 1) return op.dims().floor_div(op.dim(bias, 0), third);
  return op.unknown(kNoHidden, 2);
}

Dim per_head(OpContext& op, Dim hidden) {
  const auto heads = size_attribute(op, "num_heads");
  return heads ? op.dims().floor_div(hidden, *heads) : op.unknown(kNoHeads, 4);
}

struct Projected {
  std::size_t weights = 1;
  std::size_t bias = 2;
  std::size_t past = 4;
  DataType type;
};

/// Key and value in one tensor: [2, B, N, P + S, D].
void set_merged_present(OpContext& op, const Projected& at, Dim batch, Dim length) {
  if (op.has_input(at.past)) {
    if (!op.has_rank(at.past) || op.rank(at.past) != 5) return op.set_type(1, at.type, "the past has not five axes");
    DimVector out(op.in(at.past).dims.begin(), op.in(at.past).dims.end());
    if (op.attr_int("past_present_share_buffer", 0) == 0) out[3] = op.dims().add(out[3], length);
    return op.set(1, at.type, out);
  }
  const auto heads = size_attribute(op, "num_heads");
  const Dim size = per_head(op, part_of_merged(op, at.weights, at.bias, 1));
  op.set(1, at.type, {op.literal(2), batch, heads ? *heads : op.unknown(kNoHeads, 2), length, size});
}

void infer_projected(OpContext& op, const Projected& at) {
  const Dim batch = dim_or_unknown(op, 0, 3, 0, 0);
  const Dim length = dim_or_unknown(op, 0, 3, 1, 1);
  op.set(0, at.type, {batch, length, part_of_merged(op, at.weights, at.bias, 2)});
  if (op.has_output(1)) set_merged_present(op, at, batch, length);
}

/// What MultiHeadAttention gets: apart, key and value packed (the value is left out), or all three packed.
struct QueryKeyValue {
  Dim batch;
  Dim length;
  Dim hidden;      ///< of the result
  Dim kv_length;   ///< tokens that are new to the key
  Dim key_size;    ///< per head
  Dim value_size;  ///< per head
};

std::optional<QueryKeyValue> operands_of(OpContext& op) {
  if (!op.has_rank(0) || (op.rank(0) != 3 && op.rank(0) != 5)) return std::nullopt;
  DimTable& t = op.dims();
  QueryKeyValue out;
  out.batch = op.dim(0, 0);
  out.length = out.kv_length = op.dim(0, 1);
  const auto heads = size_attribute(op, "num_heads");
  if (op.rank(0) == 5) {
    out.key_size = out.value_size = op.dim(0, 4);
    out.hidden = t.mul(op.dim(0, 2), op.dim(0, 4));
    return out;
  }
  if (!heads) return std::nullopt;
  if (!op.has_input(1) && !op.has_input(2)) {
    // [B, S, 3*N*D], which DecoderMaskedMultiHeadAttention accepts.
    out.hidden = t.floor_div(op.dim(0, 2), op.literal(3));
    out.key_size = out.value_size = t.floor_div(out.hidden, *heads);
    return out;
  }
  out.key_size = t.floor_div(op.dim(0, 2), *heads);
  if (!op.has_rank(1)) return std::nullopt;
  if (op.rank(1) == 5 && !op.has_input(2)) {
    out.hidden = op.dim(0, 2);
    out.kv_length = op.dim(1, 1);
    out.value_size = out.key_size;
    return out;
  }
  if (!op.has_rank(2) || op.rank(1) != op.rank(2)) return std::nullopt;
  if (op.rank(2) == 4) {
    out.kv_length = op.dim(1, 2);
    out.value_size = op.dim(2, 3);
    out.hidden = t.mul(op.dim(2, 1), op.dim(2, 3));
    return out;
  }
  if (op.rank(2) != 3) return std::nullopt;
  out.kv_length = op.dim(1, 1);
  out.hidden = op.dim(2, 2);
  out.value_size = t.floor_div(op.dim(2, 2), *heads);
  return out;
}

void set_present(OpContext& op, std::size_t output, std::size_t past, bool shares_buffer, const QueryKeyValue& operands,
                 Dim size) {
  const auto heads = size_attribute(op, "num_heads");
  if (!op.has_input(past)) {
    return op.set(output, op.type(0),
                  {operands.batch, heads ? *heads : op.unknown(kNoHeads, 1), operands.kv_length, size});
  }
  if (!op.has_rank(past) || op.rank(past) != 4) return op.set_type(output, op.type(past), "the past has not four axes");
  DimVector out(op.in(past).dims.begin(), op.in(past).dims.end());
  if (!shares_buffer) out[2] = op.dims().add(out[2], operands.kv_length);
  op.set(output, op.type(past), out);
}

void infer_heads(OpContext& op, std::size_t past_key, bool shares_buffer) {
  const auto operands = operands_of(op);
  if (!operands) {
    for (std::size_t i = 0; i < op.output_count(); ++i) op.set_type(i, op.type(0), kNoHidden);
    return;
  }
  op.set(0, op.type(0), {operands->batch, operands->length, operands->hidden});
  if (op.has_output(1)) set_present(op, 1, past_key, shares_buffer, *operands, operands->key_size);
  if (op.has_output(2)) set_present(op, 2, past_key + 1, shares_buffer, *operands, operands->value_size);
  if (!op.has_output(3)) return;
  const bool has_past = op.has_input(past_key) && op.has_rank(past_key) && op.rank(past_key) == 4;
  const Dim total = shares_buffer ? op.unknown("how much of the buffer is filled is known at run time only", 3)
                    : has_past    ? op.dims().add(op.dim(past_key, 2), operands->kv_length)
                                  : operands->kv_length;
  const auto heads = size_attribute(op, "num_heads");
  op.set(3, op.type(0), {operands->batch, heads ? *heads : op.unknown(kNoHeads, 1), operands->length, total});
}

}  // namespace

void infer_contrib_attention(OpContext& op) { infer_projected(op, {.type = op.type(0)}); }

/// The scale tells the type of the result.
void infer_qattention(OpContext& op) { infer_projected(op, {.past = 8, .type = op.type(3)}); }

void infer_multi_head_attention(OpContext& op) { infer_heads(op, 6, op.has_input(8)); }

void infer_decoder_masked_attention(OpContext& op) {
  infer_heads(op, 5, op.attr_int("past_present_share_buffer", 0) != 0);
}

/// Weights of query, key and value apart, from input 5 on.
void infer_qordered_attention(OpContext& op) { set_with_last(op, 0, 0, op.type(0), dim_or_unknown(op, 7, 2, 1, 2)); }

/// Tokens of all sequences side by side, without padding.
void infer_packed_attention(OpContext& op) {
  op.set(0, op.type(0), {dim_or_unknown(op, 0, 2, 0, 0), part_of_merged(op, 1, 2, 2)});
}

void infer_packed_multi_head_attention(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  if (op.rank(0) == 4) return op.set(0, op.type(0), {op.dim(0, 0), op.dims().mul(op.dim(0, 1), op.dim(0, 3))});
  op.set(0, op.type(0),
         {op.in(0).dims.empty() ? op.unknown(kNoHidden, 0) : op.dim(0, 0), dim_or_unknown(op, 2, 2, 1, 1)});
}

/// [S, B, N*D]; what is kept is [B, N, ?, D].
void infer_decoder_attention(OpContext& op) {
  op.set_like(0, 0);
  const auto heads = size_attribute(op, "num_heads");
  const Dim batch = dim_or_unknown(op, 0, 3, 1, 0);
  const Dim size = per_head(op, dim_or_unknown(op, 0, 3, 2, 3));
  for (const std::size_t output : {std::size_t{1}, std::size_t{2}}) {
    if (!op.has_output(output)) continue;
    op.set(
        output, op.type(0),
        {batch, heads ? *heads : op.unknown(kNoHeads, 1), op.unknown("inputs say at run time what is kept", 2), size});
  }
}

void infer_gemma_rotary_embedding(OpContext& op) {
  op.set_like(0, 1);
  op.set_like(1, 3);
}

/// [1, N, queries, keys]
void infer_relative_position_bias(OpContext& op) {
  const auto queries = number_in(op, 1);
  const auto keys = number_in(op, 2);
  constexpr std::string_view kLength = "the length is computed at run time";
  op.set(0, op.type(0),
         {op.literal(1), dim_or_unknown(op, 0, 2, 1, 1), queries ? *queries : op.unknown(kLength, 2),
          keys ? *keys : op.unknown(kLength, 3)});
}

/// [B, N, S, S]; packed tokens leave B and S to the offsets in input 6.
void infer_gated_relative_position_bias(OpContext& op) {
  const auto heads = size_attribute(op, "num_heads");
  const std::size_t source = op.has_input(6) ? 6 : 0;
  const std::size_t rank = source == 6 ? 2 : 3;
  const Dim length = dim_or_unknown(op, source, rank, 1, 2);
  op.set(0, op.type(0),
         {dim_or_unknown(op, source, rank, 0, 0), heads ? *heads : op.unknown(kNoHeads, 1), length, length});
}

}  // namespace trtcheck::shapes
