#include "shapes/assume.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dims/checked.hpp"
#include "shapes/assumed_sizes.hpp"
#include "shapes/infer.hpp"
#include "text/suggest.hpp"

namespace trtcheck::shapes {
namespace {

/// Bounds that follow from bounds that follow: more rounds find little.
constexpr int kRounds = 8;
constexpr std::size_t kListed = 8;

std::string range_text(const NamedSize& size) {
  if (size.range.high == Interval::kMax) return fmt::format("`{}` is at least {}", size.name, size.range.low);
  return fmt::format("`{}` is from {} to {}", size.name, size.range.low, size.range.high);
}

class Assumptions {
 public:
  Assumptions(const Model& model, const InferOptions& options) : sizes_(named_sizes(model, options)) {
    for (const NamedSize& size : sizes_) names_.push_back(size.name);
    for (const std::string& text : options.assume) {
      for (Relation& each : read_relations(text)) relations_.push_back(std::move(each));
    }
  }

  void take(DimTable& table) {
    check_names();
    for (const Relation& each : relations_) {
      if (each.kind == Relation::Kind::multiple) take_multiple(each);
    }
    for (int round = 0; round < kRounds && bound_all(); ++round) continue;
    for (const NamedSize& size : sizes_) check_multiple(size);
    declare(table);
    for (const Relation& each : relations_) {
      if (each.kind == Relation::Kind::equal) solve(table, each);
    }
    for (const Relation& each : relations_) {
      if (each.kind == Relation::Kind::multiple || each.kind == Relation::Kind::equal) continue;
      table.narrow(in_meanings(table, gap(table, each)), {0, Interval::kMax});
    }
    for (const auto& [name, meaning] : meanings_) {
      table.narrow(meaning, find(name)->range);
      table.define(name, meaning);
    }
  }

 private:
  [[nodiscard]] NamedSize* find(std::string_view name) {
    const auto found = std::ranges::find(sizes_, name, &NamedSize::name);
    return found == sizes_.end() ? nullptr : &*found;
  }

  [[nodiscard]] Dim side(DimTable& table, const Relation& of, const std::string& text) const {
    const std::optional<Dim> made = table.expression(text, names_);
    if (!made || !table.is_exact(*made)) {
      refuse_assumed(of.text, fmt::format("`{}` cannot be read as an expression over sizes", text));
    }
    return *made;
  }

  /// 0 where both sides are equal, else how much the right side is larger.
  [[nodiscard]] Dim gap(DimTable& table, const Relation& of) const {
    const Dim apart = table.sub(side(table, of, of.right), side(table, of, of.left));
    return of.kind == Relation::Kind::less ? table.sub(apart, table.literal(1)) : apart;
  }

  void check_names() {
    for (const Relation& each : relations_) {
      DimTable scratch;
      for (const std::string* text : {&each.left, &each.right}) {
        if (text->empty()) continue;
        for (const std::string_view name : scratch.symbols(side(scratch, each, *text))) {
          if (find(name) == nullptr) refuse_name(each, name);
        }
      }
    }
  }

  [[noreturn]] void refuse_name(const Relation& of, std::string_view name) const {
    const std::string near = did_you_mean(name, names_);
    std::string known;
    if (near.empty()) {
      const std::span first = std::span(names_).first(std::min(names_.size(), kListed));
      known = names_.empty() ? "; all sizes are numbers"
                             : fmt::format("; it names `{}`{}", fmt::join(first, "`, `"),
                                           names_.size() > kListed ? " and others" : "");
    }
    refuse_assumed(of.text, fmt::format("the model has no size `{}`{}{}", name, near, known));
  }

  void take_multiple(const Relation& of) {
    DimTable scratch;
    const auto linear = scratch.linear(side(scratch, of, of.left));
    if (!linear || linear->constant != 0) {
      refuse_assumed(of.text,
                     fmt::format("`{}` is no size alone: multiples are assumed of one, as in `S % 8 == 0`", of.left));
    }
    NamedSize& size = *find(linear->name);
    const std::int64_t own = int_floor_div(of.factor, std::gcd(of.factor, linear->factor));
    const auto both = checked_mul(int_floor_div(size.multiple, std::gcd(size.multiple, own)), own);
    if (!both) refuse_assumed(of.text, "the number is too large");
    size.multiple = *both;
    size.multiple_by = of.text;
  }

  void check_multiple(const NamedSize& size) const {
    if (size.multiple == 1) return;
    const auto least = checked_mul(int_ceil_div(size.range.low, size.multiple), size.multiple);
    if (least && *least <= size.range.high) return;
    const std::string& by = size.high_by.empty() ? size.low_by : size.high_by;
    contradict(size.multiple_by, by, range_text(size));
  }

  [[noreturn]] static void contradict(const std::string& text, const std::string& other, const std::string& fact) {
    if (!other.empty() && other != text) {
      refuse_assumed(text, fmt::format("it cannot hold together with the assumption `{}`", other));
    }
    refuse_assumed(text, fmt::format("it cannot hold: {}", fact));
  }

  /// A table in which the sizes have their bounds.
  void declare(DimTable& table) const {
    for (const NamedSize& size : sizes_) {
      table.set_multiple(size.name, size.multiple);
      if (is_used(size.name)) {
        table.limit(size.name, size.range);
        static_cast<void>(table.symbol(size.name, size.range));
      }
    }
  }

  [[nodiscard]] bool is_used(std::string_view name) const {
    return std::ranges::any_of(relations_, [&](const Relation& each) {
      return each.left.find(name) != std::string::npos || each.right.find(name) != std::string::npos;
    });
  }

  /// Whether a bound was found that was not known.
  bool bound_all() {
    bool is_new = false;
    for (const Relation& each : relations_) {
      if (each.kind == Relation::Kind::multiple) continue;
      DimTable table;
      declare(table);
      const Dim apart = gap(table, each);
      const Interval range = table.bounds(apart);
      const bool is_equal = each.kind == Relation::Kind::equal;
      if (range.high < 0 || (is_equal && range.low > 0)) refuse_impossible(table, each);
      for (const std::string_view name : table.symbols(apart)) is_new = bound(table, each, apart, name) || is_new;
    }
    return is_new;
  }

  [[noreturn]] void refuse_impossible(DimTable& table, const Relation& of) {
    DimTable plain;
    std::set<std::string, std::less<>> names;
    for (const std::string* text : {&of.left, &of.right}) {
      for (const std::string_view name : plain.symbols(side(plain, of, *text))) names.emplace(name);
    }
    static_cast<void>(table);
    std::string by;
    std::string fact;
    for (const std::string& name : names) {
      const NamedSize& size = *find(name);
      for (const std::string* each : {&size.low_by, &size.high_by, &size.multiple_by}) {
        if (by.empty() && !each->empty() && *each != of.text) by = *each;
      }
      fact += (fact.empty() ? "" : ", ") + range_text(size);
    }
    contradict(of.text, by, fact.empty() ? "its sides are numbers" : fact);
  }

  /// apart >= 0, or = 0.
  bool bound(DimTable& table, const Relation& of, Dim apart, std::string_view name) {
    const bool is_equal = of.kind == Relation::Kind::equal;
    Interval found;
    if (const auto linear = table.linear(apart)) {
      if (is_equal && int_mod(-linear->constant, linear->factor) != 0) {
        refuse_assumed(of.text, fmt::format("no whole number `{}` fulfils it", name));
      }
      // c*s + d >= 0
      const bool is_low = linear->factor > 0;
      if (is_low || is_equal) found.low = int_ceil_div(-linear->constant, linear->factor);
      if (!is_low || is_equal) found.high = int_floor_div(-linear->constant, linear->factor);
    } else if (const auto alone = table.solved_for(name, apart)) {
      const Interval range = table.bounds(*alone);
      // s - alone >= 0, or alone - s >= 0
      const bool is_low = table.sub(apart, table.symbol(name)).same(table.sub(table.literal(0), *alone));
      if (is_low || is_equal) found.low = range.low;
      if (!is_low || is_equal) found.high = range.high;
    }
    return narrow(of, *find(name), found);
  }

  bool narrow(const Relation& of, NamedSize& size, Interval found) {
    bool is_new = false;
    const NamedSize before = size;
    if (found.low > size.range.low) {
      size.range.low = found.low;
      size.low_by = of.text;
      is_new = true;
    }
    if (found.high < size.range.high) {
      size.range.high = found.high;
      size.high_by = of.text;
      is_new = true;
    }
    if (size.range.low > size.range.high) {
      const bool was_low = found.low > before.range.high;
      contradict(of.text, was_low ? before.high_by : before.low_by, range_text(before));
    }
    return is_new;
  }

  [[nodiscard]] Dim in_meanings(DimTable& table, Dim dim) const {
    for (const auto& [name, meaning] : meanings_) dim = table.replaced(dim, name, meaning);
    return dim;
  }

  /// One size of the equation becomes an expression over the others.
  void solve(DimTable& table, const Relation& of) {
    const Dim apart = in_meanings(table, gap(table, of));
    if (apart.is(0)) return;
    if (apart.is_literal()) refuse_assumed(of.text, "it contradicts the other assumptions");
    std::optional<std::pair<std::string, Dim>> chosen;
    bool is_chosen_positive = false;
    for (const NamedSize& size : sizes_) {
      const std::optional<Dim> alone = table.solved_for(size.name, apart);
      if (!alone) continue;
      // What is larger than 0 by itself says it of the size, too; of two, that which the model has first stays.
      const bool is_positive = table.bounds(*alone).low >= size.range.low;
      if (chosen && is_chosen_positive && !is_positive) continue;
      chosen = {size.name, *alone};
      is_chosen_positive = is_positive;
    }
    if (!chosen) {
      refuse_assumed(of.text, "no size stands alone in it, as `total` does in `past + seq == total`");
    }
    for (auto& [name, meaning] : meanings_) meaning = table.replaced(meaning, chosen->first, chosen->second);
    meanings_.push_back(*std::move(chosen));
  }

  std::vector<NamedSize> sizes_;
  std::vector<std::string_view> names_;
  std::vector<Relation> relations_;
  std::vector<std::pair<std::string, Dim>> meanings_;
};

}  // namespace

void take_assumptions(InferState& state) {
  if (state.options.assume.empty()) return;
  Assumptions(state.model, state.options).take(state.result.dims);
}

const Conflict* first_new_conflict(const Shapes& before, const Shapes& now) {
  using Key = std::tuple<std::uint32_t, ConflictId, std::uint32_t, int>;
  const auto key = [](const Conflict& c) { return Key{c.node.index, c.id, c.value.index, c.axis}; };
  std::multiset<Key> known;
  for (const Conflict& each : before.conflicts()) known.insert(key(each));
  for (const Conflict& each : now.conflicts()) {
    const auto found = known.find(key(each));
    if (found == known.end()) return &each;
    known.erase(found);
  }
  return nullptr;
}

void refuse_assumption(const Model& model, std::span<const std::string> assumed, const Conflict& conflict) {
  const std::string text = fmt::format("{}", fmt::join(assumed, "` and `"));
  refuse_assumed(text, fmt::format("it contradicts the model: {} `{}`: {}", model.node(conflict.node).op_type,
                                   model.node_label(conflict.node), conflict.message));
}

}  // namespace trtcheck::shapes
