// What the witness says of each finding.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <trtcheck/confirm.hpp>

#include "engine/order.hpp"
#include "witness/wording.hpp"

namespace trtcheck {
namespace {

/// The message that is about the finding: at its node, or explained by its rule.
const WitnessMessage* message_about(const Finding& finding, const Confirmation& confirmation) {
  const auto is_about = [&](const WitnessMessage& message) {
    if (!finding.node.empty() && message.node == finding.node && message.graph == finding.graph) return true;
    return std::ranges::any_of(message.matches, [&](const MessageMatch& match) {
      return match.rule == finding.rule &&
             (match.facts.empty() || std::ranges::find(match.facts, finding.fact) != match.facts.end());
    });
  };
  const auto found = std::ranges::find_if(confirmation.messages, is_about);
  return found == confirmation.messages.end() ? nullptr : &*found;
}

bool is_same(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.fact == b.fact && a.node == b.node && a.graph == b.graph && a.value == b.value &&
         a.severity == b.severity;
}

bool has(const std::vector<Finding>& findings, const Finding& finding) {
  return std::ranges::any_of(
      findings, [&](const Finding& other) { return is_same(other, finding) || has(other.consequences, finding); });
}

class Marker {
 public:
  Marker(const Confirmation& confirmation, TrtVersion release)
      : confirmation_(confirmation), release_(release), who_(witness::name_of(confirmation.witness)) {}

  void mark_all(std::vector<Finding>& findings) const {
    for (Finding& finding : findings) {
      finding.witness = said_of(finding);
      mark_all(finding.consequences);
    }
  }

 private:
  [[nodiscard]] std::string said_of(const Finding& finding) const {
    if (finding.severity == Severity::info) return "";
    if (confirmation_.testimony == Testimony::built) return built(finding);
    if (confirmation_.testimony != Testimony::refused) return "";
    const WitnessMessage* const message = message_about(finding, confirmation_);
    if (message == nullptr) return "";
    const std::string says = witness::saying_text(confirmation_.witness, *message);
    return is_compared(finding) ? "confirmed: " + says : says + not_asked();
  }

  [[nodiscard]] std::string built(const Finding& finding) const {
    if (is_compared(finding)) {
      return finding.severity == Severity::error ? fmt::format("contradicted: {} builds the model", who_)
                                                 : fmt::format("{} builds the model all the same", who_);
    }
    return fmt::format("{} builds the model{}", who_, not_asked());
  }

  /// Whether the finding is one of the release that was asked: of its branch where the prediction for the witness has
  /// it, too.
  [[nodiscard]] bool is_compared(const Finding& finding) const {
    if (release_of(confirmation_.witness) == release_) return true;
    return answers_for(confirmation_.witness, release_) && has(confirmation_.report.findings, finding);
  }
  [[nodiscard]] std::string not_asked() const {
    if (!answers_for(confirmation_.witness, release_)) {
      return fmt::format("; {} was not asked", witness::release_text(release_));
    }
    return fmt::format("; this is not predicted for {}", witness::release_text(confirmation_.report.target.release));
  }

  const Confirmation& confirmation_;
  TrtVersion release_;
  std::string who_;
};

}  // namespace

void mark(Report& report, const Confirmation& confirmation) {
  Marker(confirmation, report.target.release).mark_all(report.findings);
  const Report& more = confirmation.unpredicted;
  report.suppressed += more.suppressed;
  std::ranges::copy(more.suppressions, std::back_inserter(report.suppressions));
  if (more.findings.empty()) return;
  std::ranges::copy(more.findings, std::back_inserter(report.findings));
  engine::sort_findings(report.findings);
}

}  // namespace trtcheck
