// All rules for one release after another, at little more than the cost of one run.
//
// Whoever looks at a release is heard (target/release_span.hpp). A rule or a row that was silent at all nodes is silent
// for every release that gives the same answers to what it asked: it is not asked again. Where it spoke it is asked
// again for each release, because findings name theirs.
#pragma once

#include <memory>

#include "engine/run.hpp"

namespace trtcheck::engine {

/// Of one model with one profile. What it borrows lives as long.
class RunOfReleases {
 public:
  /// @param target  its release does not count
  RunOfReleases(const Model& model, const Shapes& shapes, const Target& target, const Selection& selection,
                WeakShapes& weak, const NumberSources& numbers);
  RunOfReleases(const RunOfReleases&) = delete;
  RunOfReleases& operator=(const RunOfReleases&) = delete;
  ~RunOfReleases();

  /// What `run_rules` finds for that release.
  [[nodiscard]] RunResult run(TrtVersion release, const Listing& listing);

 private:
  struct Memory;
  [[nodiscard]] RunResult run_afresh(const Listing& listing);

  const Model* model_;
  const Shapes* shapes_;
  Target target_;
  const Selection* selection_;
  WeakShapes* weak_;
  NumberSources numbers_;
  std::unique_ptr<Memory> memory_;
  bool is_unread_ = false;  ///< a constant in another file was asked for in vain: what is asked for counts, too
};

}  // namespace trtcheck::engine
