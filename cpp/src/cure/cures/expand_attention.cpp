// Attention and rotary embeddings, spelt out.
#include <cmath>

#include <fmt/format.h>

#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {

using Ints = Writer::Ints;
using Name = Writer::Name;

Name heads_apart(Writer& w, const Name& x, std::int64_t heads) {
  return w.transpose(w.reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}

Name heads_together(Writer& w, const Name& x) { return w.reshape(w.transpose(x, {0, 2, 1, 3}), {0, 0, -1}); }

Name repeated_heads(Writer& w, const Name& x, std::int64_t heads, std::int64_t times, std::int64_t size) {
  if (times == 1) return x;
  const Name apart = w.unsqueeze(x, {2});
  const Name repeated = w.op("Expand", {apart, w.draft().ints_constant({1, 1, times, 1, 1}, "times")});
  return w.reshape(repeated, {0, heads * times, -1, size});
}

Name causal_bias(Writer& w, const Name& queries, const Name& keys, const Name& past, DataType type) {
  Draft& draft = w.draft();
  const auto counting = [&](const Name& size) {
    return w.op("Range", {draft.int_constant(0), w.squeeze(size, {0}), draft.int_constant(1)});
  };
  Name row = counting(queries);
  if (!past.empty()) row = w.add(row, past);
  const Name is_later = w.op("Less", {w.unsqueeze(row, {1}), w.unsqueeze(counting(keys), {0})});
  return w.where(is_later, draft.scalar(-INFINITY, type, "never"), draft.scalar(0, type, "zero"));
}

Name mask_bias(Writer& w, const Name& mask, DataType type) {
  return w.where(mask, w.draft().scalar(0, type, "zero"), w.draft().scalar(-INFINITY, type, "never"));
}

Attended attended(Writer& w, const Heads& heads) {
  Draft& draft = w.draft();
  constexpr std::size_t kRank = 4;
  // Half of the scale each, so that FLOAT16 does not overflow.
  const Name scale = draft.scalar(std::sqrt(heads.scale), heads.type, "scale");
  const Name keys = w.mul(w.transpose(heads.key, {0, 1, 3, 2}), scale);
  Attended made;
  made.scores = w.matmul(w.mul(heads.query, scale), keys);
  Name scores = made.scores;
  if (heads.softcap != 0) {
    const Name cap = draft.scalar(heads.softcap, heads.type, "cap");
    scores = w.mul(cap, w.op("Tanh", {w.div(scores, cap)}));
  }
  if (!heads.bias.empty()) scores = w.add(scores, heads.bias);
  const bool is_cast = heads.precise && *heads.precise != heads.type;
  made.shares = w.softmax(is_cast ? w.cast(scores, *heads.precise) : scores, kRank);
  if (is_cast) made.shares = w.cast(made.shares, heads.type);
  made.y = w.matmul(made.shares, heads.value);
  return made;
}

Name rotated(Writer& w, const Name& x, const Rotary& rotary) {
  constexpr std::int64_t kLast = 3;
  const std::int64_t half = rotary.part / 2;
  Name turned = x;
  Name rest;
  if (rotary.part != rotary.size) {
    const std::vector<Name> parts = w.split(x, {rotary.part, rotary.size - rotary.part}, kLast);
    turned = parts[0];
    rest = parts[1];
  }
  std::vector<Name> two;
  if (rotary.is_interleaved) {
    for (const Name& part : w.split(w.reshape(turned, {0, 0, 0, half, 2}), {1, 1}, kLast + 1)) {
      two.push_back(w.squeeze(part, {kLast + 1}));
    }
  } else {
    two = w.split(turned, {half, half}, kLast);
  }
  const Name real = w.sub(w.mul(rotary.cos, two[0]), w.mul(rotary.sin, two[1]));
  const Name imaginary = w.add(w.mul(rotary.sin, two[0]), w.mul(rotary.cos, two[1]));
  Name made;
  if (rotary.is_interleaved) {
    made = w.concat({w.unsqueeze(real, {kLast + 1}), w.unsqueeze(imaginary, {kLast + 1})}, kLast + 1);
    made = w.reshape(made, {0, 0, 0, rotary.part});
  } else {
    made = w.concat({real, imaginary}, kLast);
  }
  return rest.empty() ? made : w.concat({made, rest}, kLast);
}

namespace {

/// The number of an axis; nothing, with the reason, where it is not known.
std::optional<std::int64_t> known_size(Draft& draft, std::size_t input, std::size_t axis) {
  const ValueId value = draft.node().input(input);
  if (draft.rank(value).value_or(0) > axis && draft.shapes()[value].dims[axis].is_literal()) {
    return draft.shapes()[value].dims[axis].value();
  }
  draft.refuse(fmt::format("the size of axis {} of `{}` is not known", axis, draft.in(input)));
  return std::nullopt;
}

struct Layout {
  bool has_rank_3 = false;
  std::int64_t query_heads = 0;
  std::int64_t key_heads = 0;
  std::int64_t head_size = 0;
  std::int64_t value_size = 0;
};

std::optional<Layout> layout_of(Draft& draft) {
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank || (*rank != 3 && *rank != 4)) return std::nullopt;
  for (std::size_t i = 1; i < 3; ++i) {
    if (draft.rank(draft.node().input(i)) != rank) {
      draft.refuse("queries, keys and values are not known to be of one rank");
      return std::nullopt;
    }
  }
  Layout layout{.has_rank_3 = *rank == 3};
  const std::optional<std::int64_t> key_last = known_size(draft, 1, *rank - 1);
  const std::optional<std::int64_t> value_last = known_size(draft, 2, *rank - 1);
  if (!key_last || !value_last) return std::nullopt;
  if (layout.has_rank_3) {
    layout.query_heads = draft.int_attribute("q_num_heads", 0);
    layout.key_heads = draft.int_attribute("kv_num_heads", 0);
    if (layout.query_heads < 1 || layout.key_heads < 1) return std::nullopt;
    layout.head_size = *key_last / layout.key_heads;
    layout.value_size = *value_last / layout.key_heads;
  } else {
    const std::optional<std::int64_t> query_heads = known_size(draft, 0, 1);
    const std::optional<std::int64_t> key_heads = known_size(draft, 1, 1);
    if (!query_heads || !key_heads) return std::nullopt;
    layout = {false, *query_heads, *key_heads, *key_last, *value_last};
  }
  if (layout.head_size < 1 || layout.key_heads < 1 || layout.query_heads % layout.key_heads != 0) return std::nullopt;
  return layout;
}

/// Mask and causality, added to the scores; nothing, with the reason: it cannot be written.
std::optional<Name> bias_of(Writer& w, const Name& query, const Name& key, const Name& past, DataType type) {
  Draft& draft = w.draft();
  Name bias;
  if (draft.node().input(3)) {
    const std::optional<DataType> mask = draft.type(draft.node().input(3));
    if (!mask) {
      draft.refuse("the element type of the mask is not known");
      return std::nullopt;
    }
    bias = *mask == DataType::boolean ? mask_bias(w, draft.in(3), type)
           : *mask == type            ? draft.in(3)
                                      : w.cast(draft.in(3), type);
  }
  if (draft.int_attribute("is_causal", 0) == 0) return bias;
  const Name length = draft.ints_constant({2}, "axis");
  const Name queries = w.gather(w.shape(query), length, 0);
  const Name keys = w.gather(w.shape(key), length, 0);
  const Name before = past.empty() ? past : w.gather(w.shape(past), length, 0);
  const Name causal = causal_bias(w, queries, keys, before, type);
  return bias.empty() ? causal : w.add(bias, causal);
}

bool attention(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  if (draft.type(draft.node().input(2)) != type) return draft.refuse("queries and values are of different types");
  if (draft.node().input(6)) return draft.refuse("`nonpad_kv_seqlen` is not spelt out");
  const std::int64_t mode = draft.int_attribute("qk_matmul_output_mode", 0);
  if (draft.node().output(3) && mode != 0 && mode != 3) {
    return draft.refuse("what `qk_matmul_output_mode` 1 and 2 mean is not the same in all versions of ONNX");
  }
  const std::optional<Layout> layout = layout_of(draft);
  if (!layout) return false;

  const auto apart = [&](std::size_t input, std::int64_t heads) {
    return layout->has_rank_3 ? heads_apart(w, draft.in(input), heads) : draft.in(input);
  };
  Heads heads{.query = apart(0, layout->query_heads),
              .key = apart(1, layout->key_heads),
              .value = apart(2, layout->key_heads),
              .scale = draft.float_attribute("scale", 0),
              .softcap = draft.float_attribute("softcap", 0),
              .type = *type};
  if (heads.scale == 0) heads.scale = 1 / std::sqrt(static_cast<double>(layout->head_size));
  if (const std::int64_t precise = draft.int_attribute("softmax_precision", 0); precise != 0) {
    heads.precise = static_cast<DataType>(precise);
  }
  const Name past = draft.node().input(4) ? draft.in(4) : Name();
  if (!past.empty()) heads.key = w.concat({past, heads.key}, 2);
  if (draft.node().input(5)) heads.value = w.concat({draft.in(5), heads.value}, 2);
  const Name present_key = heads.key;
  const Name present_value = heads.value;
  const std::optional<Name> bias = bias_of(w, heads.query, heads.key, past, *type);
  if (!bias) return false;
  heads.bias = *bias;
  const std::int64_t times = layout->query_heads / layout->key_heads;
  heads.key = repeated_heads(w, heads.key, layout->key_heads, times, layout->head_size);
  heads.value = repeated_heads(w, heads.value, layout->key_heads, times, layout->value_size);
  const Attended made = attended(w, heads);
  draft.becomes(0, layout->has_rank_3 ? heads_together(w, made.y) : made.y);
  if (draft.node().output(1)) draft.becomes(1, present_key);
  if (draft.node().output(2)) draft.becomes(2, present_value);
  if (draft.node().output(3)) draft.becomes(3, mode == 0 ? made.scores : made.shares);
  return true;
}

bool rotary_embedding(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank || (*rank != 3 && *rank != 4)) return draft.refuse("the rank is not known to be 3 or 4");
  const std::int64_t heads = draft.int_attribute("num_heads", 0);
  const std::optional<std::int64_t> last = known_size(draft, 0, *rank - 1);
  if (!last) return false;
  if (*rank == 3 && (heads < 1 || *last % heads != 0)) return false;
  Rotary rotary{.cos = draft.in(1),
                .sin = draft.in(2),
                .size = *rank == 4 ? *last : *last / heads,
                .is_interleaved = draft.int_attribute("interleaved", 0) != 0};
  rotary.part = draft.int_attribute("rotary_embedding_dim", 0);
  if (rotary.part == 0) rotary.part = rotary.size;
  if (rotary.part > rotary.size || rotary.part % 2 != 0) return false;
  if (draft.node().input(3)) {
    rotary.cos = w.gather(rotary.cos, draft.in(3), 0);
    rotary.sin = w.gather(rotary.sin, draft.in(3), 0);
  }
  // Heads stand before the length in rank 4, behind it in rank 3.
  const std::int64_t head_axis = *rank == 4 ? 1 : 2;
  rotary.cos = w.unsqueeze(rotary.cos, {head_axis});
  rotary.sin = w.unsqueeze(rotary.sin, {head_axis});
  const Name x = *rank == 4 ? draft.in(0) : w.reshape(draft.in(0), {0, 0, heads, rotary.size});
  const Name y = rotated(w, x, rotary);
  draft.becomes(0, *rank == 4 ? y : w.reshape(y, {0, 0, *last}));
  return true;
}

constexpr Expansion kExpandAttention[] = {{.op = "Attention", .write = attention},
                                          {.op = "RotaryEmbedding", .write = rotary_embedding}};

}  // namespace

std::span<const Expansion> attention_expansions() noexcept { return kExpandAttention; }

}  // namespace trtcheck::cure
