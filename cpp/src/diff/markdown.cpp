// For a comment on a pull request.
#include <cstddef>

#include <fmt/core.h>

#include "diff/formats.hpp"
#include "report/escape.hpp"
#include "report/formats.hpp"
#include "target/releases.hpp"

namespace trtcheck::diffing {
namespace {

constexpr std::size_t kMostRows = 50;

std::string cell(const std::string& text) { return text.empty() ? "" : report::markdown_code(text); }

void table(std::string& out, std::string_view heading, const std::vector<Finding>& findings) {
  if (findings.empty()) return;
  out += fmt::format("\n### {}: {}\n\n| severity | rule | node | finding |\n|---|---|---|---|\n", heading,
                     report::counts_text(report::count_all(findings)));
  for (std::size_t i = 0; i < findings.size() && i < kMostRows; ++i) {
    const Finding& finding = findings[i];
    out +=
        fmt::format("| {} | {} | {} | {} |\n", to_string(finding.severity), finding.rule->code,
                    cell(finding.node.empty() ? finding.value : finding.node), report::markdown_prose(finding.message));
  }
  if (findings.size() > kMostRows) out += fmt::format("\nand {} more\n", findings.size() - kMostRows);
}

template <class Change>
void list(std::string& out, std::string_view heading, const std::vector<Change>& changes,
          std::string (*text)(const Change&)) {
  if (changes.empty()) return;
  out += fmt::format("\n### {}\n\n", heading);
  for (std::size_t i = 0; i < changes.size() && i < kMostRows; ++i) {
    out += fmt::format("- {}\n", report::markdown_prose(text(changes[i])));
  }
  if (changes.size() > kMostRows) out += fmt::format("\nand {} more\n", changes.size() - kMostRows);
}

std::string plain_text(const std::string& text) { return text; }

std::string side(const DiffSide& side) {
  return fmt::format("{} is **{}** for {}", report::markdown_code(display_path(side)), to_string(side.verdict),
                     full_name(side.release));
}

}  // namespace

std::string render_markdown(const Diff& diff) {
  std::string out =
      fmt::format("## trtcheck: {}\n\nBefore: {}.\nAfter: {}.\n", summary(diff), side(diff.before), side(diff.after));
  table(out, "New", diff.fresh);
  table(out, "Gone", diff.gone);
  if (!diff.interface.empty()) {
    out += "\n### Interface\n\n| what | before | after |\n|---|---|---|\n";
    for (const InterfaceChange& change : diff.interface) {
      const std::string name = change.name.empty() ? "" : " " + report::markdown_code(change.name);
      out += fmt::format("| {}{} | {} | {} |\n", to_string(change.kind), name, cell(change.before), cell(change.after));
    }
  }
  if (!diff.operators.empty()) {
    out += "\n### Operators\n\n| operator | before | after |\n|---|---|---|\n";
    for (const OperatorChange& change : diff.operators) {
      out += fmt::format("| {} | {} | {} |\n", report::markdown_code(change.op_type), change.before, change.after);
    }
  }
  list(out, "Renamed sizes", diff.symbols, symbol_text);
  list(out, "Shapes", diff.shapes, shape_text);
  list(out, "Not compared", diff.not_compared, plain_text);
  list(out, "Constants that are computed now", diff.constants, constant_text);
  if (const std::string folds = folds_text(diff); !folds.empty()) out += "\n" + folds + ".\n";
  return out;
}

}  // namespace trtcheck::diffing
