#include "sizing/factors.hpp"

#include <algorithm>

namespace trtcheck::sizing {
namespace {

/// A factor, and the axis that it came from.
struct Atom {
  Factor factor;
  std::size_t axis = 0;
};

bool is_floating(const Factor& factor) { return factor.is_dynamic && factor.number == 1; }

class Splitter {
 public:
  Splitter(std::span<const Factors> given, std::span<const std::int64_t> wanted, std::size_t way)
      : given_(given), wanted_(wanted), way_(way), made_{.dims = std::vector<Factors>(wanted.size())} {
    for (std::size_t axis = 0; axis < given.size(); ++axis) {
      for (const Factor& factor : given[axis]) {
        if (factor.number != 1 || factor.is_dynamic) atoms_.push_back({factor, axis});
      }
    }
  }

  std::optional<Split> split() && {
    std::optional<std::size_t> left;  // the last dim above 1
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i] == 1) continue;
      place_floating(left, i);
      if (!fill(i)) return std::nullopt;
      left = i;
    }
    place_floating(left, wanted_.size());
    if (next_ != atoms_.size()) return std::nullopt;
    return std::move(made_);
  }

 private:
  /// Dynamic sizes of 1 between two dims: they go where a 1 is, else to a neighbour.
  void place_floating(std::optional<std::size_t> left, std::size_t right) {
    std::vector<Atom> floating;
    while (next_ < atoms_.size() && is_floating(atoms_[next_].factor)) floating.push_back(atoms_[next_++]);
    if (floating.empty()) return;
    const std::size_t first = left ? *left + 1 : 0;
    const std::size_t homes = right - first;
    if (homes > 0) return place_at_ones(floating, first, homes);
    const bool has_right = right < wanted_.size();
    if (!left && !has_right) return;
    if (left && has_right) made_.ways = 2;
    const bool goes_left = left && (!has_right || way_ > 0);
    Factors& into = made_.dims[goes_left ? *left : right];
    for (const Atom& atom : floating) into.push_back(atom.factor);
  }
  void place_at_ones(const std::vector<Atom>& floating, std::size_t first, std::size_t homes) {
    const bool keeps_axes = given_.size() == wanted_.size() && std::ranges::all_of(floating, [&](const Atom& atom) {
                              return atom.axis >= first && atom.axis < first + homes;
                            });
    const std::size_t spare = homes > floating.size() ? homes - floating.size() : 0;
    if (spare > 0 && !keeps_axes) made_.ways = 2;
    for (std::size_t i = 0; i < floating.size(); ++i) {
      std::size_t home = first + std::min(i, homes - 1);
      if (spare > 0 && way_ > 0) home += spare;
      if (keeps_axes) home = floating[i].axis;
      made_.dims[home].push_back(floating[i].factor);
    }
  }

  /// Takes as many factors as the dim needs.
  bool fill(std::size_t index) {
    std::int64_t need = wanted_[index];
    if (need < 1) return false;
    while (need > 1) {
      if (next_ == atoms_.size()) return false;
      Factor& factor = atoms_[next_].factor;
      if (need % factor.number == 0) {
        need /= factor.number;
        made_.dims[index].push_back(factor);
        ++next_;
      } else if (!factor.is_dynamic && factor.number % need == 0 && factor.dim.is_literal()) {
        rests(factor, need, made_.dims[index]);
        need = 1;
      } else {
        return false;
      }
    }
    return true;
  }
  /// A number gives part of itself.
  static void rests(Factor& factor, std::int64_t part, Factors& into) {
    into.push_back({.dim = Dim{}, .number = part, .is_dynamic = false});
    factor.number /= part;
  }

  std::span<const Factors> given_;
  std::span<const std::int64_t> wanted_;
  std::size_t way_;
  Split made_;
  std::vector<Atom> atoms_;
  std::size_t next_ = 0;
};

}  // namespace

std::optional<Split> split(std::span<const Factors> given, std::span<const std::int64_t> wanted, std::size_t way) {
  return Splitter(given, wanted, way).split();
}

Dim product_of(DimTable& dims, const Factors& factors) {
  Dim made = dims.literal(1);
  for (const Factor& factor : factors) {
    made = dims.mul(made, factor.is_dynamic ? factor.dim : dims.literal(factor.number));
  }
  return made;
}

}  // namespace trtcheck::sizing
