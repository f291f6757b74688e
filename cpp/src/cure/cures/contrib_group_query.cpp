// GroupQueryAttention of ONNX Runtime: a cache whose rows are filled up to lengths of their own, rotation, causality.
#include <cmath>

#include <fmt/format.h>

#include "cure/cures/contrib.hpp"

namespace trtcheck::cure {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

constexpr std::int64_t kBatchDims = 12;  // GatherND has them from this opset on

enum Inputs : std::size_t {
  kQuery,
  kKey,
  kValue,
  kPastKey,
  kPastValue,
  kLengths,
  kTotal,
  kCos,
  kSin,
  kPositions,
  kBias
};

class GroupQuery {
 public:
  explicit GroupQuery(Writer& w) : w_(&w) {}

  bool write() {
    if (!may_be_written() || !find_sizes()) return false;
    find_places();
    Name parts[3];
    split_inputs(parts);
    Name query = heads_apart(*w_, parts[0], heads_);
    Name key = heads_apart(*w_, parts[1], few_);
    if (is_rotated_) {
      const std::optional<Rotary> rotary = rotation();
      if (!rotary) return false;
      query = rotated(*w_, query, *rotary);
      key = rotated(*w_, key, *rotary);
    }
    key = filled(kPastKey, key);
    const Name value = filled(kPastValue, heads_apart(*w_, parts[2], few_));
    Heads heads{.query = query,
                .key = repeated_heads(*w_, key, few_, heads_ / few_, size_),
                .value = repeated_heads(*w_, value, few_, heads_ / few_, size_),
                .scale = draft().float_attribute("scale", 0),
                .softcap = draft().float_attribute("softcap", 0),
                .bias = seen(),
                .type = type_};
    if (heads.scale == 0) heads.scale = 1 / std::sqrt(static_cast<double>(size_));
    if (draft().node().input(kBias)) heads.bias = w_->add(heads.bias, draft().in(kBias));
    draft().becomes(0, heads_together(*w_, attended(*w_, heads).y));
    if (draft().node().output(1)) draft().becomes(1, key);
    if (draft().node().output(2)) draft().becomes(2, value);
    draft().remove();
    return true;
  }

 private:
  [[nodiscard]] Draft& draft() { return w_->draft(); }

  bool may_be_written() {
    const Node& node = draft().node();
    const auto type = float_type(draft());
    if (!type) return false;
    type_ = *type;
    for (std::size_t i = kBias + 1; i < node.inputs.size(); ++i) {
      if (node.input(i)) return draft().refuse(fmt::format("input {} of GroupQueryAttention is not spelt out", i));
    }
    if (node.output(3)) return draft().refuse("products of queries and keys as an output are not spelt out");
    if (draft().int_attribute("smooth_softmax", 0) > 0) return draft().refuse("`smooth_softmax` is not spelt out");
    for (const std::string_view name : {"k_quant_type", "v_quant_type"}) {
      if (draft().text_attribute(name, "NONE") != "NONE") return draft().refuse("a quantized cache is not spelt out");
    }
    if (!node.input(kLengths) || !node.input(kTotal)) return false;
    has_past_ = static_cast<bool>(node.input(kPastKey)) && static_cast<bool>(node.input(kPastValue));
    is_rotated_ = draft().int_attribute("do_rotary", 0) != 0;
    if (draft().opset() < kBatchDims) return draft().refuse("GatherND has batch dims from opset 12 on");
    return draft().rank(node.input(kQuery)) == 3U || draft().refuse("the rank of the queries is not known");
  }

  bool find_sizes() {
    heads_ = draft().int_attribute("num_heads", 0);
    few_ = draft().int_attribute("kv_num_heads", 0);
    const Dim last = draft().in_shape(kQuery).dims.back();
    if (heads_ < 1 || few_ < 1 || heads_ % few_ != 0) return false;
    if (!last.is_literal()) return draft().refuse(fmt::format("the last size of `{}` is not known", draft().in(0)));
    is_packed_ = !draft().node().input(kKey);
    const std::int64_t all = is_packed_ ? heads_ + 2 * few_ : heads_;
    size_ = last.value() / all;
    return size_ > 0 && size_ * all == last.value();
  }

  /// How much of the cache is filled, where queries and keys stand; of each row of the batch.
  void find_places() {
    const ValueId query = draft().node().input(kQuery);
    count_ = w_->size(query, 1);
    const Name one = draft().ints_constant({1}, "one");
    const Name zero = draft().ints_constant({0}, "zero");
    const Name lengths = w_->reshape(w_->cast(draft().in(kLengths), DataType::int64), {-1, 1});
    past_ = w_->at_least(w_->sub(w_->add(lengths, one), count_), zero);
    places_ = w_->add(past_, w_->unsqueeze(w_->places(query, 1), {0}));
    const Name total = w_->reshape(w_->cast(draft().in(kTotal), DataType::int64), {1});
    cached_ = has_past_ ? w_->size(draft().node().input(kPastKey), 2) : zero;
    const Name all = has_past_ ? w_->at_least(total, cached_) : total;
    keys_ =
        w_->unsqueeze(w_->op("Range", {draft().int_constant(0), w_->squeeze(all, {0}), draft().int_constant(1)}), {0});
  }

  void split_inputs(Name (&parts)[3]) {
    if (!is_packed_) {
      for (std::size_t i = 0; i < 3; ++i) parts[i] = draft().in(i);
      return;
    }
    const std::vector<Name> made = w_->split(draft().in(kQuery), {heads_ * size_, few_ * size_, few_ * size_}, 2);
    for (std::size_t i = 0; i < 3; ++i) parts[i] = made[i];
  }

  std::optional<Rotary> rotation() {
    const ValueId cos = draft().node().input(kCos);
    if (!cos || !draft().node().input(kSin) || draft().rank(cos) != 2U ||
        !draft().in_shape(kCos).dims.back().is_literal()) {
      draft().refuse("the size of the rotation is not known");
      return std::nullopt;
    }
    Rotary rotary{.cos = {},
                  .sin = {},
                  .size = size_,
                  .part = 2 * draft().in_shape(kCos).dims.back().value(),
                  .is_interleaved = draft().int_attribute("rotary_interleaved", 0) != 0};
    if (rotary.part > size_) return std::nullopt;
    const Name places = draft().node().input(kPositions) ? draft().in(kPositions) : places_;
    rotary.cos = w_->unsqueeze(w_->gather(draft().in(kCos), places, 0), {1});
    rotary.sin = w_->unsqueeze(w_->gather(draft().in(kSin), places, 0), {1});
    return rotary;
  }

  /// The cache, with what is new behind what each row had.
  Name filled(std::size_t past, const Name& now) {
    if (!has_past_) return now;
    const Name both = w_->transpose(w_->concat({draft().in(past), now}, 2), {0, 2, 1, 3});
    const Name behind = w_->add(w_->sub(keys_, past_), cached_);
    const Name last = w_->sub(w_->add(cached_, count_), draft().ints_constant({1}, "one"));
    const Name from = w_->op("Min", {w_->where(w_->op("Less", {keys_, past_}), keys_, behind), last});
    const Name rows = w_->op("GatherND", {both, w_->unsqueeze(from, {2})}, {{"batch_dims", std::int64_t{1}}});
    return w_->transpose(rows, {0, 2, 1, 3});
  }

  /// What is added to the scores: a key is seen from its place on, within the window.
  Name seen() {
    const Name here = w_->unsqueeze(places_, {2});
    const Name there = w_->unsqueeze(keys_, {0});
    Name sees = w_->op("Not", {w_->op("Greater", {there, here})});
    const std::int64_t window = draft().int_attribute("local_window_size", -1);
    if (window > 0) {
      const Name first = w_->sub(here, draft().ints_constant({window}, "window"));
      sees = w_->op("And", {sees, w_->op("Greater", {there, first})});
    }
    return w_->unsqueeze(mask_bias(*w_, sees, type_), {1});
  }

  Writer* w_;
  DataType type_ = DataType::float32;
  bool has_past_ = false;
  bool is_rotated_ = false;
  bool is_packed_ = false;
  std::int64_t heads_ = 0;
  std::int64_t few_ = 0;
  std::int64_t size_ = 0;
  Name count_;   ///< of new places, INT64[1]
  Name cached_;  ///< places of the cache, INT64[1]
  Name past_;    ///< of them that are filled, INT64[batch, 1]
  Name places_;  ///< of the queries, INT64[batch, count]
  Name keys_;    ///< places of the keys, INT64[1, all]
};

}  // namespace

bool group_query_attention(Writer& w) { return GroupQuery(w).write(); }

}  // namespace trtcheck::cure
