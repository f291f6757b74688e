// All that is said of one model: what `trtcheck report` puts on one page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <trtcheck/layers.hpp>
#include <trtcheck/matrix.hpp>
#include <trtcheck/profile.hpp>

#include "bytes/staged_file.hpp"
#include "one_report/layers_of_model.hpp"

namespace trtcheck::one_report {

struct OneReport {
  const LayersOfModel& of;
  Report report;                        ///< as `check` says it
  Matrix matrix;                        ///< all known releases
  ProfileProposal profile;              ///< as `profile` says it
  std::vector<TypeBorder> casts;        ///< as `types` says it
  std::vector<std::string> not_looked;  ///< one line each, names in backticks; any bytes
};

/// @param report  of the model as it shall be told
/// @throws Error  a dim or an option does not fit
[[nodiscard]] OneReport collect(const LayersOfModel& of, Report report, const CheckOptions& options,
                                std::span<const SizeRange> dims);

/// What was not looked at, and what would: one line each.
[[nodiscard]] std::vector<std::string> not_looked_at(const LayersOfModel& of, const CheckOptions& options,
                                                     const Report& report);

/// The page; ends in a newline.
[[nodiscard]] std::string report_page(const OneReport& one);

/// The document of data/one_report.schema.json: what the commands print as JSON, by their names.
void write_report_json(const Sink& sink, const OneReport& one);

}  // namespace trtcheck::one_report
