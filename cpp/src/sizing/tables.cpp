// Tables that hold sizes: targets, repeats, ends.
#include "sizing/trier.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dims/product.hpp"

namespace trtcheck::sizing {

namespace {

// Exporters write INT64_MAX or INT32_MAX for "to the end".
constexpr std::int64_t kFar = std::int64_t{1} << 30;

}  // namespace

void Trier::at_reshape(NodeId id, const Node& node, std::vector<Change>& made) {
  const ValueShape& data = shape(node.input(0));
  const auto target = ints(node.input(1));
  const auto wanted = sizes_before(node.output(0));
  if (!target || !wanted || !is_any_dynamic(data) || !sizes_before(node.input(0))) return;
  std::vector<Factors> given;
  for (std::size_t axis = 0; axis < data.rank(); ++axis) given.push_back(factors(node.input(0), axis));
  std::optional<Split> found = split(given, *wanted, 0);
  if (!found) {
    return object(
        id, fmt::format("its sizes [{}] take a dynamic one of [{}] apart", fmt::join(*wanted, ", "), text(data.dims)));
  }
  if (found->ways > 1) {
    const std::string key = fmt::format("[{}] to [{}]", text(data.dims), fmt::join(*wanted, ", "));
    found = split(given, *wanted, decide(key, found->ways, id));
  }
  std::vector<Dim> out;
  for (std::size_t i = 0; i < found->dims.size(); ++i) {
    out.push_back(product_of(*dims_, found->dims[i]));
    factors_[place(node.output(0), i)] = std::move(found->dims[i]);
  }
  learnt_.insert(node.output(0).index);
  const bool zero_copies = int_of(node, "allowzero", 0) == 0;
  if (is_made(*target, data.dims, out, zero_copies)) return;
  made.push_back({.input = 1, .entries = target_for(data.dims, out, zero_copies)});
}

std::string Trier::text(std::span<const Dim> dims) const {
  std::vector<std::string> parts;
  for (const Dim dim : dims) parts.push_back(dims_->text(dim));
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool Trier::is_made(const Numbers& target, std::span<const Dim> given, std::span<const Dim> out,
                    bool zero_copies) const {
  std::optional<std::size_t> inferred;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] == -1) {
      inferred = i;
    } else if (target[i] == 0 && zero_copies) {
      if (i >= given.size() || !given[i].same(out[i])) return false;
    } else if (!out[i].is(target[i])) {
      return false;
    }
  }
  return inferred || product(*dims_, given).same(product(*dims_, out));
}

std::vector<Dim> Trier::target_for(std::span<const Dim> given, std::span<const Dim> out, bool zero_copies) const {
  std::vector<Dim> target;
  bool has_inferred = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].is_literal()) {
      target.push_back(out[i]);
    } else if (zero_copies && i < given.size() && given[i].same(out[i])) {
      target.push_back(dims_->literal(0));
    } else if (!has_inferred) {
      has_inferred = true;
      target.push_back(dims_->literal(-1));
    } else {
      target.push_back(out[i]);
    }
  }
  return target;
}

void Trier::at_flatten(NodeId /*id*/, const Node& node, std::vector<Change>& /*made*/) {
  const ValueShape& data = shape(node.input(0));
  if (!is_any_dynamic(data)) return;
  const auto rank = static_cast<std::int64_t>(data.rank());
  const std::int64_t given = int_of(node, "axis", 1);
  const auto axis = static_cast<std::size_t>(std::clamp(given < 0 ? given + rank : given, std::int64_t{0}, rank));
  Factors halves[2];
  for (std::size_t i = 0; i < data.rank(); ++i) {
    const Factors part = factors(node.input(0), i);
    Factors& half = halves[i < axis ? 0 : 1];
    half.insert(half.end(), part.begin(), part.end());
  }
  factors_[place(node.output(0), 0)] = std::move(halves[0]);
  factors_[place(node.output(0), 1)] = std::move(halves[1]);
}

Dim Trier::freed_or(std::int64_t number, std::size_t index, NodeId id) {
  std::vector<const Freed*> alike;
  for (const Freed& one : *freed_) {
    const bool is_new = std::ranges::find(alike, one.symbol, &Freed::symbol) == alike.end();
    if (number > 1 && one.number == number && is_new) alike.push_back(&one);
  }
  if (alike.empty()) return dims_->literal(number);
  const std::size_t way =
      decide(fmt::format("entry {} of {}: {}", index, label(*model_, id), number), alike.size() + 1, id);
  return way == 0 ? dims_->literal(number) : symbol(*alike[way - 1]);
}

void Trier::add_table(std::size_t input, const Numbers& old, std::vector<Dim> entries, std::vector<Change>& made) {
  const bool is_same = std::ranges::equal(old, entries, [](std::int64_t a, Dim b) { return b.is(a); });
  if (!is_same) made.push_back({.input = input, .entries = std::move(entries)});
}

void Trier::at_expand(NodeId id, const Node& node, std::vector<Change>& made) {
  const ValueShape& data = shape(node.input(0));
  const auto target = ints(node.input(1));
  if (!target || !data.has_rank) return;
  std::vector<Dim> entries;
  for (std::size_t i = 0; i < target->size(); ++i) {
    const std::size_t back = target->size() - i;
    const Dim dim = back <= data.rank() ? data.dims[data.rank() - back] : dims_->literal(1);
    const std::int64_t entry = (*target)[i];
    if (is_dynamic(dim)) {
      if (entry > 1 && number_of(dim) != entry)
        object(id, fmt::format("it repeats `{}` to {}", dims_->text(dim), entry));
      entries.push_back(dims_->literal(1));
    } else {
      entries.push_back(dim.is(1) ? freed_or(entry, i, id) : dims_->literal(entry));
    }
  }
  add_table(1, *target, std::move(entries), made);
}

void Trier::at_tile(NodeId id, const Node& node, std::vector<Change>& made) {
  const ValueShape& data = shape(node.input(0));
  const auto repeats = ints(node.input(1));
  if (!repeats || !data.has_rank || data.rank() != repeats->size()) return;
  std::vector<Dim> entries;
  for (std::size_t i = 0; i < repeats->size(); ++i) {
    entries.push_back(data.dims[i].is(1) ? freed_or((*repeats)[i], i, id) : dims_->literal((*repeats)[i]));
  }
  add_table(1, *repeats, std::move(entries), made);
}

void Trier::at_filled(NodeId id, const Node& node, std::vector<Change>& made) {
  const auto target = ints(node.input(0));
  if (!target) return;
  std::vector<Dim> entries;
  for (std::size_t i = 0; i < target->size(); ++i) entries.push_back(freed_or((*target)[i], i, id));
  add_table(0, *target, std::move(entries), made);
}

void Trier::at_slice(NodeId id, const Node& node, std::vector<Change>& made) {
  const ValueShape& data = shape(node.input(0));
  const auto starts = ints(node.input(1));
  const auto ends = ints(node.input(2));
  if (!starts || !ends || starts->size() != ends->size() || !is_any_dynamic(data)) return;
  const auto axes = node.input(3) ? ints(node.input(3)) : std::optional<Numbers>();
  const auto steps = node.input(4) ? ints(node.input(4)) : std::optional<Numbers>();
  std::vector<Dim> entries;
  for (std::size_t i = 0; i < ends->size(); ++i) {
    std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
    if (axis < 0) axis += static_cast<std::int64_t>(data.rank());
    const bool is_inside = axis >= 0 && axis < static_cast<std::int64_t>(data.rank());
    const bool is_forward = !steps || i >= steps->size() || (*steps)[i] > 0;
    std::int64_t end = (*ends)[i];
    if (is_inside && is_forward) end = end_of_slice(id, data.dims[static_cast<std::size_t>(axis)], (*starts)[i], end);
    entries.push_back(dims_->literal(end));
  }
  // The far end is no dim: it is beyond what dims hold.
  if (std::ranges::equal(*ends, entries, [](std::int64_t a, Dim b) { return b.is(a); })) return;
  made.push_back({.input = 2, .entries = std::move(entries)});
}

std::int64_t Trier::end_of_slice(NodeId id, Dim dim, std::int64_t start, std::int64_t end) {
  const auto number = number_of(dim);
  if (!is_dynamic(dim) || !number || end < 0 || end >= kFar) return end;
  if (end < *number) {
    object(id, fmt::format("it takes entries {} to {} of the {} of `{}`: which of another number, the file does not "
                           "say",
                           start, end, *number, dims_->text(dim)));
    return end;
  }
  if (*number > 1 || start != 0) return kFarEnd;
  return decide(fmt::format("end of {}", label(*model_, id)), 2, id) == 0 ? kFarEnd : end;
}

void Trier::at_resize(NodeId id, const Node& node, std::vector<Change>& made) {
  const ValueShape& data = shape(node.input(0));
  const ValueShape& sizes = shape(node.input(3));
  const bool is_known = node.input(3) && sizes.is_known && sizes.known.size() == data.rank();
  if (!is_known || !is_any_dynamic(data) || node.attribute("axes") != nullptr) return;
  std::vector<Dim> entries;
  bool is_changed = false;
  for (std::size_t i = 0; i < data.rank(); ++i) {
    const Dim dim = data.dims[i];
    const Dim size = sizes.known[i];
    const bool is_baked = is_dynamic(dim) && size.is_literal();
    const bool is_kept = is_baked && number_of(dim) == size.value();
    if (is_baked && !is_kept) {
      object(id, fmt::format("it makes {} of `{}`: how many of another number, the file does not say", size.value(),
                             dims_->text(dim)));
    }
    is_changed = is_changed || is_kept;
    entries.push_back(is_kept ? dim : size);
  }
  if (is_changed) made.push_back({.input = 3, .entries = std::move(entries)});
}

}  // namespace trtcheck::sizing
