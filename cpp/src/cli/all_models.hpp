// Many models of one command: their results in the order in which they were asked for, and what was not done and why.
// Every command over several models goes through here, so that all of them say the same of an interrupted run.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trtcheck/discover.hpp>
#include <trtcheck/error.hpp>
#include <trtcheck/report.hpp>

#include "cli/commands.hpp"
#include "cli/interrupts.hpp"
#include "cli/progress.hpp"

namespace trtcheck::cli {

/// Thrown by the work on a model that stopped because the run was interrupted: the model counts as not done.
struct Interrupted {};

/// How the work on one model ended; without an error it was done.
struct Ending {
  std::optional<Error> error;
  bool is_missed = false;  ///< the run ended before; the error says why
};

struct Threads {
  unsigned count = 1;                     ///< at least 1, never more than models
  std::chrono::milliseconds patience{0};  ///< after an interrupt, for those who notice it themselves
};

/// Called by several threads at once, also after an interrupt: what it needs, it owns.
using WorkOnOne = std::function<void(std::size_t index, const std::string& path)>;

/// @return one for each path
/// An exception of the work is the error of its model, a thread that breaks the end of the program. An interrupt stops
/// the run: models that were missed have that as error, and threads may still be busy.
[[nodiscard]] std::vector<Ending> work_on_all(std::span<const std::string> paths, const Threads& threads,
                                              const WorkOnOne& work, const GracefulInterrupts& interrupts,
                                              Progress& progress);

/// What came of all models.
template <class T>
struct Done {
  std::vector<T> made;            ///< in the order of the models; of some there is none
  std::vector<Failure> failures;  ///< models that were not found, could not be read, or were not reached
  int code = kExitClean;          ///< kExitFailed with a failure; after an interrupt what shells say of the signal
};

/// One line on standard error for each cause, and one for an interrupt; the others as failures for documents.
/// @return kExitClean, kExitFailed, or what shells say of the signal
[[nodiscard]] int tell_failures(const FoundModels& found, std::span<const Ending> endings,
                                const GracefulInterrupts& interrupts, std::vector<Failure>& failures);

/// @param make  as WorkOnOne
template <class T>
[[nodiscard]] Done<T> make_all(const FoundModels& found, const Threads& threads,
                               std::function<T(const std::string& path)> make, const GracefulInterrupts& interrupts,
                               Progress& progress) {
  // Threads own it, too: a stuck one outlives the command.
  const auto slots = std::make_shared<std::vector<std::optional<T>>>(found.models.size());
  const auto work = [slots, make = std::move(make)](std::size_t index, const std::string& path) {
    (*slots)[index] = make(path);
  };
  const std::vector<Ending> endings = work_on_all(found.models, threads, work, interrupts, progress);
  Done<T> done;
  done.code = tell_failures(found, endings, interrupts, done.failures);
  for (std::size_t i = 0; i < endings.size(); ++i) {
    if (!endings[i].error) done.made.push_back(std::move(*(*slots)[i]));
  }
  return done;
}

}  // namespace trtcheck::cli
