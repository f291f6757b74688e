// The format for people: reads like the diagnostics of a compiler.
//
//     error[CNV001] rule-name: message, wrapped
//       --> model.py:42 in Net.forward
//        |
//     42 |         return self.conv(x.view(b, -1, h, w))
//        |
//        = module: encoder.layers.10
//        = node: Conv `conv_1`
//                x: FLOAT[N,?,H,W]
//        = because: ...
//          --> model.py:41 in Net.forward: b, c, h, w = x.shape
//        = fix: ...
//        = also: 3 more findings like this one: `conv_2`, `conv_3`, `conv_4` (--show-all lists them)
//        = more: trtcheck explain CNV001
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "report/formats.hpp"
#include "report/groups.hpp"
#include "report/repairs.hpp"
#include "report/statistics.hpp"
#include "report/style.hpp"
#include "report/wording.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

constexpr std::size_t kMaxInputs = 8;
constexpr std::size_t kMaxNotesOfText = 12;
constexpr int kMinWidth = 40;

/// One finding being written: `indent_` is the width of the line-number column.
class Block {
 public:
  Block(std::string& out, const Style& style, std::size_t width, std::size_t gutter)
      : out_(&out), style_(style), width_(width), gutter_(gutter) {}

  void rule() { line(style_.frame("|")); }
  void code(std::int64_t number, const std::string& text) {
    const std::string label = fmt::format("{:>{}}", number, gutter_);
    *out_ += style_.frame(label + " |") + (text.empty() ? "" : " " + text) + "\n";
  }
  void arrow(const std::string& text) { *out_ += std::string(gutter_, ' ') + style_.frame("-->") + " " + text + "\n"; }
  /// "= label: text", wrapped under the text.
  void item(std::string_view label, std::string_view text, bool remedy = false) {
    const std::string head = fmt::format("{}: ", label);
    const std::size_t hang = gutter_ + 3 + head.size();
    const std::vector<std::string> lines = wrap(text, width_ > hang + 20 ? width_ - hang : 20);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string shown = remedy ? style_.remedy(lines[i]) : lines[i];
      if (i == 0) {
        line(style_.frame("=") + " " + style_.bold(head.substr(0, head.size() - 1)) + (shown.empty() ? "" : " ") +
             shown);
      } else {
        *out_ += std::string(hang, ' ') + shown + "\n";
      }
    }
  }
  /// A line under an item, wrapped with a hanging indent of `hang` more columns.
  void under(std::size_t indent, std::string_view text, std::size_t hang = 0) {
    const std::size_t column = gutter_ + 3 + indent;
    const std::vector<std::string> lines = wrap(text, width_ > column + hang + 20 ? width_ - column - hang : 20);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      *out_ += std::string(column + (i == 0 ? 0 : hang), ' ') + lines[i] + "\n";
    }
  }

 private:
  void line(const std::string& text) { *out_ += std::string(gutter_ + 1, ' ') + text + "\n"; }

  std::string* out_;
  Style style_;
  std::size_t width_;
  std::size_t gutter_;
};

void write_headline(std::string& out, const Finding& finding, const Style& style, std::size_t width) {
  const std::string label = fmt::format("{}[{}]", to_string(finding.severity), code_text(finding));
  const std::string head = fmt::format("{} {}:", label, finding.rule->name);
  std::vector<std::string> lines = wrap(head + " " + printable(finding.message), width - 2);
  // The label is a word of its own, so wrapping never splits it.
  lines.front() = style.link(*finding.rule, style.severity(finding.severity, label)) +
                  style.bold(lines.front().substr(label.size()));
  out += lines.front() + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) out += "  " + style.bold(lines[i]) + "\n";
}

void write_source(Block& block, const Report& report, const Finding& finding, const Style& style) {
  if (!finding.source) {
    block.arrow(display_path(report));
    return;
  }
  const SourceLocation& source = *finding.source;
  std::string place = style.bold(fmt::format("{}:{}", printable(source.file, kMaxName), source.line));
  if (!source.function.empty()) place += " in " + printable(source.function, kMaxName);
  block.arrow(place);
  if (source.code.empty()) return;
  block.rule();
  block.code(source.line, printable(source.code, kMaxName));
  block.rule();
}

/// "net.py:12 in forward: y = x.view(b, -1, h, w)"
std::string line_text(const SourceLocation& source) {
  std::string text = fmt::format("{}:{}", printable(source.file, kMaxName), source.line);
  if (!source.function.empty()) text += " in " + printable(source.function, kMaxName);
  return source.code.empty() ? text : text + ": " + printable(source.code, kMaxName);
}

/// The line of a step or of the remedy, below it.
void write_line(Block& block, const SourceLocation& source, std::size_t indent) {
  block.under(indent, "--> " + line_text(source), 4);
}

void write_node(Block& block, const Report& report, const Finding& finding) {
  if (finding.library) block.item("library", line_text(*finding.library));
  if (!finding.module.empty()) block.item("module", printable(finding.module, kMaxName));
  std::string text;
  if (!finding.node.empty()) {
    text = fmt::format("{}{}`{}`", printable(finding.op_type, kMaxName), finding.op_type.empty() ? "" : " ",
                       printable(finding.node, kMaxName));
    if (!finding.graph.empty() && finding.graph != "main") text += " in " + printable(finding.graph, kMaxName);
    if (finding.source) text += " of " + display_path(report);
    block.item("node", text);
  } else if (!finding.value.empty()) {
    block.item("tensor", fmt::format("`{}`", printable(finding.value, kMaxName)));
  }
  const std::size_t shown = std::min(finding.signature.size(), kMaxInputs);
  for (std::size_t i = 0; i < shown; ++i) block.under(6, printable(finding.signature[i], kMaxName), 2);
  if (shown < finding.signature.size()) block.under(6, fmt::format("... {} more", finding.signature.size() - shown));
}

void write_notes(Block& block, const Finding& finding) {
  if (finding.notes.empty()) return;
  if (finding.notes.size() == 1) {
    const Note& note = finding.notes.front();
    block.item("because", note_text(finding, note));
    if (is_another_line(finding, note.source)) write_line(block, *note.source, std::string_view("because: ").size());
    return;
  }
  block.item("because", "");
  const std::size_t shown = std::min(finding.notes.size(), kMaxNotesOfText);
  for (std::size_t i = 0; i < shown; ++i) {
    const Note& note = finding.notes[i];
    const std::string number = fmt::format("{}. ", i + 1);
    block.under(2, number + note_text(finding, note), number.size());
    if (has_line_of_its_own(finding, i)) write_line(block, *note.source, 2 + number.size());
  }
  if (shown < finding.notes.size()) block.under(2, fmt::format("... {} more", finding.notes.size() - shown));
}

void write_fix(Block& block, const Finding& finding) {
  block.item("fix", printable(finding.fix->title), true);
  if (is_another_line(finding, finding.fix->source)) {
    write_line(block, *finding.fix->source, std::string_view("fix: ").size());
  }
}

void write_group(std::string& out, const Report& report, const FindingGroup& group, const Style& style,
                 std::size_t width) {
  const Finding& finding = *group.front();
  const bool has_code = finding.source && !finding.source->code.empty();
  const std::size_t gutter = has_code ? fmt::formatted_size("{}", finding.source->line) : 1;
  write_headline(out, finding, style, width);
  Block block(out, style, width, std::max<std::size_t>(gutter, 2));
  write_source(block, report, finding, style);
  write_node(block, report, finding);
  write_notes(block, finding);
  if (const std::string_view text = doubt(finding); !text.empty()) block.item("certainty", text);
  if (!finding.witness.empty()) block.item("witness", printable(finding.witness));
  if (finding.fix) write_fix(block, finding);
  if (const std::string text = others_text(group); !text.empty()) block.item("also", text);
  if (const std::string text = consequences_text(group); !text.empty()) block.item("follows", text);
  block.item("more", fmt::format("trtcheck explain {}", code_text(finding)));
  out += "\n";
}

void write_summary(std::string& out, const Report& report, const Style& style) {
  const Verdict verdict = report.verdict();
  out += fmt::format("{}: {} for {}: {} in {}", style.bold(display_path(report)),
                     style.verdict(verdict, to_string(verdict)), full_name(report.target.release),
                     counts_text(count_all(report)), counted(report.node_count, "node"));
  if (report.suppressed > 0) out += fmt::format(", {} left out", report.suppressed);
  out += "\n";
  if (const std::string line = repair_line(report); !line.empty()) out += line + "\n";
}

void write_totals(std::string& out, std::span<const Report> reports, std::span<const Failure> failures) {
  const auto of = [reports](Verdict verdict) {
    return std::count_if(reports.begin(), reports.end(), [verdict](const Report& r) { return r.verdict() == verdict; });
  };
  out += fmt::format("{}: {} refused, {} uncertain, {} clean", asked_models(reports.size(), failures),
                     of(Verdict::refused), of(Verdict::uncertain), of(Verdict::clean));
  out += not_checked(failures);
  std::size_t left_out = 0;
  for (const Report& report : reports) left_out += report.suppressed;
  if (left_out > 0) out += fmt::format("; {} left out", counted(left_out, "finding"));
  out += "\n";
}

}  // namespace

std::string render_full(std::span<const Report> reports, const RenderOptions& options) {
  const Style style(options.color, options.rule_pages);
  const auto width = static_cast<std::size_t>(std::max(options.width, kMinWidth));
  const bool several = reports.size() > 1;
  std::string out;
  for (const Report& report : reports) {
    for (const FindingGroup& group : told(report, options)) write_group(out, report, group, style, width);
    // Among many, a model in which nothing was found is told by the totals.
    if (!options.summary || (report.findings.empty() && several)) continue;
    if (const std::string_view hint = missing_lines(report); !hint.empty()) out += fmt::format("note: {}\n", hint);
    write_summary(out, report, style);
    if (several) out += "\n";
  }
  for (const Failure& failure : options.failures) out += failure_line(failure);
  if (options.summary && reports.size() + options.failures.size() >= 2) {
    if (!options.failures.empty()) out += "\n";
    write_totals(out, reports, options.failures);
  }
  if (options.statistics) add_statistics(out, reports, options.color);
  return out;
}

}  // namespace trtcheck::report
