#include "report/sarif_rules.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/rule_html.hpp"

namespace trtcheck::report {
namespace {

using Json = nlohmann::ordered_json;

bool by_code(const Rule* a, const Rule* b) { return a->code < b->code; }

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kFamilies{{{"CTL", "control-flow"},
                                                                                   {"HWD", "hardware"},
                                                                                   {"MDL", "model"},
                                                                                   {"NUM", "precision"},
                                                                                   {"OPS", "operators"},
                                                                                   {"PRF", "profiles"},
                                                                                   {"QDQ", "quantization"},
                                                                                   {"SHP", "shapes"},
                                                                                   {"STY", "strong-typing"},
                                                                                   {"WGT", "weights"}}};

Json tags(const Rule& rule) {
  Json out = Json::array({"tensorrt", "onnx"});
  for (const auto& [prefix, family] : kFamilies) {
    if (rule.code.starts_with(prefix)) out.push_back(family);
  }
  return out;
}

// What GitHub's code scanning sorts by (docs.github.com, "SARIF support for code scanning").
std::string_view precision(Certainty certainty) {
  return certainty == Certainty::proven ? "very-high" : certainty == Certainty::likely ? "high" : "medium";
}
std::string_view problem_severity(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "recommendation";
}

/// The text under "What it checks", the first heading of all rules.
std::string_view first_section(std::string_view docs) {
  if (docs.starts_with("## ")) docs.remove_prefix(std::min(docs.find('\n'), docs.size() - 1) + 1);
  docs = docs.substr(0, docs.find("\n## "));
  while (docs.ends_with('\n')) docs.remove_suffix(1);
  return docs;
}

Json descriptor(const Rule& rule, std::string_view rule_pages) {
  const std::string_view full = first_section(rule.docs).empty() ? rule.summary : first_section(rule.docs);
  const std::string_view help = rule.docs.empty() ? rule.summary : rule.docs;
  Json evidence = Json::array();
  for (const std::string_view source : rule.evidence) evidence.push_back(source);
  Json out{{"id", rule.code},
           {"name", rule.name},
           {"shortDescription", {{"text", rule.summary}}},
           {"fullDescription", {{"text", full}, {"markdown", full}}},
           {"help", {{"text", help}, {"markdown", help}}},
           {"defaultConfiguration", {{"level", sarif_level(rule.severity)}}},
           {"properties",
            {{"certainty", to_string(rule.certainty)},
             {"since", rule.since},
             {"fix", to_string(rule.fix)},
             {"evidence", std::move(evidence)},
             {"precision", precision(rule.certainty)},
             {"problem.severity", problem_severity(rule.severity)},
             {"tags", tags(rule)}}}};
  // helpUri has to be absolute; a page on this machine is of no use to other readers.
  if (rule_pages.starts_with("http")) out["helpUri"] = std::string(rule_pages) + rule_page_name(rule);
  return out;
}

}  // namespace

std::string_view sarif_level(Severity severity) noexcept {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

SarifRules::SarifRules(std::span<const Report> reports) {
  for (const Report& report : reports) {
    for (const Finding& finding : report.findings) rules_.push_back(finding.rule);
    for (const Suppressed& entry : report.suppressions) rules_.push_back(entry.finding.rule);
  }
  std::sort(rules_.begin(), rules_.end(), by_code);
  rules_.erase(std::unique(rules_.begin(), rules_.end()), rules_.end());
}

std::size_t SarifRules::index(const Rule& rule) const {
  return static_cast<std::size_t>(std::lower_bound(rules_.begin(), rules_.end(), &rule, by_code) - rules_.begin());
}

Json SarifRules::descriptors(std::string_view rule_pages) const {
  Json out = Json::array();
  for (const Rule* rule : rules_) out.push_back(descriptor(*rule, rule_pages));
  return out;
}

}  // namespace trtcheck::report
