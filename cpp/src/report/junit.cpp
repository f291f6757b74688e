// JUnit XML: a suite for each model, a case for each finding, as other linters write it; a model without findings has
// one case that passes. What is less than `RenderOptions::fails_from` passes, too, and says its text.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/places.hpp"
#include "report/wording.hpp"

namespace trtcheck::report {
namespace {

/// XML holds names of any length, so that cases with long names stay apart.
constexpr std::size_t kMaxXmlName = 20000;

std::string case_name(const Finding& finding) {
  const std::string& where = finding.node.empty() ? finding.value : finding.node;
  std::string out = fmt::format("{} {}", code_text(finding), finding.rule->name);
  if (!where.empty()) out += " at " + where;
  return out;
}

std::string body(const Report& report, const Finding& finding, const Places& places) {
  std::string out;
  for (const Fact& fact : facts(report, finding, places))
    out += fmt::format("{}: {}\n", fact.label, xml_escape(fact.text));
  return out;
}

class Suites {
 public:
  explicit Suites(const RenderOptions& options) : places_(options) {}

  /// @param fails_from  the least severity of a failed test
  void add(const Report& report, std::optional<Severity> fails_from) {
    std::string cases;
    std::size_t failed = 0;
    const std::string path = suite_name(report.path);
    std::unordered_map<std::string, std::size_t> names;
    for (const Finding& finding : report.findings) {
      const bool fails = fails_from && finding.severity >= *fails_from;
      failed += fails ? 1 : 0;
      std::string name = case_name(finding);
      // Readers take cases of one name for repetitions of one test.
      if (const std::size_t number = ++names[name]; number > 1) name += fmt::format(" ({})", number);
      const std::string head =
          fmt::format("    <testcase name=\"{}\" classname=\"{}\">\n", xml_escape(name, kMaxXmlName), path);
      cases += head + outcome(report, finding, fails) + "    </testcase>\n";
    }
    if (report.findings.empty()) cases += fmt::format("    <testcase name=\"clean\" classname=\"{}\"/>\n", path);
    write_suite(path, std::max<std::size_t>(report.findings.size(), 1), failed, 0, cases);
  }
  void add(const Failure& failure) {
    const std::string path = suite_name(failure.path);
    const std::string text = xml_escape(failure.cause);
    write_suite(path, 1, 0, 1,
                fmt::format("    <testcase name=\"read\" classname=\"{}\">\n      <error message=\"{}\" "
                            "type=\"error\">{}</error>\n    </testcase>\n",
                            path, text, text));
  }
  [[nodiscard]] std::string text() const {
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"trtcheck\" tests=\"{}\" failures=\"{}\" "
        "errors=\"{}\">\n{}</testsuites>\n",
        tests_, failures_, errors_, suites_);
  }

 private:
  [[nodiscard]] std::string suite_name(const std::string& path) const {
    return path.empty() ? "&lt;model&gt;" : xml_escape(places_.path(path), kMaxXmlName);
  }

  [[nodiscard]] std::string outcome(const Report& report, const Finding& finding, bool fails) const {
    const std::string message = xml_escape(finding.message);
    const std::string_view severity = to_string(finding.severity);
    if (!fails) {
      return fmt::format("      <system-out>{}: {}\n{}</system-out>\n", severity, message,
                         body(report, finding, places_));
    }
    return fmt::format("      <failure message=\"{}\" type=\"{}\">{}\n{}</failure>\n", message, severity, message,
                       body(report, finding, places_));
  }

  void write_suite(const std::string& name, std::size_t tests, std::size_t failures, std::size_t errors,
                   const std::string& cases) {
    tests_ += tests;
    failures_ += failures;
    errors_ += errors;
    fmt::format_to(std::back_inserter(suites_),
                   "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n{}  "
                   "</testsuite>\n",
                   name, tests, failures, errors, cases);
  }

  Places places_;
  std::size_t tests_ = 0;
  std::size_t failures_ = 0;
  std::size_t errors_ = 0;
  std::string suites_;
};

}  // namespace

std::string render_junit(std::span<const Report> reports, const RenderOptions& options) {
  Suites document(options);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    document.add(reports[i], i < options.fails_from.size() ? options.fails_from[i] : Severity::error);
  }
  for (const Failure& failure : options.failures) document.add(failure);
  return document.text();
}

}  // namespace trtcheck::report
