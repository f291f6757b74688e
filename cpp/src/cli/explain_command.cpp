// `trtcheck explain`: what a rule is about, which rules a message of TensorRT leads to, and which nodes it names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/messages.hpp>

#include "bytes/bytes.hpp"
#include "bytes/source.hpp"
#include "cli/commands.hpp"
#include "cli/rule_documents.hpp"
#include "cli/rules_options.hpp"
#include "cli/terminal.hpp"
#include "engine/tell_facts.hpp"
#include "facts/fact.hpp"
#include "report/rule_html.hpp"
#include "report/style.hpp"
#include "text/lines.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

/// Headings of the Markdown in bold; the rest reads well as it is.
std::string docs_text(std::string_view docs, const report::Style& style) {
  std::string out;
  while (!docs.empty()) {
    const std::string_view line = next_line(docs);
    if (out.empty() && line.empty()) continue;
    out += line.starts_with('#') ? style.bold(line) : std::string(line);
    out += '\n';
  }
  return out;
}

/// Those that the rule speaks about: of rules that tell rows, the rows' own.
std::vector<std::string_view> operators_of(const Rule& rule) {
  std::set<std::string_view> with_rows;
  for (const facts::Fact& fact : facts::all_facts()) {
    if (&engine::rule_of(fact) == &rule) with_rows.insert(fact.op);
  }
  if (!with_rows.empty()) return {with_rows.begin(), with_rows.end()};
  return {rule.ops.begin(), rule.ops.end()};
}

std::string_view fix_text(Applicability fix) {
  switch (fix) {
    case Applicability::display:
      return ", fix: shown, not applied";
    case Applicability::unsafe:
      return ", fix: applied when asked for, outputs may change";
    case Applicability::safe:
      return ", fix: applied when asked for";
    case Applicability::none:
      break;
  }
  return "";
}

std::string explanation(const Rule& rule, const report::Style& style) {
  std::string out = fmt::format(
      "{} {}\n{}\n\n", style.severity(rule.severity, fmt::format("{}[{}]", to_string(rule.severity), rule.code)),
      style.bold(rule.name), rule.summary);
  fmt::format_to(std::back_inserter(out), "certainty: {}{}, since trtcheck {}\n", to_string(rule.certainty),
                 fix_text(rule.fix), rule.since);
  if (const auto ops = operators_of(rule); !ops.empty()) {
    out += fmt::format("operators: {}\n", fmt::join(ops, ", "));
  }
  out += "\n" + docs_text(rule.docs, style);
  if (const auto texts = texts_of(rule); !texts.empty()) {
    out += "\n" + style.bold("## What TensorRT prints") + "\n";
    for (const std::string_view text : texts) out += fmt::format("- `{}`\n", text);
  }
  if (!rule.evidence.empty() && rule.docs.find("Evidence") == std::string_view::npos) {
    out += "\n" + style.bold("Evidence") + "\n";
    for (const std::string_view source : rule.evidence) out += fmt::format("- {}\n", source);
  }
  return out;
}

std::string read_text(const std::string& path) {
  if (Source::is_standard_input(path)) return {std::istreambuf_iterator<char>(std::cin), {}};
  const Bytes bytes = Bytes::of_file(path);
  return {reinterpret_cast<const char*>(bytes.span().data()), bytes.span().size()};
}

/// What was asked for by message, and what no rule knows.
struct Answers {
  std::vector<LogMatch> known;
  std::vector<std::string> unknown;
  std::unique_ptr<const NamedNodes> nodes;  ///< nullptr: no model was given
};

Answers answer(const ExplainRequest& request) {
  Answers answers;
  for (const std::string& message : request.messages) {
    std::vector<MessageMatch> matches = rules_for(message);
    if (matches.empty()) {
      answers.unknown.push_back(fmt::format("no rule knows the message `{}`", message));
    } else {
      answers.known.push_back({0, message, std::move(matches)});
    }
  }
  const std::string log = request.error_log.empty() ? "" : read_text(request.error_log);
  if (!request.model.empty()) {
    const bool is_log = !request.error_log.empty();
    answers.nodes = std::make_unique<const NamedNodes>(
        request.model, is_log ? log : fmt::format("{}", fmt::join(request.messages, "\n")), is_log);
  }
  if (!request.error_log.empty()) {
    const std::vector<LogMatch> found = rules_for_log(log);
    // That it names a node is an answer, too.
    const bool is_answered = answers.nodes != nullptr && !answers.nodes->empty();
    if (found.empty() && !is_answered)
      answers.unknown.push_back(fmt::format("{}: no rule knows any of its lines", request.error_log));
    answers.known.insert(answers.known.end(), found.begin(), found.end());
  }
  return answers;
}

/// Those asked for, then those that messages led to; each once.
std::vector<const Rule*> rules_of(const ExplainRequest& request, const Answers& answers) {
  std::vector<const Rule*> rules = request.rules;
  rules.insert(rules.end(), request.families.begin(), request.families.end());
  for (const FactCases& fact : request.facts) {
    const Rule& rule = engine::rule_of(*fact.fact);
    if (std::ranges::find(rules, &rule) == rules.end()) rules.push_back(&rule);
  }
  for (const LogMatch& found : answers.known) {
    for (const MessageMatch& match : found.matches) {
      if (std::ranges::find(rules, match.rule) == rules.end()) rules.push_back(match.rule);
    }
  }
  return rules;
}

std::string leads(const LogMatch& found, const report::Style& style) {
  std::string out = found.line == 0 ? "" : fmt::format("line {}: ", found.line);
  out += printable(found.message) + "\n";
  for (const MessageMatch& match : found.matches) {
    const Rule& rule = *match.rule;
    const std::string tag = fmt::format("{}[{}]", to_string(rule.severity), rule.code);
    fmt::format_to(std::back_inserter(out), "  {} {}: {}\n", style.severity(rule.severity, tag), style.bold(rule.name),
                   rule.summary);
    const std::string op = match.op_type.empty() ? "" : fmt::format(", printed for {}", match.op_type);
    out += style.dim(fmt::format("    says `{}`{}", match.text, op)) + "\n";
    if (!match.facts.empty()) out += fmt::format("    facts: {}\n", fmt::join(match.facts, ", "));
  }
  const MessageMatch& best = found.matches.front();
  return out + fmt::format("  more: trtcheck explain {}\n", best.facts.empty() ? best.rule->code : best.facts.front());
}

std::string full(const ExplainRequest& request, const Answers& answers) {
  const report::Style style(use_color(request.output));
  std::string out;
  for (const FactCases& fact : request.facts) out += (out.empty() ? "" : "\n") + fact_text(fact, style);
  for (const Rule* rule : request.rules) out += (out.empty() ? "" : "\n") + explanation(*rule, style);
  if (!request.families.empty()) {
    out += (out.empty() ? "" : "\n") + rule_table(request.families, style, text_width(request.output));
    out += fmt::format("more: trtcheck explain {}\n", request.families.front()->code);
  }
  for (const LogMatch& found : answers.known) out += (out.empty() ? "" : "\n") + leads(found, style);
  if (answers.nodes != nullptr) out += (out.empty() ? "" : "\n") + answers.nodes->text(style);
  return out;
}

std::string document(const ExplainRequest& request, const Answers& answers) {
  const std::vector<const Rule*> rules = rules_of(request, answers);
  if (request.output.format == Format::concise) return concise(rules);
  if (request.output.format == Format::html) {
    if (rules.size() != 1)
      throw Error("", fmt::format("--output-format html: a page is about one rule, not {}", rules.size()));
    return report::rule_page(*rules.front());
  }
  if (request.output.format != Format::json) return full(request, answers);
  const bool asked = !request.messages.empty() || !request.error_log.empty();
  return asked ? json_document(rules, answers.known, answers.nodes.get()) : json_document(rules, request.facts);
}

}  // namespace

int run(const ExplainRequest& request) {
  const Answers answers = answer(request);
  const std::string text = document(request, answers);
  const bool from_file = !request.error_log.empty() && !Source::is_standard_input(request.error_log);
  if (!text.empty()) write_output(request.output, text, std::span(&request.error_log, from_file ? 1 : 0));
  for (const std::string& message : answers.unknown) complain(message);
  return answers.unknown.empty() ? kExitClean : kExitFailed;
}

}  // namespace trtcheck::cli
