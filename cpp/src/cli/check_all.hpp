// Many models at once, their results in the order in which they were asked for.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>
#include <trtcheck/report.hpp>

#include "cli/interrupts.hpp"
#include "cli/progress.hpp"

namespace trtcheck::cli {

struct Checked {
  Report report;
  bool fails = false;                                    ///< there are findings at or above the model's `fail-on`
  std::optional<Severity> fails_from = Severity::error;  ///< that severity; nothing = none
};

/// What came of one model: one of the two.
struct Outcome {
  std::optional<Checked> checked;
  std::optional<Error> error;
  bool missed = false;  ///< the run ended before; the error says why
};

struct Outcomes {
  std::vector<Outcome> models;  ///< one for each path
  /// Workers may still be busy, or dead with locks of theirs: report what there is, free nothing, leave by `_exit`.
  bool stopped = false;
};

/// Called by several threads at once, also after `check_all` was stopped: what it needs, it owns.
using CheckOne = std::function<Checked(const std::string& path)>;

/// @param jobs  how many threads; at least 1, never more than models
/// An exception of `check_one` is the error of its model. A model that changes while it is read (SIGBUS) is one, too;
/// a thread that dies of anything else stops the run. So does an interrupt. Models that were missed have that as error.
[[nodiscard]] Outcomes check_all(std::span<const std::string> paths, unsigned jobs, const CheckOne& check_one,
                                 const GracefulInterrupts& interrupts, Progress& progress);

}  // namespace trtcheck::cli
