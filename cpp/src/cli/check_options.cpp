#include "cli/check_options.hpp"

#include <charconv>
#include <thread>

namespace trtcheck::cli {
namespace {

constexpr unsigned kMostJobs = 1024;

/// As many as there are cores for this process, unless the user says otherwise.
unsigned parse_jobs(const std::string& word) {
  if (word.empty()) return std::max(std::thread::hardware_concurrency(), 1U);
  unsigned jobs = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), jobs);
  if (error == std::errc() && end == word.data() + word.size() && jobs >= 1 && jobs <= kMostJobs) return jobs;
  refuse(fmt::format("--jobs: `{}` is no number of threads; it must be 1 to {}", word, kMostJobs));
}

}  // namespace

void CheckWords::add_to(Options& options) {
  options.add_argument("PATH", paths, "files, folders, patterns (`**/*.onnx`); - is standard input").required();
  settings.add_to(options, true, true);
  options.add_flag("--force-exclude", force_exclude, "exclude also what is named").group(kPathOptions);
  witness.add_to(options, "each finding", kTargetOptions);
  baseline.add_to(options);
  outputs.add_to(options);
  options.add_flag("--all-findings", all_findings, "list every finding, also of rules with more than 2,000")
      .group(kOutputOptions);
  options.add_flag("--show-all", show_all, "list findings of one cause one by one").group(kOutputOptions);
  options.add_flag("--statistics", statistics, "count findings by rule, too; files keep their document")
      .group(kOutputOptions);
  options.add_flag("-q,--quiet", quiet, "results only: no progress, no warnings, no summary").group(kOutputOptions);
  options.add("-j,--jobs", jobs, "threads (default: one for each core)").value("N").group(kOutputOptions);
}

CheckRequest CheckWords::request() const {
  CheckRequest request;
  request.paths = paths;
  request.config = settings.choice();
  request.overrides = settings.overrides();
  request.baseline_mode = baseline.mode();
  baseline.put_into(request.overrides);
  request.force_exclude = force_exclude;
  request.witness = witness.who();
  request.jobs = parse_jobs(jobs);
  request.quiet = quiet;
  request.statistics = statistics;
  request.all_findings = all_findings;
  request.show_all = show_all || all_findings;
  request.outputs = outputs.requests();
  return request;
}

}  // namespace trtcheck::cli
