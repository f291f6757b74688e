#include "witness/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats.hpp"
#include "report/wording.hpp"
#include "target/profile_text.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "witness/ask.hpp"
#include "witness/judge.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::size_t kMostFindings = 5;

std::string who(const Confirmation& c) { return name_of(c.witness); }

std::string target_text(const Confirmation& c) { return release_text(c.report.target.release); }

/// Whether the prediction is one for the release of the witness.
bool is_compared(const Confirmation& c) { return release_of(c.witness) == c.report.target.release; }

std::string found_text(const Report& report) {
  const std::string found = report::counts_text(report::count_all(report));
  return report.suppressed == 0 ? found : fmt::format("{} ({} suppressed)", found, report.suppressed);
}

std::string refusal_text(const Confirmation& c) {
  const std::string said = c.testimony == Testimony::crashed ? c.reason + " (" + who(c) + ")" : "refused by " + who(c);
  if (!is_compared(c)) return said + ", of whose release nothing is known";
  const bool predicted = c.agreement == Agreement::agree;
  return fmt::format("{}, {} predicted for {}", said, predicted ? "as" : "which was not", target_text(c));
}

std::string built_text(const Confirmation& c) {
  if (!is_compared(c)) return fmt::format("built by {}, of whose release nothing is known", who(c));
  if (c.agreement == Agreement::false_alarm) {
    return fmt::format("built by {}, although a refusal was predicted for {}", who(c), target_text(c));
  }
  const std::size_t warnings = c.report.count(Severity::warning);
  if (warnings == 0) return fmt::format("built by {}, as predicted for {}", who(c), target_text(c));
  return fmt::format("built by {}: {} did not come true", who(c), counted(warnings, "warning"));
}

}  // namespace

std::string name_of(const Witness& witness) { return witness.product + " " + witness.release; }

std::string branch_text(const Witness& witness) {
  const std::optional<TrtVersion> branch = branch_of(witness);
  return branch ? fmt::format("{} ({})", release_text(*branch), name_of(witness)) : name_of(witness);
}

std::vector<std::span<const Confirmation>> by_model(std::span<const Confirmation> all) {
  std::vector<std::span<const Confirmation>> models;
  while (!all.empty()) {
    const std::string& path = all.front().path;
    std::size_t count = 1;
    // A model that was named twice is asked about twice.
    while (count < all.size() && all[count].path == path && name_of(all[count].witness) != who(all.front())) ++count;
    models.push_back(all.first(count));
    all = all.subspan(count);
  }
  return models;
}

std::vector<Witness> witnesses_of(std::span<const Confirmation> all) {
  std::vector<Witness> found;
  for (const Confirmation& c : all) {
    if (std::ranges::find(found, who(c), name_of) == found.end()) found.push_back(c.witness);
  }
  return found;
}

std::string answer_text(std::span<const Confirmation> of_model, const Witness& witness) {
  const auto found = std::ranges::find(of_model, name_of(witness), who);
  if (found == of_model.end()) return "";
  if (found->testimony == Testimony::not_judged) return std::string(to_string(found->testimony));
  return fmt::format("{}, {}", to_string(found->testimony), to_string(found->agreement));
}

std::string saying_text(const Witness& witness, const WitnessMessage& message) {
  if (message.text == kNoReason) return name_of(witness) + ": " + std::string(kNoReason);
  return fmt::format("{} says `{}`", name_of(witness), headline(message.text));
}

std::string release_text(TrtVersion release) { return full_name(release); }

std::string outcome_text(const Confirmation& c) {
  switch (c.testimony) {
    case Testimony::built:
      return built_text(c);
    case Testimony::parsed:
      return fmt::format("parsed by {}, not built: {}", who(c), c.reason);
    case Testimony::refused:
    case Testimony::crashed:
      return refusal_text(c);
    case Testimony::not_judged:
      break;
  }
  return c.reason == kInterrupted ? c.reason : fmt::format("{} ({})", c.reason, who(c));
}

std::string prediction_text(const Report& report) {
  return fmt::format("{} for {}: {}", to_string(report.verdict()), release_text(report.target.release),
                     found_text(report));
}

std::string requested_text(const Confirmation& c) {
  if (!c.requested) return "";
  const TrtVersion release = c.requested->target.release;
  const std::string predicted =
      fmt::format("predicted {}: {}", to_string(c.requested->verdict()), found_text(*c.requested));
  if (!answers_for(c.witness, release)) return predicted + "; not asked";
  return fmt::format("{}; asked: {} was built from the branch of {}", predicted, who(c), release_text(release));
}

std::string caution_text(std::span<const Confirmation> all) {
  const auto is_unasked = [](const Confirmation& c) {
    return c.requested && !answers_for(c.witness, c.requested->target.release);
  };
  const auto unasked = std::ranges::find_if(all, is_unasked);
  if (unasked == all.end()) return "";
  return fmt::format("{} is another release than {}: what it refuses the other may accept, and the other way round",
                     who(*unasked), release_text(unasked->requested->target.release));
}

std::vector<std::string> finding_texts(const Report& report) {
  std::vector<std::string> texts;
  std::size_t more = 0;
  for (const FindingGroup& group : report.groups()) {
    const Finding& finding = *group.front();
    if (finding.severity == Severity::info) continue;
    if (texts.size() == kMostFindings) {
      ++more;
      continue;
    }
    texts.push_back(fmt::format("{}[{}] {}: {}", to_string(finding.severity), report::code_text(finding),
                                finding.rule->name, finding.message));
  }
  if (more > 0) texts.push_back(fmt::format("and {} more; trtcheck check lists them", more));
  return texts;
}

std::string node_text(const WitnessMessage& message) {
  if (message.node.empty()) return "";
  const std::string where = message.graph == "main" ? "" : " in " + message.graph;
  return fmt::format("{} `{}`{}", message.op_type, message.node, where);
}

std::string source_text(const WitnessMessage& message) {
  if (!message.source) return "";
  const SourceLocation& source = *message.source;
  std::string text = fmt::format("{}:{}", source.file, source.line);
  if (!source.function.empty()) text += " in " + source.function;
  return source.code.empty() ? text : text + ": " + source.code;
}

std::string rule_text(const WitnessMessage& message) {
  if (message.matches.empty()) return "";
  const Rule& rule = *message.matches.front().rule;
  return fmt::format("{} {}{}", rule.code, rule.name, message.predicted ? ", which was predicted" : "");
}

std::string profile_text(const Confirmation& c) {
  std::string text;
  for (const ProfileInput& input : c.profile) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", input.name, sizes_text(input));
  }
  return text.empty() || !c.profile_proposed ? text : text + " (proposed)";
}

std::string measured_text(const Confirmation& c) {
  std::vector<std::string> parts;
  if (c.parse_seconds) parts.push_back(fmt::format("parsed in {:.2g} s", *c.parse_seconds));
  if (c.build_seconds) {
    const std::string_view said = c.testimony == Testimony::built ? "built in" : "builder took";
    parts.push_back(fmt::format("{} {:.2g} s", said, *c.build_seconds));
  }
  if (c.engine_bytes) {
    parts.push_back(fmt::format("engine of {:.2f} MB", static_cast<double>(*c.engine_bytes) / 1e6));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string summary_text(std::span<const Confirmation> all, std::span<const Failure> failures) {
  const auto of = [&](Agreement agreement) { return std::ranges::count(all, agreement, &Confirmation::agreement); };
  const std::size_t witnesses = witnesses_of(all).size();
  return fmt::format(
      "{}{}: {} agree, {} not predicted, {}, {} not judged{}", report::asked_models(by_model(all).size(), failures),
      witnesses > 1 ? fmt::format(", {} witnesses", witnesses) : "", of(Agreement::agree), of(Agreement::not_predicted),
      counted(static_cast<std::size_t>(of(Agreement::false_alarm)), "false alarm"), of(Agreement::not_judged),
      report::not_checked(failures));
}

}  // namespace trtcheck::witness
