#include "profile/search.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "rules/shape/obligation_words.hpp"

namespace trtcheck::profiles {
namespace {

/// Sizes of one dim, from 1 on, or from what was given on.
constexpr std::int64_t kMostSizes = 4096;
/// Conditions of a model that are looked at.
constexpr std::size_t kMostConditions = 1000;
constexpr std::size_t kMostTogether = 64;
/// A model with more open dims gets the sizes that people use.
constexpr std::size_t kMostDims = 64;
/// Evaluations of conditions on one dim, all together.
constexpr int kMostTries = 1'000'000;
/// Of one dim, where several are chosen together.
constexpr std::size_t kMostCandidates = 64;
/// Of all searches of one model.
constexpr int kMostSteps = 20'000;

}  // namespace

const Condition* SizeChooser::together(std::size_t dim) const {
  const auto found = std::ranges::find_if(together_, [&](const Condition& condition) {
    return std::ranges::find(condition.dims, dim) != condition.dims.end();
  });
  return found == together_.end() ? nullptr : &*found;
}

SizeChooser::SizeChooser(const Shapes& shapes, const OpenInputs& inputs)
    : shapes_(&shapes), inputs_(&inputs), steps_left_(kMostSteps) {
  const DimTable& table = shapes.dims();
  std::vector<std::vector<const Obligation*>> alone(inputs.dims().size());
  std::vector<const Obligation*> seen;
  for (const Obligation& obligation : shapes.obligations()) {
    if (seen.size() == kMostConditions) break;
    const auto is_same = [&](const Obligation* other) { return rules::ask_alike(*other, obligation); };
    if (std::ranges::any_of(seen, is_same)) continue;
    seen.push_back(&obligation);
    if (!table.is_exact(obligation.a) || !table.is_exact(obligation.b)) continue;
    Condition condition{&obligation, {}};
    bool is_open = true;
    for (const Dim side : {obligation.a, obligation.b}) {
      for (const std::string_view symbol : table.symbols(side)) {
        const auto place = inputs.place_of(symbol);
        if (!place) {
          is_open = false;
        } else if (std::ranges::find(condition.dims, *place) == condition.dims.end()) {
          condition.dims.push_back(*place);
        }
      }
    }
    if (!is_open || condition.dims.empty()) continue;
    if (condition.dims.size() == 1) {
      alone[condition.dims[0]].push_back(&obligation);
    } else if (together_.size() < kMostTogether) {
      together_.push_back(std::move(condition));
    }
  }
  if (alone.size() > kMostDims) return;
  int left = kMostTries;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const OpenDim& dim = inputs.dims()[i];
    FittingSizes& fitting = fitting_.emplace_back();
    fitting.tried_up_to = std::min(dim.allowed.high, dim.allowed.low + kMostSizes - 1);
    for (std::int64_t size = dim.allowed.low; size <= fitting.tried_up_to && left > 0; ++size) {
      const std::vector<DimTable::Binding> binding{{dim.name, size}};
      const auto broken = std::ranges::find_if(alone[i], [&](const Obligation* o) {
        --left;
        return !is_met(*o, binding);
      });
      if (broken == alone[i].end()) {
        fitting.sizes.push_back(size);
      } else if (fitting.first == nullptr) {
        fitting.first = *broken;
      }
    }
    // Against a constant of 16, an axis of 1 is repeated: nobody wants a length from 1 to 16 of which two sizes fit.
    const bool is_broadcast = fitting.first != nullptr && fitting.first->need == Obligation::Need::one_or_equal;
    if (is_broadcast && fitting.sizes.size() == 2 && fitting.sizes[0] == 1) fitting.sizes.erase(fitting.sizes.begin());
  }
}

bool SizeChooser::is_met(const Obligation& obligation, const std::vector<DimTable::Binding>& bindings) const {
  const auto a = shapes_->dims().evaluate(obligation.a, bindings);
  const auto b = shapes_->dims().evaluate(obligation.b, bindings);
  return !a || !b || rules::is_met_by(obligation, *a, *b);
}

std::optional<Sizes> SizeChooser::choose(const Sizes& wanted, Order order, const std::vector<Interval>& within) {
  Sizes chosen;
  if (wanted.size() > kMostDims) return wanted;
  if (!extend(chosen, wanted, order, within)) return std::nullopt;
  return chosen;
}

std::vector<std::int64_t> SizeChooser::candidates(std::size_t dim, std::int64_t wanted, Order order, Interval within,
                                                  const Sizes& chosen) const {
  const FittingSizes& fitting = fitting_[dim];
  std::vector<std::int64_t> found;
  for (const std::int64_t size : fitting.sizes) {
    if (size >= within.low && size <= within.high) found.push_back(size);
  }
  // What no condition limits may be larger than what was tried.
  if (fitting.first == nullptr && wanted > fitting.tried_up_to && wanted <= within.high) found.push_back(wanted);
  // What was given counts although it does not fit: the check says so.
  if (found.empty() && within.low == within.high) found.push_back(within.low);
  const auto best = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), kMostCandidates));
  std::ranges::partial_sort(found, best, {}, [&](std::int64_t size) {
    const bool is_behind = order == Order::upwards ? size < wanted : order == Order::downwards && size > wanted;
    return std::tuple(is_behind, size < wanted ? wanted - size : size - wanted, size);
  });
  std::vector<std::int64_t> taken;  // two dims that have to be equal
  std::copy_if(best, found.end(), std::back_inserter(taken),
               [&](std::int64_t size) { return std::ranges::find(chosen, size) != chosen.end(); });
  std::ranges::sort(taken);
  found.erase(best, found.end());
  found.insert(found.end(), taken.begin(), taken.end());
  return found;
}

// Depth first; as many levels as there are dims, each open one a name in the file.
bool SizeChooser::extend(Sizes& chosen, const Sizes& wanted, Order order, const std::vector<Interval>& within) {
  const std::size_t dim = chosen.size();
  if (dim == wanted.size()) return true;
  for (const std::int64_t size : candidates(dim, wanted[dim], order, within[dim], chosen)) {
    if (--steps_left_ < 0) return false;
    chosen.push_back(size);
    const auto bindings = inputs_->bindings(chosen);
    const bool fits = std::ranges::all_of(together_, [&](const Condition& condition) {
      return std::ranges::any_of(condition.dims, [&](std::size_t d) { return d > dim; }) ||
             is_met(*condition.obligation, bindings);
    });
    if (fits && extend(chosen, wanted, order, within)) return true;
    chosen.pop_back();
  }
  return false;
}

}  // namespace trtcheck::profiles
