// The one list of output formats: a format is a value of the enumeration, a function and a row.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

struct FormatRow {
  FormatName name;
  std::string (*render)(std::span<const Report> reports, const RenderOptions& options);
  std::string_view ending = {};  ///< of files that hold it: ".sarif"; "" = none of its own
  bool is_text = false;          ///< for a terminal: colours, links, nothing when there is nothing to say
  bool counts_unlisted = false;  ///< in a field of its own; other formats get a stand-in among the findings
  bool has_pictures = false;     ///< shows neighbourhoods
  bool counts_rules = false;     ///< `--statistics` has it
  bool lists = false;            ///< of `rules`, `shapes` and the other commands that list something
  bool explains = false;         ///< of `explain`
  bool compares = false;         ///< of `diff`
  bool confirms = false;         ///< of `confirm`
  bool tabulates = false;        ///< of `matrix`
  bool forecasts = false;        ///< of `quantization`
};

/// In the order of the enumeration.
[[nodiscard]] std::span<const FormatRow> format_rows() noexcept;
[[nodiscard]] const FormatRow& row_of(Format format) noexcept;

}  // namespace trtcheck::report
