#include <trtcheck/confirm.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "rules/provenance.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"
#include "witness/ask.hpp"
#include "witness/judge.hpp"
#include "witness/machine.hpp"
#include "witness/nodes.hpp"

namespace trtcheck {
namespace {

using witness::Judgement;
using witness::Reply;
using witness::Said;

constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30U;
constexpr std::size_t kMostMessages = 100;

void check_limits(const ConfirmOptions& options) {
  if (!std::isfinite(options.timeout) || options.timeout < 0) throw Error("", "timeout: is no number of seconds");
  if (!std::isfinite(options.memory) || options.memory < 0 || options.memory > 1e6) {
    throw Error("", "memory: is no number of GB");
  }
}

witness::ChildLimits limits_of(const ConfirmOptions& options) {
  const auto given = static_cast<std::uint64_t>(options.memory * static_cast<double>(kGigabyte));
  return {
      .seconds = options.timeout, .bytes = given > 0 ? given : witness::usual_memory(), .cancelled = options.cancelled};
}

/// What was predicted, and where.
class Prediction {
 public:
  explicit Prediction(const Report& report) { add(report.findings); }

  [[nodiscard]] bool has(const Rule& rule) const { return rules_.contains(&rule); }

  [[nodiscard]] bool speaks_of(const WitnessMessage& message, NodeId node) const {
    if (node && nodes_.contains(node.index)) return true;
    return std::ranges::any_of(message.matches, [&](const MessageMatch& m) { return has(*m.rule); });
  }

 private:
  void add(std::span<const Finding> findings) {
    for (const Finding& finding : findings) {
      if (finding.severity == Severity::info) continue;
      rules_.insert(finding.rule);
      if (finding.node_id) nodes_.insert(finding.node_id.index);
      add(finding.consequences);
    }
  }

  std::set<const Rule*> rules_;
  std::set<std::uint32_t> nodes_;
};

std::vector<WitnessMessage> messages_of(const Model& model, const Report& report, std::span<const Said> all) {
  const witness::NodeFinder finder(model);
  const Prediction prediction(report);
  rules::Provenances provenances(model);
  std::vector<WitnessMessage> made;
  for (const Said& said : all.first(std::min(all.size(), kMostMessages))) {
    WitnessMessage message;
    message.text = said.text;
    message.stage = said.stage;
    message.op_type = said.op_type;
    message.matches = rules_for(said.text);
    // Of several rules that know the text, those that found something here are meant.
    std::stable_partition(message.matches.begin(), message.matches.end(),
                          [&](const MessageMatch& m) { return prediction.has(*m.rule); });
    const NodeId id = finder.find(said);
    if (id) witness::describe_node(message, model, id, provenances);
    message.predicted = prediction.speaks_of(message, id);
    made.push_back(std::move(message));
  }
  return made;
}

Agreement agreement_of(const Confirmation& made) {
  const Verdict predicted = made.report.verdict();
  switch (made.testimony) {
    case Testimony::built:
      return predicted == Verdict::refused ? Agreement::cried_wolf : Agreement::agree;
    case Testimony::parsed:
      return predicted == Verdict::refused ? Agreement::not_judged : Agreement::agree;
    case Testimony::refused:
    case Testimony::crashed: {
      const bool was_said = std::ranges::any_of(made.messages, &WitnessMessage::predicted);
      return predicted == Verdict::refused || was_said ? Agreement::agree : Agreement::missed;
    }
    case Testimony::not_judged:
      break;
  }
  return Agreement::not_judged;
}

void take_answer(Confirmation& made, const Model& model, const witness::Answer& answer) {
  if (!answer.fatal.empty())
    throw Error("", "the witness cannot be asked: " + printable(witness::headline(answer.fatal)));
  const Judgement judged = witness::judge(answer, made.profile_proposed);
  made.testimony = judged.testimony;
  made.reason = judged.reason;
  made.messages = messages_of(model, made.report, judged.said);
  for (const witness::LogLine& line : answer.log) {
    if (line.severity == "warning") made.warnings.push_back(line.text);
  }
  made.engine_bytes = answer.engine_bytes;
  made.parse_seconds = answer.parse_seconds;
  made.build_seconds = answer.build_seconds;
}

void take_ending(Confirmation& made, const Model& model, const Reply& reply) {
  made.testimony = reply.kind == Reply::Kind::crashed ? Testimony::crashed : Testimony::not_judged;
  made.reason = reply.reason;
  if (reply.last.empty()) return;
  const Said said{reply.last, reply.stage, {}, {}};
  made.messages = messages_of(model, made.report, std::span(&said, 1));
}

}  // namespace

std::string_view to_string(Testimony testimony) noexcept {
  switch (testimony) {
    case Testimony::built:
      return "built";
    case Testimony::parsed:
      return "parsed";
    case Testimony::refused:
      return "refused";
    case Testimony::crashed:
      return "crashed";
    case Testimony::not_judged:
      return "not judged";
  }
  return "?";
}

std::string_view to_string(Agreement agreement) noexcept {
  switch (agreement) {
    case Agreement::agree:
      return "agree";
    case Agreement::missed:
      return "missed";
    case Agreement::cried_wolf:
      return "cried wolf";
    case Agreement::not_judged:
      return "not judged";
  }
  return "?";
}

bool Confirmation::is_refused() const noexcept {
  return testimony == Testimony::refused || testimony == Testimony::crashed || report.verdict() == Verdict::refused;
}

Confirmation confirm(const std::string& path, const Witness& witness, const ConfirmOptions& options) {
  check_limits(options);
  const Model model = read_model(path, options.check.limits);
  CheckOptions check_options = options.check;
  Confirmation made;
  made.path = path;
  made.witness = witness;
  if (options.propose_profile) {
    std::vector<ProfileInput> proposed = propose_profile(model, check_options.target.profile);
    made.profile_proposed = !proposed.empty();
    std::ranges::move(proposed, std::back_inserter(check_options.target.profile));
  }
  made.report = check(model, check_options);
  made.profile = made.report.target.profile;
  const Reply reply =
      witness::ask(witness::words_for(witness, path, made.profile, options.parse_only), limits_of(options));
  if (reply.kind == Reply::Kind::answered) {
    take_answer(made, model, reply.answer);
  } else {
    take_ending(made, model, reply);
  }
  made.agreement = agreement_of(made);
  return made;
}

}  // namespace trtcheck
