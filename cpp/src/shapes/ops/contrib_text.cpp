// Operators of ONNX Runtime on words and sequences of tokens: generation, recurrent layers, tokenizers.
#include <span>

#include "shapes/ops/contrib.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kRunTime = "the length is computed at run time";

Dim number_or_unknown(OpContext& op, std::size_t input, std::int32_t axis) {
  const auto number = number_in(op, input);
  return number ? *number : op.unknown(kRunTime, axis);
}

Dim attribute_or_unknown(OpContext& op, std::string_view name, std::int32_t axis) {
  const auto size = size_attribute(op, name);
  return size ? *size : op.unknown("an attribute is missing", axis);
}

/// All hidden states, the last one, the last cell. `hidden` is used when no attribute states the size.
void set_states(OpContext& op, Dim hidden) {
  const Dim directions = op.literal(op.attr_string("direction", "forward") == "bidirectional" ? 2 : 1);
  const auto stated = size_attribute(op, "hidden_size");
  const Dim size = stated ? *stated : hidden;
  const Dim batch = dim_or_unknown(op, 0, 3, 1, 1);
  op.set(0, op.type(0), {dim_or_unknown(op, 0, 3, 0, 0), directions, batch, size});
  op.set(1, op.type(0), {directions, batch, size});
  op.set(2, op.type(0), {directions, batch, size});
}

/// One hash per order of n-gram and head.
Dim hashes(OpContext& op, std::int32_t axis) {
  const std::int64_t orders = op.attr_int("max_ngram_size", 0) - 1;
  if (orders < 1) return op.unknown("an attribute is missing", axis);
  return op.dims().mul(op.literal(orders), attribute_or_unknown(op, "n_head_per_ngram", axis));
}

/// Identifiers that are kept for the next call.
Dim kept_ids(OpContext& op, std::int32_t axis) {
  return op.dims().sub(attribute_or_unknown(op, "max_ngram_size", axis), op.literal(1));
}

}  // namespace

/// [batch, sequences, length], their scores, and the scores of every step.
void infer_beam_search(OpContext& op) {
  const Dim batch = op.has_rank(0) && op.rank(0) > 0 ? op.dim(0, 0) : op.unknown("the batch size is not known", 0);
  const Dim sequences = number_or_unknown(op, 4, 1);
  const Dim longest = number_or_unknown(op, 1, 2);
  const DataType scores = op.has_input(5) ? op.type(5) : DataType::undefined;
  op.set(0, DataType::int32, {batch, sequences, longest});
  op.set(1, scores, {batch, sequences});
  // Decoders alone begin behind the prompt; what others begin with is not followed.
  const bool is_decoder = op.attr_int("model_type", 0) == 0;
  const Dim steps = is_decoder ? op.dims().sub(longest, dim_or_unknown(op, 0, 2, 1, 0)) : op.unknown(kRunTime, 0);
  if (op.has_output(2)) {
    op.set(2, scores, {steps, batch, number_or_unknown(op, 3, 2), attribute_or_unknown(op, "vocab_size", 3)});
  }
  op.set_type(3, DataType::float32, "attention that is gathered over all steps is not followed");
  op.set(4, scores, {batch});
}

void infer_greedy_search(OpContext& op) {
  const Dim batch = dim_or_unknown(op, 0, 2, 0, 0);
  op.set(0, DataType::int32, {batch, number_or_unknown(op, 1, 1)});
  if (op.has_output(1)) op.set(1, DataType::float32, {batch, attribute_or_unknown(op, "vocab_size", 1)});
}

/// R is [directions, hidden size, 4*hidden size].
void infer_dynamic_quantize_lstm(OpContext& op) { set_states(op, dim_or_unknown(op, 2, 3, 1, 3)); }

/// R is [directions, 4*hidden size, hidden size].
void infer_attention_lstm(OpContext& op) { set_states(op, dim_or_unknown(op, 2, 3, 2, 3)); }

/// One axis more: the words of a text.
void infer_tokenizer(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, DataType::string, {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  out.push_back(op.unknown("as many words as the longest text has", static_cast<std::int32_t>(out.size())));
  op.set(0, DataType::string, out);
}

/// [words, letters] become one vector per word.
void infer_word_conv_embedding(OpContext& op) {
  const auto stated = size_attribute(op, "embedding_size");
  const bool has_filters = op.has_rank(1) && op.rank(1) > 0;
  const Dim size = stated ? *stated : has_filters ? op.dim(1, 0) : op.unknown("the weight is not known", 1);
  op.set(0, op.type(1), {dim_or_unknown(op, 0, 2, 0, 0), size});
}

void infer_ngram_hash_mapping(OpContext& op) {
  const Dim batch = dim_or_unknown(op, 0, 2, 0, 0);
  op.set(0, op.type(0), {batch, dim_or_unknown(op, 0, 2, 1, 1), hashes(op, 2)});
  op.set(1, op.type(0), {batch, kept_ids(op, 1)});
}

/// Tokens of all sequences side by side; offsets are one more than there are sequences.
void infer_varlen_ngram_hash_mapping(OpContext& op) {
  op.set(0, op.type(0), {dim_or_unknown(op, 0, 1, 0, 0), hashes(op, 1)});
  const Dim batch = op.dims().sub(dim_or_unknown(op, 3, 1, 0, 0), op.literal(1));
  op.set(1, op.type(0), {batch, kept_ids(op, 1)});
  op.set(2, DataType::int32, {batch, kept_ids(op, 1)});
  if (!op.has_output(3)) return;
  op.set(3, op.type(0), {batch, op.literal(op.attr_int("state_update_capacity", 0)), kept_ids(op, 2)});
}

void infer_bifurcation_detector(OpContext& op) {
  op.set(0, DataType::int64, {op.unknown(kRunTime, 0)});
  op.set(1, DataType::int64, {});
}

}  // namespace trtcheck::shapes
