// How large tensors and how much work nodes are, at the sizes of a profile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <trtcheck/partition.hpp>
#include <trtcheck/shapes.hpp>

#include "partition/cut.hpp"
#include "subgraph/uses.hpp"

namespace trtcheck::partitioning {

class Sizes {
 public:
  using Point = std::vector<std::int64_t> ProfileInput::*;

  /// Dynamic inputs without sizes get those that `propose_profile` chooses.
  /// @throws Error  the profile names an input that the model does not have
  Sizes(const Model& model, const Shapes& shapes, const subgraph::Uses& uses, Target target);

  /// At opt. Nothing: it is not known.
  [[nodiscard]] std::optional<std::uint64_t> bytes(ValueId id) const;
  /// At one point. Nothing: one of them is not known.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> dims(ValueId id, Point point) const;
  [[nodiscard]] bool is_dynamic(ValueId id) const;
  [[nodiscard]] const std::vector<ProfileInput>& profile() const noexcept { return target_.profile; }

  /// Of all multiply-accumulates, 0 to 1. Nothing: none is known.
  template <class Positions>
  [[nodiscard]] std::optional<double> share(const Positions& positions) const {
    if (all_work_ <= 0) return std::nullopt;
    double work = 0;
    for (const std::uint32_t at : positions) work += work_[at];
    return work / all_work_;
  }
  [[nodiscard]] PartitionOutcome outcome(const Cut& made) const;
  /// Layers whose work is not known, in words; "" = there are none.
  [[nodiscard]] const std::string& not_counted() const noexcept { return not_counted_; }

 private:
  const Shapes* shapes_;
  Target target_;
  std::vector<DimTable::Binding> min_;
  std::vector<DimTable::Binding> opt_;
  std::vector<DimTable::Binding> max_;
  std::vector<double> work_;  ///< of each position, at opt
  double all_work_ = 0;
  std::string not_counted_;
};

}  // namespace trtcheck::partitioning
