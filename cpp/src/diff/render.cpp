#include <algorithm>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "diff/formats.hpp"
#include "report/formats.hpp"
#include "text/plural.hpp"
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

std::string shape_text(const ShapeChange& change) {
  const std::string why = change.kind == ShapeChange::Kind::gained ? "" : printable(change.reason);
  return fmt::format("{}: `{}` {} -> {}{}", to_string(change.kind), printable(change.value, kMaxName),
                     printable(change.before, kMaxName), printable(change.after, kMaxName),
                     why.empty() ? "" : ": " + why);
}

std::string symbol_text(const SymbolChange& change) {
  return fmt::format("`{}` is called `{}` now, in {}", printable(change.before, kMaxName),
                     printable(change.after, kMaxName), counted(change.tensors, "tensor"));
}

std::string constant_text(const ConstantChange& change) {
  return fmt::format("`{}` {}, by {} `{}`", printable(change.value, kMaxName), printable(change.shape, kMaxName),
                     printable(change.op_type, kMaxName), printable(change.node, kMaxName));
}

std::string folds_text(const Diff& diff) {
  if (diff.folds_after <= diff.folds_before) return {};
  return fmt::format("{} {} what is known without running the model, {} did", counted(diff.folds_after, "node"),
                     diff.folds_after == 1 ? "computes" : "compute", diff.folds_before);
}

std::string summary(const Diff& diff) {
  std::string text = fmt::format("{} new, {} gone, {} kept", diff.fresh.size(), diff.gone.size(), diff.kept.size());
  if (diff.changes_interface()) text += "; the interface changed";
  const auto lost =
      static_cast<std::size_t>(std::ranges::count(diff.shapes, ShapeChange::Kind::lost, &ShapeChange::kind));
  if (lost > 0) text += fmt::format("; sizes of {} are not known any more", counted(lost, "tensor"));
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
