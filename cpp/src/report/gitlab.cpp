// GitLab's Code Quality report, a subset of the Code Climate format (docs.gitlab.com, "Code Quality report format").
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/identity.hpp"
#include "report/places.hpp"
#include "report/printable.hpp"
#include "report/wording.hpp"

namespace trtcheck::report {
namespace {

using Json = nlohmann::ordered_json;

std::string_view severity(Severity severity) {
  return severity == Severity::error ? "major" : severity == Severity::warning ? "minor" : "info";
}

/// GitLab shows the description only; other readers of Code Climate show the content, too.
std::string content(const Report& report, const Finding& finding, const Places& places) {
  std::string out;
  for (const Fact& fact : facts(report, finding, places)) {
    out += fmt::format("- {}: {}\n", fact.label, markdown_spans(fact.text));
  }
  return out;
}

}  // namespace

std::string render_gitlab(std::span<const Report> reports, const RenderOptions& options) {
  const Places places(options);
  Identities identities;
  Json issues = Json::array();
  for (const Report& report : reports) {
    const std::string model = places.path(report.path);
    for (const Finding& finding : report.findings) {
      const Place place = places.of(report, finding);
      // A location is required: the first line of a file that has none.
      const Json lines{{"begin", std::max<std::int64_t>(place.line, 1)}};
      const std::string path = place.path.empty() ? display_path(report) : valid_utf8(place.path);
      issues.push_back({{"type", "issue"},
                        {"check_name", fmt::format("{} {}", finding.rule->code, finding.rule->name)},
                        {"description", fmt::format("{}: {}", finding.rule->code, printable(finding.message))},
                        {"content", {{"body", content(report, finding, places)}}},
                        {"categories", Json::array({"Compatibility"})},
                        {"severity", severity(finding.severity)},
                        {"fingerprint", identities.next(model, finding)},
                        {"location", {{"path", path}, {"lines", lines}}}});
    }
  }
  return issues.dump(2) + "\n";
}

}  // namespace trtcheck::report
