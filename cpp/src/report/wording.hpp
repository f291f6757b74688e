// A finding in words, for formats that have one field for all of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <trtcheck/report.hpp>

#include "report/places.hpp"

namespace trtcheck::report {

/// "label: text" lines behind the message, in the order of the full format; files of Python as `places` names them. Raw
/// text: escape it.
struct Fact {
  std::string_view label;  ///< "because", "fix", ...
  std::string text;
};
[[nodiscard]] std::vector<Fact> facts(const Report& report, const Finding& finding, const Places& places);
/// Of the first finding of the group, and where the others are.
[[nodiscard]] std::vector<Fact> facts(const Report& report, const FindingGroup& group, const Places& places);

/// The place of a note is said unless the message names it, or it is the finding's own.
[[nodiscard]] std::string note_text(const Finding& finding, const Note& note);

/// Whether the line of a step or of a remedy is worth saying: it is known, and not that of the finding.
[[nodiscard]] bool is_another_line(const Finding& finding, const std::optional<SourceLocation>& source) noexcept;
/// The same for a step below another: lines that follow each other are said once.
[[nodiscard]] bool has_line_of_its_own(const Finding& finding, std::size_t note) noexcept;

/// " (net.py:12)"; "" = not known.
[[nodiscard]] std::string line_in_brackets(const std::optional<SourceLocation>& source);

/// Where TensorRT itself was not the witness of what may stop a conversion; "" = nothing to say.
[[nodiscard]] std::string_view doubt(const Finding& finding) noexcept;

/// "OPS401:pad-mode": the code, and the fact that speaks when there is one.
[[nodiscard]] std::string code_text(const Finding& finding);

/// "3 further findings (OPS103, SHP101 x2)", of all findings of the group; "" = none.
[[nodiscard]] std::string consequences_text(const FindingGroup& group);

/// For a model of PyTorch's older exporter whose findings name modules and no line of Python: how to get lines. "" =
/// there are lines, or nobody knows that PyTorch made the model.
[[nodiscard]] std::string_view missing_lines(const Report& report) noexcept;

}  // namespace trtcheck::report
