// One function per format of a comparison, and what they share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/diff.hpp>

namespace trtcheck::diffing {

[[nodiscard]] std::string render_full(const Diff& diff, const RenderOptions& options);
[[nodiscard]] std::string render_concise(const Diff& diff, const RenderOptions& options);
[[nodiscard]] std::string render_json(const Diff& diff);
[[nodiscard]] std::string render_markdown(const Diff& diff);

/// "input `x`", "opset `ai.onnx`", "IR version".
[[nodiscard]] std::string title(const InterfaceChange& change);
/// "FLOAT[1,3] -> FLOAT[N,3]", "new: BOOL[N]", "gone, was BOOL[N]"; printable.
[[nodiscard]] std::string change_text(const InterfaceChange& change);
/// "1 new, 2 gone, 3 kept; the interface changed".
[[nodiscard]] std::string summary(const Diff& diff);
/// The path, or "<model>".
[[nodiscard]] std::string display_path(const DiffSide& side);
/// A report with these findings and nothing else, for the formats of reports.
[[nodiscard]] Report report_of(const DiffSide& side, const std::vector<Finding>& findings);

}  // namespace trtcheck::diffing
