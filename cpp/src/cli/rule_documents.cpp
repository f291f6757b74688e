#include "cli/rule_documents.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <iterator>

#include <trtcheck/trtcheck.hpp>

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Rule& rule) {
  Json ops = Json::array();
  for (const std::string_view op : rule.ops) ops.push_back(op);
  Json evidence = Json::array();
  for (const std::string_view source : rule.evidence) evidence.push_back(source);
  return {{"code", rule.code},
          {"name", rule.name},
          {"since", rule.since},
          {"severity", to_string(rule.severity)},
          {"certainty", to_string(rule.certainty)},
          {"fix", to_string(rule.fix)},
          {"summary", rule.summary},
          {"ops", std::move(ops)},
          {"evidence", std::move(evidence)},
          {"docs", rule.docs}};
}

}  // namespace

std::string json_document(std::span<const Rule* const> rules) {
  Json list = Json::array();
  for (const Rule* rule : rules) list.push_back(to_json(*rule));
  const Json document{{"schema_version", 1}, {"trtcheck_version", version()}, {"rules", std::move(list)}};
  return document.dump(2) + "\n";
}

std::string concise(std::span<const Rule* const> rules) {
  std::string out;
  for (const Rule* rule : rules) {
    fmt::format_to(std::back_inserter(out), "{} {} {}: {}\n", rule->code, to_string(rule->severity), rule->name,
                   rule->summary);
  }
  return out;
}

}  // namespace trtcheck::cli
