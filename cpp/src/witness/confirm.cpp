#include <trtcheck/confirm.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "provenance/provenance.hpp"
#include "text/printable.hpp"
#include "witness/ask.hpp"
#include "witness/judge.hpp"
#include "witness/machine.hpp"
#include "witness/nodes.hpp"
#include "witness/prediction.hpp"
#include "witness/unpredicted.hpp"

namespace trtcheck {
namespace {

using witness::Judgement;
using witness::Prediction;
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

std::vector<WitnessMessage> messages_of(const Model& model, const Prediction& prediction, std::span<const Said> all) {
  const witness::NodeFinder finder(model);
  rules::Provenances provenances(model);
  std::vector<WitnessMessage> made;
  for (const Said& said : all.first(std::min(all.size(), kMostMessages))) {
    WitnessMessage message;
    message.text = said.text;
    message.stage = said.stage;
    message.op_type = said.op_type;
    const NodeId id = finder.find(said);
    message.matches = prediction.rules_for(said.text, id);
    if (id) witness::describe_node(message, model, id, provenances);
    message.predicted = prediction.speaks_of(message, id);
    made.push_back(std::move(message));
  }
  return made;
}

Agreement agreement_of(const Confirmation& made) {
  // Across releases nothing follows: there are no facts about that of the witness.
  if (release_of(made.witness) != made.report.target.release) return Agreement::not_judged;
  const Verdict predicted = made.report.verdict();
  switch (made.testimony) {
    case Testimony::built:
      return predicted == Verdict::refused ? Agreement::false_alarm : Agreement::agree;
    case Testimony::parsed:
      return predicted == Verdict::refused ? Agreement::not_judged : Agreement::agree;
    case Testimony::refused:
    case Testimony::crashed: {
      const bool was_said = std::ranges::any_of(made.messages, &WitnessMessage::predicted);
      return predicted == Verdict::refused || was_said ? Agreement::agree : Agreement::not_predicted;
    }
    case Testimony::not_judged:
      break;
  }
  return Agreement::not_judged;
}

/// Puts the answer into the confirmation.
/// @returns what was said
std::vector<Said> take_answer(Confirmation& made, const witness::Answer& answer) {
  if (!answer.fatal.empty())
    throw Error("", "the witness cannot be asked: " + printable(witness::headline(answer.fatal)));
  Judgement judged = witness::judge(answer, made.profile_proposed);
  made.testimony = judged.testimony;
  made.reason = judged.reason;
  for (const witness::LogLine& line : answer.log) {
    if (line.severity == "warning") made.warnings.push_back(line.text);
  }
  made.unlisted_warnings = answer.unlisted_warnings;
  if (answer.parsed && !judged.said.empty()) made.unlisted_messages = answer.unlisted_errors;
  made.engine_bytes = answer.engine_bytes;
  made.parse_seconds = answer.parse_seconds;
  made.build_seconds = answer.build_seconds;
  return std::move(judged.said);
}

/// The same of a process that ended without an answer.
std::vector<Said> take_ending(Confirmation& made, const Reply& reply) {
  made.testimony = reply.kind == Reply::Kind::crashed ? Testimony::crashed : Testimony::not_judged;
  made.reason = reply.reason;
  if (reply.last.empty()) return {};
  return {Said{reply.last, reply.stage, {}, {}}};
}

/// The prediction for the release of the witness, and that for the release in the options.
void predict(Confirmation& made, const Analysis& analysis, const CheckOptions& options) {
  const TrtVersion named = options.target.release;
  const TrtVersion own = release_of(made.witness).value_or(named);
  std::vector<Report> reports = check(analysis, options, std::array{own, named});
  made.report = std::move(reports.front());
  if (own != named) made.requested = std::move(reports.back());
}

/// With what the user does not want to be told: it was predicted all the same.
Report unfiltered(const Analysis& analysis, CheckOptions options, TrtVersion release) {
  options.target.release = release;
  options.select.clear();
  options.ignore.clear();
  options.node_ignores.clear();
  options.severities.clear();
  options.most_of_a_rule = 0;
  options.neighbourhoods = false;
  return check(analysis, options);
}

/// Compares the answer with the prediction.
void compare(Confirmation& made, const Analysis& analysis, const CheckOptions& options, std::span<const Said> said) {
  made.messages = messages_of(analysis.model(), Prediction(made.report), said);
  made.agreement = agreement_of(made);
  if (made.agreement != Agreement::not_predicted) return;
  const Report all = unfiltered(analysis, options, made.report.target.release);
  made.messages = messages_of(analysis.model(), Prediction(all), said);
  if (all.verdict() == Verdict::refused || std::ranges::any_of(made.messages, &WitnessMessage::predicted)) {
    made.agreement = Agreement::agree;
  }
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
    case Agreement::not_predicted:
      return "not predicted";
    case Agreement::false_alarm:
      return "false alarm";
    case Agreement::not_judged:
      return "not judged";
  }
  return "?";
}

bool Confirmation::is_refused() const noexcept {
  if (testimony == Testimony::refused || testimony == Testimony::crashed) return true;
  return (requested ? *requested : report).verdict() == Verdict::refused;
}

namespace {

Confirmation confirm_model(const Model& model, const std::string& file, const Witness& witness,
                           const ConfirmOptions& options) {
  const Analysis analysis(model);
  CheckOptions check_options = options.check;
  Confirmation made;
  made.path = model.path();
  made.witness = witness;
  if (options.propose_profile) {
    std::vector<ProfileInput> proposed = propose_profile(model, check_options.target.profile);
    made.profile_proposed = !proposed.empty();
    std::ranges::move(proposed, std::back_inserter(check_options.target.profile));
  }
  predict(made, analysis, check_options);
  made.profile = made.report.target.profile;
  const Reply reply =
      witness::ask(witness::words_for(witness, file, made.report.target, options.parse_only), limits_of(options));
  const std::vector<Said> said =
      reply.kind == Reply::Kind::answered ? take_answer(made, reply.answer) : take_ending(made, reply);
  compare(made, analysis, check_options, said);
  made.unlisted_messages += said.size() - made.messages.size();
  witness::add_unpredicted(made, model, options.check, said);
  return made;
}

bool has_other_files(const Model& model) {
  for (std::uint32_t t = 0; t < model.tensor_count(); ++t) {
    if (model.tensor(TensorId{t}).data == Tensor::Data::external) return true;
  }
  return false;
}

}  // namespace

Confirmation confirm(const std::string& path, const Witness& witness, const ConfirmOptions& options) {
  check_limits(options);
  return confirm_model(read_model(path, options.check.limits), path, witness, options);
}

Confirmation confirm(const Model& model, const std::string& file, const Witness& witness,
                     const ConfirmOptions& options) {
  check_limits(options);
  if (has_other_files(model)) {
    throw Error(model.path(),
                "holds tensors in other files, which the witness finds beside a binary file only: "
                "convert it with `onnx.save`");
  }
  return confirm_model(model, file, witness, options);
}

}  // namespace trtcheck
