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
/// "lost: `y` FLOAT[1,64] -> FLOAT[N,64]"; printable, as the next ones are.
[[nodiscard]] std::string shape_text(const ShapeChange& change);
/// "`N` is called `batch` now, in 12 tensors".
[[nodiscard]] std::string symbol_text(const SymbolChange& change);
/// "`shape` INT64[4], by Concat `c`".
[[nodiscard]] std::string constant_text(const ConstantChange& change);
/// "3 nodes compute what is known without running them, 0 did"; "" = not more than before.
[[nodiscard]] std::string folds_text(const Diff& diff);
/// "1 new, 2 gone, 3 kept; the interface changed".
[[nodiscard]] std::string summary(const Diff& diff);
/// The path, or "<model>".
[[nodiscard]] std::string display_path(const DiffSide& side);
/// A report with these findings and nothing else, for the formats of reports.
[[nodiscard]] Report report_of(const DiffSide& side, const std::vector<Finding>& findings);

}  // namespace trtcheck::diffing
