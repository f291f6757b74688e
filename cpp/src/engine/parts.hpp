// Releases that answer alike: each rule runs once for all of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trtcheck/rule.hpp>
#include <trtcheck/target.hpp>

#include "view/operators.hpp"

namespace trtcheck::engine {

/// Some of the releases of a run, one bit for each, in their order there.
using ReleaseSet = std::uint64_t;
inline constexpr std::size_t kMostReleases = 64;  ///< of one run

/// The place of the oldest: it speaks for all. @pre the set is not empty
[[nodiscard]] inline std::size_t first_of(ReleaseSet set) noexcept {
  return static_cast<std::size_t>(std::countr_zero(set));
}
/// Calls `each` with the place of every release.
template <class Each>
void for_each_release(ReleaseSet set, const Each& each) {
  for (; set != 0; set &= set - 1) each(first_of(set));
}

class Partition {
 public:
  /// @pre at most kMostReleases
  Partition(std::span<const TrtVersion> releases, const Operators& operators);

  /// What the descriptor of a rule tells apart.
  [[nodiscard]] std::vector<ReleaseSet> parts_of(const Rule& rule) const;
  /// Of releases whose gates are alike.
  [[nodiscard]] std::vector<ReleaseSet> parts_by(const GateSet& gates) const;

 private:
  template <class Alike>
  [[nodiscard]] std::vector<ReleaseSet> parts(const Alike& alike) const;

  std::span<const TrtVersion> releases_;
  const Operators* operators_;
  std::vector<GateSet> open_;  ///< by release
};

}  // namespace trtcheck::engine
