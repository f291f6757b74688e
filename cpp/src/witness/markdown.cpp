// For a comment on a pull request.
#include <fmt/core.h>

#include <algorithm>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "text/plural.hpp"
#include "witness/judge.hpp"
#include "witness/wording.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::size_t kMostRows = 100;
constexpr std::size_t kMostInTable = 5;

std::string message_line(const WitnessMessage& message) {
  std::string out = fmt::format("- {}: {}", message.stage, report::markdown_code(headline(message.text), 1000));
  for (const std::string& text : {node_text(message), source_text(message), rule_text(message)}) {
    if (!text.empty()) out += "<br>" + report::markdown_prose(text);
  }
  return out + "\n";
}

std::string requested_cell(const Confirmation& c) {
  if (!c.requested) return "";
  return fmt::format("<br>{}: {}", release_text(c.requested->target.release),
                     report::markdown_prose(requested_text(c)));
}

/// With the warnings, which are counted only.
std::string measured_cell(const Confirmation& c) {
  std::string out = measured_text(c);
  if (const std::size_t warnings = c.warnings.size() + c.unlisted_warnings; warnings > 0) {
    out += (out.empty() ? "" : "; ") + counted(warnings, "warning");
  }
  return out;
}

std::string findings_list(const Report& report) {
  std::string out;
  for (const std::string& text : finding_texts(report)) out += "- " + report::markdown_prose(text, 1000) + "\n";
  return out.empty() ? out : "\n" + out;
}

std::string details(const Confirmation& c) {
  std::string out = fmt::format("\n### {}\n\nPredicted: {}\n", report::markdown_code(report::display_path(c.report)),
                                report::markdown_prose(prediction_text(c.report)));
  out += findings_list(c.report);
  if (c.requested) {
    out +=
        fmt::format("\n{}: {}\n", release_text(c.requested->target.release), report::markdown_prose(requested_text(c)));
    out += findings_list(*c.requested);
  }
  if (!c.messages.empty()) out += fmt::format("\n{} says:\n\n", name_of(c.witness));
  for (std::size_t i = 0; i < std::min(c.messages.size(), kMostInTable); ++i) out += message_line(c.messages[i]);
  const std::size_t more = c.messages.size() - std::min(c.messages.size(), kMostInTable) + c.unlisted_messages;
  if (more > 0) out += fmt::format("- and {} more\n", more);
  if (const std::string text = profile_text(c); !text.empty())
    out += "\nProfile: " + report::markdown_code(text) + "\n";
  return out;
}

/// Of several witnesses: what each says of each model.
std::string markdown_side_by_side(std::span<const Confirmation> all) {
  const std::vector<Witness> witnesses = witnesses_of(all);
  if (witnesses.size() < 2) return "";
  std::string head = "\n| model |", line = "|---|";
  for (const Witness& each : witnesses) {
    head += fmt::format(" {} |", report::markdown_prose(branch_text(each)));
    line += "---|";
  }
  std::string out = head + "\n" + line + "\n";
  for (const std::span<const Confirmation> of_model : by_model(all)) {
    out += fmt::format("| {} |", report::markdown_code(report::display_path(of_model.front().report)));
    for (const Witness& each : witnesses) out += fmt::format(" {} |", answer_text(of_model, each));
    out += "\n";
  }
  return out;
}

}  // namespace

std::string render_markdown(std::span<const Confirmation> all, const RenderOptions& options) {
  std::string out =
      fmt::format("## trtcheck confirm: {}\n", report::markdown_prose(summary_text(all, options.failures)));
  const std::span<const Confirmation> shown = all.first(std::min(all.size(), kMostRows));
  out += markdown_side_by_side(shown);
  if (!all.empty()) out += "\n| model | agreement | witness | measured |\n|---|---|---|---|\n";
  for (const Confirmation& c : shown) {
    out += fmt::format("| {} | **{}** | {}{} | {} |\n", report::markdown_code(report::display_path(c.report)),
                       to_string(c.agreement), report::markdown_prose(outcome_text(c), 1000), requested_cell(c),
                       measured_cell(c));
  }
  if (shown.size() < all.size()) out += fmt::format("\nand {} more models\n", all.size() - shown.size());
  if (const std::string caution = caution_text(all); !caution.empty()) out += "\n" + caution + "\n";
  for (const Failure& failure : options.failures) {
    out += fmt::format("\n{}: not checked: {}\n", report::markdown_code(failure.path),
                       report::markdown_prose(failure.cause));
  }
  for (const Confirmation& c : shown) {
    if (!c.messages.empty() || c.requested || c.agreement != Agreement::agree) out += details(c);
  }
  return out;
}

}  // namespace trtcheck::witness
