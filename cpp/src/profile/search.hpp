// Sizes of open dims that meet the conditions of shape inference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <trtcheck/shapes.hpp>

#include "profile/axes.hpp"

namespace trtcheck::profiles {

/// A condition, and the places of its symbols among the open dims.
struct Condition {
  const Obligation* obligation;
  std::vector<std::size_t> dims;
};

/// Which sizes of one dim meet the conditions on it alone.
struct FittingSizes {
  std::vector<std::int64_t> sizes;    ///< ascending; all that were tried
  const Obligation* first = nullptr;  ///< that excludes some; nullptr: none does
  std::int64_t tried_up_to = 0;
};

class SizeChooser {
 public:
  SizeChooser(const Shapes& shapes, const OpenInputs& inputs);

  /// nullptr: there are too many dims to look closely.
  [[nodiscard]] const FittingSizes* fitting(std::size_t dim) const {
    return dim < fitting_.size() ? &fitting_[dim] : nullptr;
  }
  /// The first condition that ties the dim to another one; nullptr: none does.
  [[nodiscard]] const Condition* together(std::size_t dim) const;
  /// For each dim the first fitting size from `wanted` on, as far as all conditions on several dims allow; nothing:
  /// none was found. `order` tells which of two sizes of a dim is better.
  enum class Order : std::uint8_t { nearest, upwards, downwards };
  [[nodiscard]] std::optional<Sizes> choose(const Sizes& wanted, Order order, const std::vector<Interval>& within);

 private:
  [[nodiscard]] bool is_met(const Obligation& obligation, const std::vector<DimTable::Binding>& bindings) const;
  [[nodiscard]] std::vector<std::int64_t> candidates(std::size_t dim, std::int64_t wanted, Order order, Interval within,
                                                     const Sizes& chosen) const;
  bool extend(Sizes& chosen, const Sizes& wanted, Order order, const std::vector<Interval>& within);

  const Shapes* shapes_;
  const OpenInputs* inputs_;
  std::vector<Condition> together_;
  std::vector<FittingSizes> fitting_;
  int steps_left_;
};

/// Sizes that people use, as near as the conditions allow.
[[nodiscard]] Sizes best_sizes(const Model& model, const Shapes& shapes, const OpenInputs& inputs);

}  // namespace trtcheck::profiles
