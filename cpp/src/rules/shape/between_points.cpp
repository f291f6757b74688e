#include "rules/shape/between_points.hpp"

#include <algorithm>
#include <cmath>

#include "rules/shape/claimed.hpp"
#include "rules/shape/exact_obligation.hpp"
#include "rules/shape/obligation_words.hpp"

namespace trtcheck::rules {
namespace {

/// Different conditions of one model that are looked at.
constexpr std::size_t kMostConditions = 512;
/// Evaluations for all of them together.
constexpr int kMostTries = 100'000;
/// Sizes that are tried one after the other; then some of the larger ones.
constexpr std::int64_t kMostInTurn = 2048;
/// Combinations of several sizes.
constexpr double kMostCombinations = 4096;
constexpr std::size_t kMostTied = 4;
/// Each looks at all that stands before a node.
constexpr int kMostProofs = 32;

/// Sizes from `first` to `last`, some at first, fewer and fewer later; neighbours, because one in two often fits.
std::vector<std::int64_t> sampled(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> found;
  for (std::int64_t size = first; size <= last; size += std::max<std::int64_t>(size / 4, 2)) {
    found.push_back(size);
    if (size < last) found.push_back(size + 1);
  }
  return found;
}

void add_missing(std::vector<std::string_view>& symbols, const std::vector<std::string_view>& others) {
  for (const std::string_view symbol : others) {
    if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
  }
}

bool share_one(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  return std::ranges::any_of(a, [&](std::string_view symbol) { return std::ranges::find(b, symbol) != b.end(); });
}

}  // namespace

SizeSearch::SizeSearch(const RuleContext& context, const std::vector<ProfilePoint>& points)
    : context_(&context), symbols_left_(kMostLookedAt), tries_left_(kMostTries), proofs_left_(kMostProofs) {
  // Axes of one name have one size: what all of them allow.
  for (const ProfilePoint& point : points) {
    for (const DimTable::Binding& size : point.symbols) {
      Interval& range = ranges_.try_emplace(size.name, Interval{0, Interval::kMax}).first->second;
      if (point.kind == ProfilePoint::Kind::min) range.low = std::max(range.low, size.value);
      if (point.kind == ProfilePoint::Kind::max) range.high = std::min(range.high, size.value);
    }
  }
  for (const Obligation& obligation : context.shapes().obligations()) {
    if (obligation.need == Obligation::Need::divides || ties_.size() == kMostConditions) continue;
    Symbols symbols = symbols_of(context.dims(), obligation, symbols_left_);
    if (symbols.size() > 1) ties_.push_back({&obligation, std::move(symbols)});
  }
}

std::optional<BadSizes> SizeSearch::find(const Obligation& obligation) {
  const std::string_view op_type = context_->model().node(obligation.node).op_type;
  if (tries_left_ <= 0 || !is_new(obligation)) return std::nullopt;
  const Symbols symbols = symbols_of(context_->dims(), obligation, symbols_left_);
  if (symbols.empty() || !std::ranges::all_of(symbols, [&](std::string_view s) { return range_of(s) != nullptr; })) {
    return std::nullopt;
  }
  if (is_claimed(obligation.id, op_type) || !always_runs(*context_, obligation.node)) return std::nullopt;
  std::optional<BadSizes> found;
  if (symbols.size() == 1) {
    found = along(obligation, symbols[0], *range_of(symbols[0]));
  } else if (obligation.need == Obligation::Need::divides) {
    found = among(obligation, symbols);
  }
  if (!found || proofs_left_-- <= 0 || rests_on_claims(*context_, obligation.node)) return std::nullopt;
  return found;
}

bool SizeSearch::is_new(const Obligation& obligation) {
  const auto is_same = [&](const Obligation* other) { return ask_alike(*other, obligation); };
  if (asked_.size() == kMostConditions || std::ranges::any_of(asked_, is_same)) return false;
  asked_.push_back(&obligation);
  return true;
}

const Interval* SizeSearch::range_of(std::string_view symbol) const {
  const auto found = ranges_.find(symbol);
  return found == ranges_.end() || found->second.low > found->second.high ? nullptr : &found->second;
}

std::optional<SizeSearch::Sides> SizeSearch::sides(const Obligation& obligation, const Sizes& sizes) {
  --tries_left_;
  const auto a = context_->dims().evaluate(obligation.a, sizes);
  const auto b = context_->dims().evaluate(obligation.b, sizes);
  return a && b ? std::optional(Sides{*a, *b}) : std::nullopt;
}

std::optional<BadSizes> SizeSearch::misfit(const Obligation& obligation, const Sizes& sizes, bool is_smallest) {
  const auto at = sides(obligation, sizes);
  if (!at || is_met_by(obligation, at->a, at->b)) return std::nullopt;
  return BadSizes{sizes, at->a, at->b, is_smallest};
}

std::optional<BadSizes> SizeSearch::along(const Obligation& obligation, std::string_view symbol, Interval range) {
  bool all_known = true;
  const std::int64_t last_in_turn = std::min(range.high, range.low + kMostInTurn - 1);
  for (std::int64_t size = range.low; size <= last_in_turn; ++size) {
    if (tries_left_ <= 0) return std::nullopt;
    const auto at = sides(obligation, {{symbol, size}});
    if (at && !is_met_by(obligation, at->a, at->b)) return BadSizes{{{symbol, size}}, at->a, at->b, all_known};
    all_known = all_known && at;
  }
  for (const std::int64_t size : sampled(last_in_turn + 1, range.high)) {
    if (auto found = misfit(obligation, {{symbol, size}}, false)) return found;
  }
  return std::nullopt;
}

std::optional<BadSizes> SizeSearch::among(const Obligation& obligation, Symbols symbols) {
  const std::size_t count = symbols.size();
  symbols = with_tied(std::move(symbols));
  if (symbols.size() > kMostTied) return std::nullopt;
  const auto each = static_cast<std::int64_t>(std::pow(kMostCombinations, 1.0 / static_cast<double>(symbols.size())));
  Sizes sizes;
  for (const std::string_view symbol : symbols) {
    if (range_of(symbol) == nullptr) return std::nullopt;
    sizes.push_back({symbol, range_of(symbol)->low});
  }
  while (tries_left_ > 0) {
    if (meets_ties(sizes)) {
      if (auto found = misfit(obligation, sizes, false)) {
        found->sizes.resize(count);
        return found;
      }
    }
    std::size_t i = sizes.size();
    while (i > 0) {
      const Interval& range = *range_of(sizes[i - 1].name);
      if (++sizes[i - 1].value <= std::min(range.high, range.low + each - 1)) break;
      sizes[--i].value = range.low;
    }
    if (i == 0) return std::nullopt;
  }
  return std::nullopt;
}

SizeSearch::Symbols SizeSearch::with_tied(Symbols symbols) const {
  for (std::size_t before = 0; before != symbols.size() && symbols.size() <= kMostTied;) {
    before = symbols.size();
    for (const Tie& tie : ties_) {
      if (share_one(tie.symbols, symbols)) add_missing(symbols, tie.symbols);
    }
  }
  return symbols;
}

bool SizeSearch::meets_ties(const Sizes& sizes) {
  return std::ranges::all_of(ties_, [&](const Tie& tie) {
    if (!std::ranges::all_of(tie.symbols, [&](std::string_view symbol) {
          return std::ranges::find(sizes, symbol, &DimTable::Binding::name) != sizes.end();
        })) {
      return true;
    }
    const auto at = sides(*tie.obligation, sizes);
    return at && is_met_by(*tie.obligation, at->a, at->b);
  });
}

}  // namespace trtcheck::rules
