// The results of `check` on their way to every output that was asked for.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <trtcheck/report.hpp>

#include "cli/output.hpp"

namespace trtcheck::cli {

struct Results {
  std::span<const Report> reports;
  std::span<const Failure> failures;                    ///< models that could not be checked
  std::span<const std::optional<Severity>> fails_from;  ///< RenderOptions::fails_from
  std::span<const std::string> inputs;                  ///< files that were read: none of them is written to
  bool summary = true;                                  ///< RenderOptions::summary
  bool show_all = false;                                ///< RenderOptions::show_all
  bool statistics = false;                              ///< counts by rule are wanted, too
};

/// `full` and `concise` without any report are left out of standard output: what failed is said on standard error.
/// Statistics stand behind text and in `json` on standard output. Files, and documents for other programs, stay what
/// they are: the table then goes to standard output when nothing else does, else to standard error.
/// @throws Error  cannot write
void write_results(const Results& results, std::span<const OutputRequest> outputs);

}  // namespace trtcheck::cli
