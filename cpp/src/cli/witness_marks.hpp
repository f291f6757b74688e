// `trtcheck check --confirm`: what NVIDIA's own parser and builder say of each finding.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trtcheck/confirm.hpp>

namespace trtcheck::cli {

/// May be asked by several threads at once.
class WitnessMarks {
 public:
  /// @param who  as `WitnessSearch::path`; nothing: no marks are wanted
  explicit WitnessMarks(std::optional<std::string> who) : who_(std::move(who)) {}

  /// Before the first `put`. An interrupt of the run ends the search.
  /// @throws Error  they are wanted, and there is no witness
  void find();

  /// Marks the findings, and adds what the witness refuses and nothing predicted. Without a wish for them it does
  /// nothing.
  /// @param path  a file
  /// @param options  that the report was made with
  /// @throws Error  it cannot be asked
  /// @throws Interrupted  the run was interrupted before it had answered
  void put(Report& report, const std::string& path, const CheckOptions& options);

  /// One for each model that was not judged.
  [[nodiscard]] std::vector<std::string> lines();

 private:
  std::optional<std::string> who_;
  std::optional<Witness> witness_;
  std::mutex mutex_;  ///< of what follows
  std::vector<std::string> lines_;
};

}  // namespace trtcheck::cli
