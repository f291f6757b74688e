// A file of findings that are known and accepted for now: only what is new is reported.
//
//     const trtcheck::Baseline known = trtcheck::read_baseline("trtcheck-baseline.json");
//     trtcheck::Report report = trtcheck::check("models/a.onnx", options);
//     const trtcheck::BaselineMatch match = known.apply(report, options);
//     // report.findings: the new ones; match.gone: entries that could be removed
//
// An entry is a model (its path relative to the file), a fingerprint and a severity; several findings of a model may
// share them, so entries count them. What was accepted as a warning is new as an error. The file is JSON
// (data/baseline.schema.json), sorted, one entry on a line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

/// Findings of one model that share a fingerprint and a severity.
struct BaselineEntry {
  std::string model;                    ///< relative to the folder of the baseline, with slashes; UTF-8
  std::string code;                     ///< of the rule; for readers, it is part of the fingerprint
  std::string fingerprint;              ///< see Finding::fingerprint
  std::size_t count = 1;                ///< how many findings share it
  std::string message;                  ///< of one of them; for readers
  std::string fact;                     ///< of the finding, "pad-mode"; for readers, it is part of the fingerprint
  Severity severity = Severity::error;  ///< that was accepted, and what is less
};

/// One report beside a baseline.
struct BaselineMatch {
  std::string model;                    ///< as in the entries
  std::vector<BaselineEntry> known;     ///< in both
  std::vector<BaselineEntry> fresh;     ///< found now, not in the baseline
  std::vector<BaselineEntry> gone;      ///< in the baseline, not found any more
  std::vector<BaselineEntry> unjudged;  ///< in the baseline, of rules that were not selected
};

/// Findings that are known and accepted: a file beside the models.
class TRTCHECK_API Baseline {
 public:
  /// Without entries. Models are named relative to the folder of `path`; the file need not exist.
  explicit Baseline(std::string path);
  Baseline(std::string path, std::vector<BaselineEntry> entries);  ///< with these entries

  [[nodiscard]] const std::string& path() const noexcept { return path_; }  ///< of the file
  /// Sorted by model, code, fingerprint and severity; each of these once.
  [[nodiscard]] std::span<const BaselineEntry> entries() const noexcept { return entries_; }

  /// Moves the findings that the baseline knows to `report.suppressions`, with `accept_new` the others too. A rule
  /// that failed (MDL900) is always reported. May be called from several threads.
  /// @param options  those that the report was made with
  BaselineMatch apply(Report& report, const CheckOptions& options, bool accept_new = false) const;

  /// With what was found, and without what is gone. Entries of models that are not among the matches stay.
  [[nodiscard]] Baseline updated(std::span<const BaselineMatch> matches) const;
  /// Without what is gone, and nothing else.
  [[nodiscard]] Baseline pruned(std::span<const BaselineMatch> matches) const;

  /// The text of the file.
  [[nodiscard]] std::string to_json() const;

 private:
  std::string path_;
  std::string folder_;  ///< resolved
  std::vector<BaselineEntry> entries_;
};

/// @throws Error  the file cannot be read, is no baseline, or one of a version that is not known here
TRTCHECK_API Baseline read_baseline(const std::string& path);

}  // namespace trtcheck
