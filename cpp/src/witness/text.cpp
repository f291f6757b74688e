// The format for people.
//
//     net.onnx: not predicted: refused by TensorRT-RTX 1.7.1, which was not predicted for TensorRT-RTX 1.7
//       = predicted: clean for TensorRT-RTX 1.7: nothing found
//       = TensorRT 8.6: predicted refused: 1 error; not asked
//       = parser: Assertion failed: ...
//         node: Conv `/stem/conv`
//         --> net.py:12 in forward: return self.conv(x)
//         rule: WGT101 grouped-conv-unknown-channels
//       = measured: parsed in 0.002 s
//
// Of several witnesses all answers stand in front of that:
//
//     net.onnx
//       TensorRT 10.16 (TensorRT-RTX 1.4.0)  refused, agree
//       TensorRT 11.4 (TensorRT-RTX 1.7.1)   built, agree
#include <fmt/core.h>

#include <algorithm>

#include "report/formats.hpp"
#include "report/style.hpp"
#include "text/lines.hpp"
#include "text/printable.hpp"
#include "witness/wording.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::size_t kMostLines = 8;  // of one message
constexpr std::size_t kMostShown = 5;  // of one model
constexpr std::size_t kMostWarnings = 3;

std::size_t untold(std::size_t all, std::size_t most) { return all - std::min(all, most); }

class Page {
 public:
  Page(const RenderOptions& options, std::string& out)
      : style_(options.color), width_(static_cast<std::size_t>(std::max(options.width, 40))), out_(&out) {}

  /// What all witnesses say of one model, side by side.
  void overview(std::span<const Confirmation> of_model) {
    std::size_t widest = 0;
    for (const Confirmation& c : of_model) widest = std::max(widest, branch_text(c.witness).size());
    *out_ += style_.bold(report::display_path(of_model.front().report)) + "\n";
    for (const Confirmation& c : of_model) {
      *out_ += fmt::format("  {:<{}}  {}\n", branch_text(c.witness), widest, answer_text(of_model, c.witness));
    }
    *out_ += '\n';
  }

  void model(const Confirmation& c) {
    const std::string head = fmt::format("{}: ", report::display_path(c.report));
    *out_ += style_.bold(head) + agreement(c.agreement) + ": " + printable(outcome_text(c)) + "\n";
    item("predicted", prediction_text(c.report));
    for (const std::string& text : finding_texts(c.report)) under(text);
    if (c.requested) {
      item(release_text(c.requested->target.release), requested_text(c));
      for (const std::string& text : finding_texts(*c.requested)) under(text);
    }
    for (std::size_t i = 0; i < std::min(c.messages.size(), kMostShown); ++i) message(c.messages[i]);
    more(untold(c.messages.size(), kMostShown) + c.unlisted_messages, "");
    for (std::size_t i = 0; i < std::min(c.warnings.size(), kMostWarnings); ++i) item("warning", c.warnings[i]);
    more(untold(c.warnings.size(), kMostWarnings) + c.unlisted_warnings, " warnings");
    item("profile", profile_text(c));
    item("measured", measured_text(c));
    *out_ += '\n';
  }

 private:
  std::string agreement(Agreement agreement) const {
    if (agreement == Agreement::not_judged) return style_.bold(to_string(agreement));
    return style_.severity(agreement == Agreement::agree ? Severity::info : Severity::error, to_string(agreement));
  }

  void message(const WitnessMessage& said) {
    std::string_view text = said.text;
    for (std::size_t i = 0; i < kMostLines && !text.empty(); ++i) {
      const std::string line(next_line(text));
      if (i == 0) {
        item(said.stage, line);
      } else {
        under(line);
      }
    }
    more(static_cast<std::size_t>(std::ranges::count(text, '\n')) + (text.empty() || text.ends_with('\n') ? 0 : 1),
         " lines");
    if (!node_text(said).empty()) under("node: " + node_text(said));
    if (!source_text(said).empty()) under("--> " + source_text(said));
    if (!said.module.empty()) under("module: " + said.module);
    if (!rule_text(said).empty()) under("rule: " + rule_text(said));
  }

  /// What is counted only; nothing when there is none.
  void more(std::size_t count, std::string_view what) {
    if (count > 0) under(fmt::format("... {} more{}", count, what));
  }
  /// "  = label: text"; nothing when there is no text.
  void item(std::string_view label, const std::string& text) {
    if (text.empty()) return;
    const std::string head = fmt::format("{}: ", label);
    lines(text, fmt::format("  {} {}", style_.frame("="), style_.bold(head)), 4 + head.size());
  }
  void under(const std::string& text) { lines(text, "      ", 8); }
  void lines(const std::string& text, const std::string& head, std::size_t hang) {
    const std::size_t width = width_ > hang + 30 ? width_ - hang : 30;
    std::string before = head;
    for (const std::string& line : wrap(printable(text), width)) {
      *out_ += before + line + "\n";
      before = std::string(hang, ' ');
    }
  }

  report::Style style_;
  std::size_t width_;
  std::string* out_;
};

bool lacks_profile(const Confirmation& c) {
  return c.testimony == Testimony::parsed && c.reason.ends_with("has no profile");
}

}  // namespace

std::string render_full(std::span<const Confirmation> all, const RenderOptions& options) {
  std::string out;
  Page page(options, out);
  for (const std::span<const Confirmation> of_model : by_model(all)) {
    if (of_model.size() > 1) page.overview(of_model);
    for (const Confirmation& confirmation : of_model) page.model(confirmation);
  }
  for (const Failure& failure : options.failures) out += report::failure_line(failure);
  if (!options.summary) return out;
  out += summary_text(all, options.failures) + "\n";
  if (const std::string caution = caution_text(all); !caution.empty()) out += caution + "\n";
  if (std::ranges::any_of(all, lacks_profile)) {
    out += "inputs are dynamic: --propose-profile builds them in sizes that fit, --profile in yours\n";
  }
  return out;
}

}  // namespace trtcheck::witness
