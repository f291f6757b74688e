// The formats for a terminal: in full, and one line for each change.
#include <iterator>

#include <fmt/core.h>

#include "diff/formats.hpp"
#include "report/formats.hpp"
#include "report/style.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::diffing {
namespace {

std::string label(const Finding& finding, const report::Style& style) {
  return style.severity(finding.severity, fmt::format("{}[{}]", to_string(finding.severity), finding.rule->code));
}

std::string place(const Finding& finding) {
  const std::string& name = finding.node.empty() ? finding.value : finding.node;
  return name.empty() ? "" : fmt::format(" ({})", printable(name, kMaxName));
}

std::string line(const Finding& finding, const report::Style& style) {
  return fmt::format("{} {}{}", label(finding, style), printable(finding.message), place(finding));
}

std::string side_text(const DiffSide& side, const report::Style& style) {
  std::string text = fmt::format("{}: {} for {}, {}", style.bold(display_path(side)),
                                 style.verdict(side.verdict, to_string(side.verdict)), full_name(side.release),
                                 counted(side.node_count, "node"));
  if (side.suppressed > 0) text += fmt::format(", {} left out", side.suppressed);
  return text;
}

/// The findings as a report shows them.
std::string blocks(const Diff& diff, const RenderOptions& options) {
  const Report report = report_of(diff.after, diff.fresh);
  RenderOptions full = options;
  full.format = Format::full;
  full.summary = false;
  full.show_all = true;
  return trtcheck::render({&report, 1}, full);
}

void section(std::string& out, const report::Style& style, std::string_view heading,
             const std::vector<Finding>& findings) {
  if (findings.empty()) return;
  out += fmt::format("{} ({}):\n", style.bold(heading), report::counts_text(report::count_all(findings)));
  for (const Finding& finding : findings) out += "  " + line(finding, style) + "\n";
  out += '\n';
}

std::string operators_text(const std::vector<OperatorChange>& changes) {
  std::string text;
  for (const OperatorChange& change : changes) {
    fmt::format_to(std::back_inserter(text), "{}{} {} -> {}", text.empty() ? "" : ", ",
                   printable(change.op_type, kMaxName), change.before, change.after);
  }
  return text;
}

constexpr std::size_t kMostLines = 100;

/// A part that is cut where nobody reads on.
void lines(std::string& out, const report::Style& style, std::string_view heading,
           const std::vector<std::string>& all) {
  if (all.empty()) return;
  out += style.bold(heading) + ":\n";
  for (std::size_t i = 0; i < all.size() && i < kMostLines; ++i) out += "  " + all[i] + "\n";
  if (all.size() > kMostLines) out += fmt::format("  and {} more\n", all.size() - kMostLines);
  out += '\n';
}

void shapes(std::string& out, const Diff& diff, const report::Style& style) {
  std::vector<std::string> found;
  for (const SymbolChange& change : diff.symbols) found.push_back(symbol_text(change));
  lines(out, style, "renamed sizes", found);
  found.clear();
  for (const ShapeChange& change : diff.shapes) found.push_back(shape_text(change));
  lines(out, style, "shapes", found);
  lines(out, style, "not compared", diff.not_compared);
  found.clear();
  for (const ConstantChange& change : diff.constants) found.push_back(constant_text(change));
  if (const std::string folds = folds_text(diff); !folds.empty()) found.push_back(folds);
  lines(out, style, "constants that are computed now", found);
}

}  // namespace

std::string render_full(const Diff& diff, const RenderOptions& options) {
  const report::Style style(options.color);
  std::string out =
      fmt::format("before: {}\nafter:  {}\n\n", side_text(diff.before, style), side_text(diff.after, style));
  if (!diff.fresh.empty()) {
    const report::Counts counts = report::count_all(diff.fresh);
    out += fmt::format("{} ({}):\n\n", style.bold("new"), report::counts_text(counts)) + blocks(diff, options);
  }
  section(out, style, "gone", diff.gone);
  section(out, style, "kept", diff.kept);
  if (!diff.interface.empty()) {
    out += style.bold("interface") + ":\n";
    for (const InterfaceChange& change : diff.interface)
      out += fmt::format("  {}: {}\n", title(change), change_text(change));
    out += '\n';
  }
  if (!diff.operators.empty()) {
    out += style.bold("operators") + ":\n";
    const auto width = static_cast<std::size_t>(options.width > 42 ? options.width - 2 : 40);
    for (const std::string& text : wrap(operators_text(diff.operators), width)) out += "  " + text + "\n";
    out += '\n';
  }
  shapes(out, diff, style);
  return out + summary(diff) + "\n";
}

std::string render_concise(const Diff& diff, const RenderOptions& options) {
  const report::Style style(options.color);
  std::string out;
  for (const Finding& finding : diff.fresh) out += "new: " + line(finding, style) + "\n";
  for (const Finding& finding : diff.gone) out += "gone: " + line(finding, style) + "\n";
  for (const InterfaceChange& change : diff.interface)
    out += fmt::format("{}: {}\n", title(change), change_text(change));
  for (const SymbolChange& change : diff.symbols) out += "renamed size: " + symbol_text(change) + "\n";
  for (const ShapeChange& change : diff.shapes) out += "shape: " + shape_text(change) + "\n";
  for (const std::string& text : diff.not_compared) out += "not compared: " + text + "\n";
  for (const ConstantChange& change : diff.constants) out += "computed now: " + constant_text(change) + "\n";
  return out;
}

}  // namespace trtcheck::diffing
