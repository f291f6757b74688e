// The JSON document of data/matrix.schema.json.

#include "matrix/formats.hpp"
#include "report/envelope.hpp"
#include "report/formats.hpp"
#include "report/json_values.hpp"
#include "text/printable.hpp"

namespace trtcheck::matrix_formats {
namespace {

using report::Json;

Json to_json(const Finding& finding) {
  return {{"code", finding.rule->code},
          {"name", finding.rule->name},
          {"fact", valid_utf8(finding.fact)},
          {"severity", to_string(finding.severity)},
          {"certainty", to_string(finding.certainty)},
          {"message", valid_utf8(finding.message)},
          {"node", valid_utf8(finding.node)},
          {"value", valid_utf8(finding.value)},
          {"graph", valid_utf8(finding.graph)},
          {"fingerprint", finding.fingerprint}};
}

Json to_json(const Report& report) {
  const report::Counts counts = report::count_all(report);
  Json deciding = Json::array();
  for (const Finding* finding : deciding_findings(report)) deciding.push_back(to_json(*finding));
  return {{"release", to_string(report.target.release)},
          {"verdict", to_string(report.verdict())},
          {"errors", counts.errors},
          {"warnings", counts.warnings},
          {"infos", counts.infos},
          {"suppressed", report.suppressed},
          {"deciding", std::move(deciding)},
          {"unlisted", report::json_value(report.unlisted)}};
}

Json to_json(const std::optional<TrtVersion>& release) { return release ? Json(to_string(*release)) : Json(nullptr); }

Json to_json(const TakenBy& taken) {
  return {{"product", to_string(taken.product)},
          {"oldest_clean", to_json(taken.oldest_clean)},
          {"newest_clean", to_json(taken.newest_clean)},
          {"oldest_not_refused", to_json(taken.oldest_not_refused)},
          {"newest_not_refused", to_json(taken.newest_not_refused)}};
}

Json to_json(const Matrix& matrix);
Json to_json(const Failure& failure) { return report::failure_json(failure); }

template <class Items>
Json listed(const Items& items) {
  Json made = Json::array();
  for (const auto& item : items) made.push_back(to_json(item));
  return made;
}

Json to_json(const Matrix& matrix) {
  return {{"path", valid_utf8(matrix.path)},
          {"node_count", matrix.node_count},
          {"releases", listed(matrix.reports)},
          {"taken_by", listed(matrix.taken_by())}};
}

}  // namespace

std::string render_json(std::span<const Matrix> matrices, const RenderOptions& options) {
  return report::document_text(
      report::enveloped({{"models", listed(matrices)}, {"failures", listed(options.failures)}}));
}

}  // namespace trtcheck::matrix_formats
