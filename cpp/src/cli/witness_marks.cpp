#include "cli/witness_marks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include <trtcheck/error.hpp>

#include "cli/all_models.hpp"
#include "cli/witness_source.hpp"

namespace trtcheck::cli {

void WitnessMarks::find() {
  if (who_) witness_ = witness_unless_interrupted(*who_);
}

void WitnessMarks::put(Report& report, const std::string& path, const CheckOptions& options) {
  if (!who_) return;
  if (!witness_) throw Interrupted{};
  if (Source::is_standard_input(path)) throw Error(path, "--confirm: the witness reads files, not standard input");
  ConfirmOptions asked;
  asked.check = options;
  asked.propose_profile = true;
  const Confirmation made = confirm_source(path, *witness_, std::move(asked));
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
