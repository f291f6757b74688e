#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "diff/formats.hpp"
#include "report/formats.hpp"
#include "text/printable.hpp"

namespace trtcheck {

std::string render(const Diff& diff, const RenderOptions& options) {
  switch (options.format) {
    case Format::full:
      return diffing::render_full(diff, options);
    case Format::concise:
      return diffing::render_concise(diff, options);
    case Format::json:
      return diffing::render_json(diff);
    case Format::markdown:
      return diffing::render_markdown(diff);
    default:
      break;
  }
  throw Error("", "a comparison has the formats full, concise, json and markdown");
}

namespace diffing {

std::string title(const InterfaceChange& change) {
  const std::string_view kind = to_string(change.kind);
  return change.name.empty() ? std::string(kind) : fmt::format("{} `{}`", kind, printable(change.name, kMaxName));
}

std::string change_text(const InterfaceChange& change) {
  const std::string before = printable(change.before, kMaxName);
  const std::string after = printable(change.after, kMaxName);
  if (before.empty()) return "new: " + after;
  return after.empty() ? "gone, was " + before : before + " -> " + after;
}

std::string summary(const Diff& diff) {
  std::string text = fmt::format("{} new, {} gone, {} kept", diff.fresh.size(), diff.gone.size(), diff.kept.size());
  if (diff.changes_interface()) text += "; the interface changed";
  return text;
}

std::string display_path(const DiffSide& side) { return report::display_path(side.path); }

Report report_of(const DiffSide& side, const std::vector<Finding>& findings) {
  Report report;
  report.path = side.path;
  report.target.release = side.release;
  report.findings = findings;
  report.node_count = side.node_count;
  return report;
}

}  // namespace diffing
}  // namespace trtcheck
