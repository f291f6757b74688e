// Which dynamic axes make which finding: the model is checked with some of its axes as numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <trtcheck/axes.hpp>
#include <trtcheck/trtcheck.hpp>

#include "profile/axes.hpp"

namespace trtcheck::axis {

/// A bit for each dynamic axis of the inputs, in their order.
using Mask = std::uint64_t;
inline constexpr std::size_t kMostAxes = 64;

class Causes {
 public:
  /// @param sizes   a number for each axis
  /// @param inputs  at most kMostAxes
  Causes(const Model& model, const Shapes& shapes, const profiles::OpenInputs& inputs, profiles::Sizes sizes,
         CheckOptions options);

  struct Cause {
    Finding finding;
    std::vector<Mask> sets{};
    bool has_all_sets = true;  ///< false: the checks that it may cost were used up
  };
  [[nodiscard]] const std::vector<Cause>& causes() const noexcept { return causes_; }
  /// Errors and warnings that are there with all axes pinned.
  [[nodiscard]] std::size_t remaining() const noexcept { return remaining_; }
  /// The smallest set that has an axis of every set of causes of errors and warnings.
  [[nodiscard]] Mask pins() const noexcept { return pins_; }
  [[nodiscard]] bool pins_suffice() const noexcept { return suffice_; }
  [[nodiscard]] std::size_t checks() const noexcept { return checks_; }

 private:
  /// Findings by rule, fact, node and value, with their severities.
  using Keys = std::map<std::string, Severity>;

  [[nodiscard]] Mask all() const noexcept;
  /// With these axes dynamic and the others pinned.
  const Keys& probe(Mask dynamic);
  [[nodiscard]] bool is_there(const Finding& finding, Mask dynamic);
  [[nodiscard]] Report report(Mask dynamic, const CheckOptions& options);
  [[nodiscard]] Model pinned(Mask dynamic) const;

  /// Axes that reach the node in dims, or in numbers that become dims.
  [[nodiscard]] Mask reaching(const Finding& finding) const;
  void fill_masks();
  void try_alone();
  [[nodiscard]] bool has_checks() const noexcept;
  Mask narrowed(const Finding& finding, Mask set);
  void find_sets(Cause& cause, Mask reach);
  void choose_pins();

  const Model* model_;
  const Shapes* shapes_;
  const profiles::OpenInputs* inputs_;
  profiles::Sizes sizes_;
  CheckOptions options_;
  std::vector<Mask> masks_;  ///< per value
  std::vector<Cause> causes_;
  std::vector<Mask> reach_;  ///< per cause
  std::map<Mask, Keys> known_;
  std::set<std::string> codes_;  ///< of rules that are asked again
  std::size_t remaining_ = 0;
  std::size_t checks_ = 0;
  Mask pins_ = 0;
  bool suffice_ = true;
};

}  // namespace trtcheck::axis
