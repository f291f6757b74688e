// What the witness says of each finding.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/confirm.hpp>

#include "witness/judge.hpp"

namespace trtcheck {
namespace {

/// The message that is about the finding: at its node, or explained by its rule.
const WitnessMessage* message_about(const Finding& finding, const Confirmation& confirmation) {
  const auto is_about = [&](const WitnessMessage& message) {
    if (!finding.node.empty() && message.node == finding.node && message.graph == finding.graph) return true;
    return std::ranges::find(message.matches, finding.rule, &MessageMatch::rule) != message.matches.end();
  };
  const auto found = std::ranges::find_if(confirmation.messages, is_about);
  return found == confirmation.messages.end() ? nullptr : &*found;
}

std::string said_of(const Finding& finding, const Confirmation& confirmation, std::string_view who) {
  if (finding.severity == Severity::info) return "";
  if (confirmation.testimony == Testimony::built) {
    return finding.severity == Severity::error ? fmt::format("contradicted: {} builds the model", who)
                                               : fmt::format("{} builds the model all the same", who);
  }
  if (confirmation.testimony != Testimony::refused) return "";
  const WitnessMessage* const message = message_about(finding, confirmation);
  if (message == nullptr) return "";
  return fmt::format("confirmed: {} says `{}`", who, witness::headline(message->text));
}

void mark_all(std::vector<Finding>& findings, const Confirmation& confirmation, std::string_view who) {
  for (Finding& finding : findings) {
    finding.witness = said_of(finding, confirmation, who);
    mark_all(finding.consequences, confirmation, who);
  }
}

}  // namespace

void mark(Report& report, const Confirmation& confirmation) {
  mark_all(report.findings, confirmation, confirmation.witness.product + " " + confirmation.witness.release);
}

}  // namespace trtcheck
