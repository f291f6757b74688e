// The JSON document of data/report.schema.json. Keys are never left out; what is not known is "" or null.
#include <nlohmann/json.hpp>

#include "report/formats.hpp"
#include "report/printable.hpp"

namespace trtcheck::report {
namespace {

using Json = nlohmann::ordered_json;

// A fold in a fold is possible, but the reader of a graph limits its depth; this only keeps recursion bounded.
constexpr int kMaxFoldDepth = 16;

Json to_json(const SourceLocation& source) {
  return {{"file", valid_utf8(source.file)},
          {"line", source.line},
          {"function", valid_utf8(source.function)},
          {"code", valid_utf8(source.code)}};
}

Json to_json(const Finding& finding, int depth) {
  Json notes = Json::array();
  for (const Note& note : finding.notes) {
    notes.push_back({{"message", valid_utf8(note.message)}, {"node", valid_utf8(note.node)}});
  }
  Json evidence = Json::array();
  for (const std::string& source : finding.evidence) evidence.push_back(valid_utf8(source));
  Json consequences = Json::array();
  if (depth < kMaxFoldDepth) {
    for (const Finding& consequence : finding.consequences) consequences.push_back(to_json(consequence, depth + 1));
  }
  Json fix = nullptr;
  if (finding.fix) {
    fix = {{"title", valid_utf8(finding.fix->title)}, {"applicability", to_string(finding.fix->applicability)}};
  }
  return {{"code", finding.rule->code},
          {"name", finding.rule->name},
          {"severity", to_string(finding.severity)},
          {"certainty", to_string(finding.certainty)},
          {"fingerprint", finding.fingerprint},
          {"message", valid_utf8(finding.message)},
          {"node", valid_utf8(finding.node)},
          {"op_type", valid_utf8(finding.op_type)},
          {"graph", valid_utf8(finding.graph)},
          {"value", valid_utf8(finding.value)},
          {"source", finding.source ? to_json(*finding.source) : Json(nullptr)},
          {"module", valid_utf8(finding.module)},
          {"notes", std::move(notes)},
          {"fix", std::move(fix)},
          {"evidence", std::move(evidence)},
          {"consequences", std::move(consequences)}};
}

Json to_json(const Report& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(to_json(finding, 0));
  Json suppressions = Json::array();
  for (const Suppressed& each : report.suppressions) {
    suppressions.push_back(
        {{"by", to_string(each.by)}, {"reason", valid_utf8(each.reason)}, {"finding", to_json(each.finding, 0)}});
  }
  return {{"path", valid_utf8(report.path)},        {"target", to_string(report.target.release)},
          {"verdict", to_string(report.verdict())}, {"suppressed", report.suppressed},
          {"findings", std::move(findings)},        {"suppressions", std::move(suppressions)}};
}

}  // namespace

std::string render_json(std::span<const Report> reports) {
  Json models = Json::array();
  for (const Report& report : reports) models.push_back(to_json(report));
  const Json document{{"schema_version", 1}, {"trtcheck_version", TRTCHECK_VERSION}, {"models", std::move(models)}};
  return document.dump(2) + "\n";
}

}  // namespace trtcheck::report
