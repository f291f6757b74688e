// Attention of ONNX Runtime: Attention, MultiHeadAttention, RotaryEmbedding.
#include <cmath>

#include <fmt/format.h>

#include "cure/cures/contrib.hpp"

namespace trtcheck::cure {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

/// The last size of an input; nothing, with the reason, where it is not known.
std::optional<std::int64_t> last_size(Draft& draft, std::size_t input) {
  const ValueId value = draft.node().input(input);
  if (draft.rank(value).value_or(0) > 0 && draft.shapes()[value].dims.back().is_literal()) {
    return draft.shapes()[value].dims.back().value();
  }
  draft.refuse(fmt::format("the last size of `{}` is not known", draft.in(input)));
  return std::nullopt;
}

Name length_of(Writer& w, const Name& heads) {
  return w.gather(w.shape(heads), w.draft().ints_constant({2}, "axis"), 0);
}

/// What a mask of whole numbers adds to the scores: the filter value where it is 0.
std::optional<Name> added_mask(Writer& w, std::size_t input, const Name& keys, DataType type) {
  Draft& draft = w.draft();
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(input));
  const std::optional<DataType> mask_type = draft.type(draft.node().input(input));
  if (!rank || !mask_type || *rank < 1 || *rank > 3) {
    draft.refuse(
        fmt::format("rank and type of the mask `{}` are not known, or it is of the form of Megatron", draft.in(input)));
    return std::nullopt;
  }
  const double filter = draft.float_attribute("mask_filter_value", -10000);
  Name sees;
  if (*rank == 1) {
    const Dim batch = draft.in_shape(0).dims.front();
    if (draft.dims().equal(batch, draft.in_shape(input).dims.front()) != Truth::yes) {
      draft.refuse(fmt::format("it is not known what the vector `{}` says", draft.in(input)));
      return std::nullopt;
    }
    const Name places =
        w.op("Range", {draft.int_constant(0), w.squeeze(length_of(w, keys), {0}), draft.int_constant(1)});
    const Name lengths = *mask_type == DataType::int64 ? draft.in(input) : w.cast(draft.in(input), DataType::int64);
    sees = w.op("Less", {places, w.unsqueeze(lengths, {1})});
  } else {
    sees = w.op("Greater", {draft.in(input), draft.scalar(0, *mask_type, "zero")});
  }
  const Name added = w.where(sees, draft.scalar(0, type, "zero"), draft.scalar(filter, type, "filter"));
  return w.unsqueeze(added, *rank == 3 ? Ints{1} : Ints{1, 2});
}

struct Extras {
  std::size_t mask = 0;  ///< input of the mask
  std::size_t bias = 0;  ///< input that is added to the scores
  Name past_length{};    ///< INT64[1], "" = 0
};

/// Masks, causality and what is added, together.
bool add_bias(Writer& w, Heads& heads, const Extras& extras) {
  Draft& draft = w.draft();
  const auto more = [&](const Name& name) { heads.bias = heads.bias.empty() ? name : w.add(heads.bias, name); };
  if (draft.node().input(extras.mask)) {
    const std::optional<Name> mask = added_mask(w, extras.mask, heads.key, heads.type);
    if (!mask) return false;
    more(*mask);
  }
  if (draft.int_attribute("unidirectional", 0) != 0) {
    more(causal_bias(w, length_of(w, heads.query), length_of(w, heads.key), extras.past_length, heads.type));
  }
  if (draft.node().input(extras.bias)) more(draft.in(extras.bias));
  return true;
}

void set_scale(Draft& draft, Heads& heads, std::int64_t size) {
  heads.scale = draft.float_attribute("scale", 0);
  if (heads.scale == 0) heads.scale = 1 / std::sqrt(static_cast<double>(size));
}

bool attention(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::int64_t heads_count = draft.int_attribute("num_heads", 0);
  if (draft.int_attribute("do_rotary", 0) != 0) return draft.refuse("rotation inside of `Attention` is not spelt out");
  if (draft.int_attribute("past_present_share_buffer", 0) != 0) return draft.refuse("a shared cache is not spelt out");
  const std::optional<std::int64_t> width = last_size(draft, 1);
  if (!width || heads_count < 1) return false;
  const Ints sizes = draft.ints_attribute("qkv_hidden_sizes").value_or(Ints(3, *width / 3));
  if (sizes.size() != 3) return false;

  Name packed = w.matmul(draft.in(0), draft.in(1));
  if (draft.node().input(2)) packed = w.add(packed, draft.in(2));
  const std::vector<Name> parts = w.split(packed, sizes, 2);
  Heads heads{.query = heads_apart(w, parts[0], heads_count),
              .key = heads_apart(w, parts[1], heads_count),
              .value = heads_apart(w, parts[2], heads_count),
              .type = *type};
  set_scale(draft, heads, sizes[0] / heads_count);
  Extras extras{.mask = 3, .bias = 5};
  if (draft.node().input(4)) {
    const Name past_key = w.gather(draft.in(4), draft.int_constant(0), 0);
    const Name past_value = w.gather(draft.in(4), draft.int_constant(1), 0);
    extras.past_length = length_of(w, past_key);
    heads.key = w.concat({past_key, heads.key}, 2);
    heads.value = w.concat({past_value, heads.value}, 2);
  }
  if (draft.node().output(1)) {
    draft.becomes(1, w.concat({w.unsqueeze(heads.key, {0}), w.unsqueeze(heads.value, {0})}, 0));
  }
  if (!add_bias(w, heads, extras)) return false;
  draft.becomes(0, heads_together(w, attended(w, heads).y));
  draft.remove();
  return true;
}

bool multi_head(Writer& w) {
  Draft& draft = w.draft();
  const Node& node = draft.node();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::int64_t count = draft.int_attribute("num_heads", 0);
  if (count < 1) return false;
  if (!node.input(1) || !node.input(2) || draft.rank(node.input(0)) != 3U) {
    return draft.refuse("packed queries, keys and values are not spelt out");
  }
  if (node.inputs.size() > 8 || node.output(3)) return draft.refuse("shared caches and beams are not spelt out");
  const std::optional<std::int64_t> width = last_size(draft, 0);
  const std::optional<std::int64_t> value_width = last_size(draft, 2);
  if (!width || !value_width) return false;
  const bool has_heads = draft.rank(node.input(1)) == 4U;
  if (!has_heads && draft.rank(node.input(1)) != 3U) return draft.refuse("the rank of the keys is not known");

  std::vector<Name> inputs = {draft.in(0), draft.in(1), draft.in(2)};
  if (node.input(3)) {
    if (has_heads) return draft.refuse("a bias of keys that are apart is not spelt out");
    const std::vector<Name> biases = w.split(draft.in(3), {*width, *width, *value_width}, 0);
    for (std::size_t i = 0; i < biases.size(); ++i) inputs[i] = w.add(inputs[i], biases[i]);
  }
  Heads heads{.query = heads_apart(w, inputs[0], count),
              .key = has_heads ? inputs[1] : heads_apart(w, inputs[1], count),
              .value = has_heads ? inputs[2] : heads_apart(w, inputs[2], count),
              .type = *type};
  set_scale(draft, heads, *width / count);
  Extras extras{.mask = 4, .bias = 5};
  if (node.input(6) && node.input(7)) {
    extras.past_length = length_of(w, draft.in(6));
    heads.key = w.concat({draft.in(6), heads.key}, 2);
    heads.value = w.concat({draft.in(7), heads.value}, 2);
  }
  const Name key = heads.key;
  const Name value = heads.value;
  if (!add_bias(w, heads, extras)) return false;
  draft.becomes(0, heads_together(w, attended(w, heads).y));
  if (node.output(1)) draft.becomes(1, key);
  if (node.output(2)) draft.becomes(2, value);
  draft.remove();
  return true;
}

bool rotary_embedding(Writer& w) {
  Draft& draft = w.draft();
  const Node& node = draft.node();
  const std::optional<std::size_t> rank = draft.rank(node.input(0));
  const std::optional<std::int64_t> last = last_size(draft, 0);
  const std::optional<std::int64_t> cached = last_size(draft, 2);
  if (!rank || (*rank != 3 && *rank != 4) || !last || !cached) return false;
  if (draft.int_attribute("is_packed_batching", 0) != 0) return draft.refuse("a packed batch is not spelt out");
  const std::int64_t count = draft.int_attribute("num_heads", 0);
  Rotary rotary{.cos = {},
                .sin = {},
                .size = *rank == 4  ? *last
                        : count > 0 ? *last / count
                                    : 2 * *cached,
                .part = 2 * *cached,
                .is_interleaved = draft.int_attribute("interleaved", 0) != 0};
  if (rotary.size < 1 || rotary.part > rotary.size || *last % rotary.size != 0) return false;
  Name positions = draft.in(1);
  if (draft.rank(node.input(1)) == 1U) {
    // One number: where the first one stands.
    positions = w.unsqueeze(w.add(w.places(node.input(0), *rank - 2), draft.in(1)), {0});
  } else if (draft.rank(node.input(1)) != 2U) {
    return draft.refuse("the rank of the positions is not known");
  }
  const std::int64_t head_axis = *rank == 4 ? 1 : 2;
  rotary.cos = w.unsqueeze(w.gather(draft.in(2), positions, 0), {head_axis});
  rotary.sin = w.unsqueeze(w.gather(draft.in(3), positions, 0), {head_axis});
  const Name x = *rank == 4 ? draft.in(0) : w.reshape(draft.in(0), {0, 0, *last / rotary.size, rotary.size});
  const Name y = rotated(w, x, rotary);
  draft.becomes(0, *rank == 4 ? y : w.reshape(y, {0, 0, *last}));
  draft.remove();
  return true;
}

constexpr Expansion kContribAttentions[] = {{.op = "Attention", .write = attention},
                                            {.op = "GroupQueryAttention", .write = group_query_attention},
                                            {.op = "MultiHeadAttention", .write = multi_head},
                                            {.op = "RotaryEmbedding", .write = rotary_embedding}};

}  // namespace

std::span<const Expansion> contrib_attentions() noexcept { return kContribAttentions; }

}  // namespace trtcheck::cure
