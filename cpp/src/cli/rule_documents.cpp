#include "cli/rule_documents.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

#include <trtcheck/trtcheck.hpp>

#include "report/envelope.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using report::Json;

Json to_json(const Rule& rule) {
  Json ops = Json::array();
  for (const std::string_view op : rule.ops) ops.push_back(op);
  Json evidence = Json::array();
  for (const std::string_view source : rule.evidence) evidence.push_back(source);
  Json messages = Json::array();
  for (const std::string_view text : texts_of(rule)) messages.push_back(text);
  return {{"code", rule.code},
          {"name", rule.name},
          {"since", rule.since},
          {"severity", to_string(rule.severity)},
          {"certainty", to_string(rule.certainty)},
          {"fix", to_string(rule.fix)},
          {"summary", rule.summary},
          {"ops", std::move(ops)},
          {"evidence", std::move(evidence)},
          {"messages", std::move(messages)},
          {"docs", rule.docs}};
}

Json to_json(const LogMatch& found) {
  Json matches = Json::array();
  for (const MessageMatch& match : found.matches) {
    matches.push_back({{"code", match.rule->code},
                       {"facts", match.facts},
                       {"text", match.text},
                       {"op_type", match.op_type},
                       {"words", match.words}});
  }
  return {{"message", valid_utf8(found.message)},
          {"line", found.line == 0 ? Json(nullptr) : Json(found.line)},
          {"matches", std::move(matches)}};
}

Json document_of(std::span<const Rule* const> rules) {
  Json list = Json::array();
  for (const Rule* rule : rules) list.push_back(to_json(*rule));
  return report::enveloped({{"rules", std::move(list)}});
}

}  // namespace

std::string json_document(std::span<const Rule* const> rules, std::span<const FactCases> facts) {
  Json document = document_of(rules);
  if (!facts.empty()) document["facts"] = Json::array();
  for (const FactCases& fact : facts) document["facts"].push_back(fact_json(fact));
  return report::document_text(document);
}

std::string json_document(std::span<const Rule* const> rules, std::span<const LogMatch> messages,
                          const NamedNodes* nodes) {
  Json document = document_of(rules);
  document["messages"] = Json::array();
  for (const LogMatch& found : messages) document["messages"].push_back(to_json(found));
  if (nodes != nullptr) document["nodes"] = nodes->json();
  return report::document_text(document);
}

std::vector<std::string_view> texts_of(const Rule& rule) {
  std::vector<std::string_view> texts;
  for (const KnownMessage& known : known_messages()) {
    if (known.rule == &rule && std::ranges::find(texts, known.text) == texts.end()) texts.push_back(known.text);
  }
  return texts;
}

std::string concise(std::span<const Rule* const> rules) {
  std::string out;
  for (const Rule* rule : rules) {
    fmt::format_to(std::back_inserter(out), "{} {} {}: {}\n", rule->code, to_string(rule->severity), rule->name,
                   rule->summary);
  }
  return out;
}

std::string rule_table(std::span<const Rule* const> rules, const report::Style& style, int width) {
  constexpr std::size_t kIndent = 8;
  constexpr std::size_t kLeastWidth = 40;
  std::size_t name_width = 0;
  for (const Rule* rule : rules) name_width = std::max(name_width, rule->name.size());
  const std::size_t summary_column = 6 + 2 + 7 + 2 + name_width + 2;
  const std::size_t columns = std::max(static_cast<std::size_t>(std::max(width, 0)), kLeastWidth);
  const bool is_beside = columns >= summary_column + kLeastWidth;
  const std::size_t indent = is_beside ? summary_column : kIndent;
  std::string out;
  for (const Rule* rule : rules) {
    const std::string severity = style.severity(rule->severity, fmt::format("{:<7}", to_string(rule->severity)));
    fmt::format_to(std::back_inserter(out), "{}  {}  {}", style.bold(rule->code), severity, rule->name);
    if (is_beside) out += std::string(name_width - rule->name.size() + 2, ' ');
    const std::vector<std::string> lines = wrap(rule->summary, columns - indent);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!is_beside || i > 0) out += (i == 0 ? "\n" : "") + std::string(indent, ' ');
      out += lines[i] + "\n";
    }
  }
  return out;
}

}  // namespace trtcheck::cli
