// GitLab's Code Quality report, a subset of the Code Climate format (docs.gitlab.com, "Code Quality report format").
#include <fmt/core.h>

#include <algorithm>

#include "report/envelope.hpp"
#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/identity.hpp"
#include "report/places.hpp"
#include "report/wording.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

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

/// There is no other place for it, and a model without issues is one in which all of them are resolved.
Json issue_of(const Failure& failure, const Places& places) {
  const std::string model = places.path(failure.path);
  const std::string path = model.empty() ? "<model>" : valid_utf8(model);
  return {{"type", "issue"},
          {"check_name", "not-checked"},
          {"description", fmt::format("not checked: {}", printable(failure.cause))},
          {"categories", Json::array({"Bug Risk"})},
          {"severity", "blocker"},
          {"fingerprint", identity_of_failure(model)},
          {"location", {{"path", path}, {"lines", {{"begin", 1}}}}}};
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
                        {"description", fmt::format("{}: {}", code_text(finding), printable(finding.message))},
                        {"content", {{"body", content(report, finding, places)}}},
                        {"categories", Json::array({"Compatibility"})},
                        {"severity", severity(finding.severity)},
                        {"fingerprint", identities.next(model, finding)},
                        {"location", {{"path", path}, {"lines", lines}}}});
    }
  }
  for (const Failure& failure : options.failures) issues.push_back(issue_of(failure, places));
  return document_text(issues);
}

}  // namespace trtcheck::report
