#include "report/sarif_rules.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/core.h>

#include "explain/fact_page.hpp"
#include "report/rule_page_name.hpp"

namespace trtcheck::report {
namespace {

using Json = nlohmann::ordered_json;

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

Json descriptor(const Rule& rule, std::string_view fact, std::string_view rule_pages) {
  const std::string summary = fact.empty() ? std::string(rule.summary) : explain::fact_summary(fact);
  const std::string_view section = first_section(rule.docs);
  const std::string full = fact.empty() && !section.empty() ? std::string(section) : summary;
  const std::string help = !fact.empty()       ? explain::fact_page(fact)
                           : rule.docs.empty() ? summary
                                               : std::string(rule.docs);
  Json evidence = Json::array();
  for (const std::string_view source : rule.evidence) evidence.push_back(source);
  Json out{{"id", sarif_rule_id(rule, fact)},
           {"name", fact.empty() ? rule.name : fact},
           {"shortDescription", {{"text", summary}}},
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

std::string sarif_rule_id(const Rule& rule, std::string_view fact) {
  return fact.empty() ? std::string(rule.code) : fmt::format("{}/{}", rule.code, fact);
}

bool SarifRules::before(const Entry& a, const Entry& b) noexcept {
  return a.rule->code != b.rule->code ? a.rule->code < b.rule->code : a.fact < b.fact;
}

SarifRules::SarifRules(std::span<const Report> reports) {
  const auto add = [this](const Finding& finding) { rules_.push_back({finding.rule, finding.fact}); };
  for (const Report& report : reports) {
    for (const Finding& finding : report.findings) add(finding);
    for (const Suppressed& entry : report.suppressions) add(entry.finding);
  }
  std::ranges::sort(rules_, before);
  const auto same = [](const Entry& a, const Entry& b) { return a.rule == b.rule && a.fact == b.fact; };
  rules_.erase(std::unique(rules_.begin(), rules_.end(), same), rules_.end());
}

std::size_t SarifRules::index(const Finding& finding) const {
  const Entry wanted{finding.rule, finding.fact};
  return static_cast<std::size_t>(std::ranges::lower_bound(rules_, wanted, before) - rules_.begin());
}

Json SarifRules::descriptors(std::string_view rule_pages) const {
  Json out = Json::array();
  for (const Entry& entry : rules_) out.push_back(descriptor(*entry.rule, entry.fact, rule_pages));
  return out;
}

}  // namespace trtcheck::report
