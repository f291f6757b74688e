// The JSON document of data/report.schema.json, and its lines.
#include <utility>

#include "report/envelope.hpp"
#include "report/formats.hpp"
#include "report/json_values.hpp"
#include "report/statistics.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

Json to_json(const Report& report) {
  return {{"path", valid_utf8(report.path)},          {"target", to_string(report.target.release)},
          {"verdict", to_string(report.verdict())},   {"node_count", report.node_count},
          {"findings", json_value(report.findings)},  {"unlisted", json_value(report.unlisted)},
          {"suppressed", report.suppressed},          {"suppressions", json_value(report.suppressions)},
          {"unmatched", json_value(report.unmatched)}};
}

Json statistics_json(std::span<const Report> reports) {
  Json list = Json::array();
  for (const RuleCount& row : rule_counts(reports)) {
    list.push_back({{"code", row.rule->code}, {"name", row.rule->name}, {"count", row.count}, {"models", row.models}});
  }
  return list;
}

/// Each line says for itself what it is, so that lines of several runs can be put together. ASCII only: to some readers
/// U+0085 and U+2028 end a line, too.
std::string line(Json body) { return enveloped(std::move(body)).dump(-1, ' ', true) + "\n"; }

}  // namespace

std::string render_json(std::span<const Report> reports, const RenderOptions& options) {
  Json models = Json::array();
  for (const Report& report : reports) models.push_back(to_json(report));
  Json document = enveloped({{"models", std::move(models)}, {"failures", failures_json(options.failures)}});
  if (options.statistics) document["statistics"] = statistics_json(reports);
  return document_text(document);
}

std::string render_jsonl(std::span<const Report> reports, const RenderOptions& options) {
  std::string out;
  for (const Report& report : reports) out += line(to_json(report));
  for (const Failure& failure : options.failures) out += line(failure_json(failure));
  return out;
}

}  // namespace trtcheck::report
