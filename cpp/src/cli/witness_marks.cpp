#include "cli/witness_marks.hpp"

#include <fmt/core.h>

#include <algorithm>

#include <trtcheck/error.hpp>

namespace trtcheck::cli {

WitnessMarks::WitnessMarks(bool wanted) {
  if (wanted) witness_ = find_witness({});
}

void WitnessMarks::put(Report& report, const std::string& path, const CheckOptions& options) {
  if (!witness_) return;
  if (path == "-") throw Error(path, "--confirm: the witness reads files, not standard input");
  ConfirmOptions asked;
  asked.check = options;
  asked.propose_profile = true;
  const Confirmation made = confirm(path, *witness_, asked);
  mark(report, made);
  if (made.testimony != Testimony::not_judged) return;
  const std::lock_guard lock(mutex_);
  lines_.push_back(
      fmt::format("{}: not judged by {} {}: {}", path, made.witness.product, made.witness.release, made.reason));
}

std::vector<std::string> WitnessMarks::lines() {
  const std::lock_guard lock(mutex_);
  std::ranges::sort(lines_);
  return lines_;
}

}  // namespace trtcheck::cli
