// One function per output format, and what they share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

[[nodiscard]] std::string render_full(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_concise(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_json(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_jsonl(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_sarif(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_github(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_gitlab(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_junit(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_markdown(std::span<const Report> reports, const RenderOptions& options);
[[nodiscard]] std::string render_html_document(std::span<const Report> reports, const RenderOptions& options);

/// How a model is called in text: its path, or "<model>" when it came from memory.
[[nodiscard]] std::string display_path(std::string_view path);
[[nodiscard]] inline std::string display_path(const Report& report) { return display_path(report.path); }

/// "net.onnx: not checked: is empty", in a line of its own: of text.
[[nodiscard]] std::string failure_line(const Failure& failure);

/// "18 models"; "2 of 18 models" when some were not checked.
[[nodiscard]] std::string asked_models(std::size_t checked, std::span<const Failure> failures);

/// "; 16 not checked: the run was interrupted (SIGTERM)" for the end of a count of verdicts, the cause that most of
/// them have; "" when all were checked. Text without control characters, to be escaped for markup.
[[nodiscard]] std::string not_checked(std::span<const Failure> failures);

/// Findings of each severity, consequences included.
struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
  std::size_t folded = 0;    ///< how many of all these are consequences of another finding
  std::size_t unlisted = 0;  ///< how many of all these are counted only
};
[[nodiscard]] Counts count_all(std::span<const Finding> findings) noexcept;
/// Of the whole report, what is not listed included.
[[nodiscard]] Counts count_all(const Report& report) noexcept;

/// "2 errors, 1 warning (1 of them follows from another)"; "nothing found" when there is nothing.
[[nodiscard]] std::string counts_text(const Counts& counts);

}  // namespace trtcheck::report
