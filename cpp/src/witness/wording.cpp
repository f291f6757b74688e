#include "witness/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats.hpp"
#include "report/wording.hpp"
#include "target/profile_text.hpp"
#include "text/plural.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::size_t kMostFindings = 5;

std::string who(const Confirmation& c) { return c.witness.product + " " + c.witness.release; }

std::string target_text(const Confirmation& c) { return "TensorRT " + to_string(c.report.target.release); }

std::string refusal_text(const Confirmation& c) {
  const std::string said = c.testimony == Testimony::crashed ? c.reason + " (" + who(c) + ")" : "refused by " + who(c);
  const bool predicted = c.agreement == Agreement::agree;
  return fmt::format("{}, {} predicted for {}", said, predicted ? "as" : "which was not", target_text(c));
}

std::string built_text(const Confirmation& c) {
  if (c.agreement == Agreement::cried_wolf) {
    return fmt::format("built by {}, although a refusal was predicted for {}", who(c), target_text(c));
  }
  const std::size_t warnings = c.report.count(Severity::warning);
  if (warnings == 0) return fmt::format("built by {}, as predicted for {}", who(c), target_text(c));
  return fmt::format("built by {}: {} did not come true", who(c), counted(warnings, "warning"));
}

}  // namespace

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
  return fmt::format("{} does not judge it: {}", who(c), c.reason);
}

std::string prediction_text(const Confirmation& c) {
  return fmt::format("{} for {}: {}", to_string(c.report.verdict()), target_text(c),
                     report::counts_text(report::count_all(c.report)));
}

std::vector<std::string> finding_texts(const Confirmation& c) {
  std::vector<std::string> texts;
  std::size_t more = 0;
  for (const FindingGroup& group : c.report.groups()) {
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
  return fmt::format("{}: {} agree, {} missed, {} cried wolf, {} not judged{}",
                     counted(all.size() + failures.size(), "model"), of(Agreement::agree), of(Agreement::missed),
                     of(Agreement::cried_wolf), of(Agreement::not_judged), report::not_checked(failures));
}

}  // namespace trtcheck::witness
