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

/// Called by several threads at once, also after an interrupt: what it needs, it owns.
using CheckOne = std::function<Checked(const std::string& path)>;

/// @param jobs  how many threads; at least 1, never more than models
/// @return one for each path
/// An exception of `check_one` is the error of its model, a thread that breaks the end of the program. An interrupt
/// stops the run: models that were missed have that as error, and workers may still be busy.
[[nodiscard]] std::vector<Outcome> check_all(std::span<const std::string> paths, unsigned jobs,
                                             const CheckOne& check_one, const GracefulInterrupts& interrupts,
                                             Progress& progress);

}  // namespace trtcheck::cli
