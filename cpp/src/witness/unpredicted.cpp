#include "witness/unpredicted.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "check/check_with.hpp"
#include "rules/list.hpp"
#include "text/lines.hpp"
#include "text/printable.hpp"
#include "witness/nodes.hpp"
#include "witness/wording.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::size_t kMostNotes = 8;  // of one message

/// How sure it is that the release which was asked about refuses the model, too.
struct Weight {
  Severity severity;
  Certainty certainty;
};
Weight weight_of(const Witness& witness, TrtVersion release) {
  if (release_of(witness) == release) return {Severity::error, Certainty::proven};
  const std::optional<TrtVersion> own = release_of(witness);
  const bool is_near = answers_for(witness, release) || (own && own->major_version == release.major_version);
  return is_near ? Weight{Severity::error, Certainty::likely} : Weight{Severity::warning, Certainty::possible};
}

/// Not predicted for the witness, and what that means for the release.
std::string tail_of(const Confirmation& made, TrtVersion release) {
  return answers_for(made.witness, release) ? "" : fmt::format("; {} was not asked", release_text(release));
}

Finding finding_of(const Confirmation& made, TrtVersion release, std::string_view text) {
  const Weight weight = weight_of(made.witness, release);
  Finding finding;
  finding.rule = &rules::refused_by_witness::rule;
  finding.severity = weight.severity;
  finding.certainty = weight.certainty;
  const std::string_view what = made.testimony == Testimony::crashed ? "does not survive" : "refuses";
  const std::string_view quote = text == kNoReason ? "" : "`";
  finding.message = fmt::format("{} {} the model: {}{}{}{}", name_of(made.witness), what, quote, printable(text), quote,
                                tail_of(made, release));
  finding.evidence = {fmt::format("{}, asked on this machine", name_of(made.witness))};
  return finding;
}

/// What follows the headline.
void add_lines(Finding& finding, std::string_view text, std::string_view headline) {
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.empty() || line == headline) continue;
    if (++lines <= kMostNotes) finding.notes.push_back({.message = printable(line), .node = {}});
  }
  if (lines > kMostNotes) {
    finding.notes.push_back({.message = fmt::format("and {} more lines", lines - kMostNotes), .node = {}});
  }
}

void add_rule(Finding& finding, const WitnessMessage& message) {
  if (message.matches.empty()) return;
  const Rule& rule = *message.matches.front().rule;
  finding.notes.push_back(
      {.message = fmt::format("{} ({}) knows this text: `trtcheck explain {}`", rule.code, rule.name, rule.code),
       .node = {}});
}

/// One for each node that the parser refuses; of the builder the first: what it says after that follows from it.
std::vector<Finding> findings_of(const Confirmation& made, const Model& model, TrtVersion release,
                                 std::span<const Said> said) {
  const NodeFinder finder(model);
  std::vector<Finding> findings;
  std::set<std::pair<std::uint32_t, std::string>> told;
  for (std::size_t i = 0; i < made.messages.size() && i < said.size(); ++i) {
    const WitnessMessage& message = made.messages[i];
    if (!said[i].limit.empty() || (message.stage == "builder" && !findings.empty())) continue;
    // Of a crash the last lines are there: it is the reason that tells.
    const bool crashed = made.testimony == Testimony::crashed;
    const std::string text = crashed ? made.reason : headline(message.text);
    const NodeId node = finder.find(said[i]);
    if (!told.emplace(node.index, text).second) continue;
    Finding& finding = findings.emplace_back(finding_of(made, release, text));
    finding.node_id = node;
    add_lines(finding, message.text, text);
    add_rule(finding, message);
  }
  if (findings.empty()) findings.push_back(finding_of(made, release, made.reason));
  return findings;
}

}  // namespace

void add_unpredicted(Confirmation& made, const Model& model, const CheckOptions& options, std::span<const Said> said) {
  // Where nothing is known of the release of the witness, the prediction that there is must do.
  const bool is_refused = made.testimony == Testimony::refused || made.testimony == Testimony::crashed;
  const bool was_said =
      made.report.verdict() == Verdict::refused || std::ranges::any_of(made.messages, &WitnessMessage::predicted);
  const bool is_unknown = is_refused && !was_said && !release_of(made.witness);
  if (made.agreement != Agreement::not_predicted && !is_unknown) return;
  std::vector<Finding> found = findings_of(made, model, options.target.release, said);
  const std::size_t count = found.size();
  Report with = check_with(model, options, std::move(found));
  const auto is_ours = [](const Finding& finding) { return finding.rule == &rules::refused_by_witness::rule; };
  Report& only = made.unpredicted;
  for (Finding& finding : with.findings) {
    if (is_ours(finding)) only.findings.push_back(std::move(finding));
  }
  for (Suppressed& suppressed : with.suppressions) {
    if (is_ours(suppressed.finding)) only.suppressions.push_back(std::move(suppressed));
  }
  only.suppressed = count - only.findings.size();
}

}  // namespace trtcheck::witness
