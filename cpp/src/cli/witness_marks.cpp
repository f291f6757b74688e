#include "cli/witness_marks.hpp"

#include <fmt/core.h>

#include <algorithm>

#include <trtcheck/error.hpp>

namespace trtcheck::cli {

WitnessMarks::WitnessMarks(bool wanted) {
  if (wanted) witness_ = find_witness({});
}

bool WitnessMarks::put(Report& report, const std::string& path, const CheckOptions& options) {
  if (!witness_) return false;
  if (path == "-") throw Error(path, "--confirm: the witness reads files, not standard input");
  ConfirmOptions asked;
  asked.check = options;
  asked.check.neighbourhoods = false;  // nobody will see them
  asked.propose_profile = true;
  const Confirmation made = confirm(path, *witness_, asked);
  mark(report, made);
  const std::string who = made.witness.product + " " + made.witness.release;
  const bool missed = made.agreement == Agreement::missed;
  if (missed || made.testimony == Testimony::not_judged) {
    const std::string what = missed ? "refuses it, which was not predicted" : "does not judge it";
    const std::lock_guard lock(mutex_);
    lines_.push_back(fmt::format("{}: {} {}: {}", path, who, what, made.reason));
  }
  return missed;
}

std::vector<std::string> WitnessMarks::lines() {
  const std::lock_guard lock(mutex_);
  std::ranges::sort(lines_);
  return lines_;
}

}  // namespace trtcheck::cli
