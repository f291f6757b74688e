// Workflow commands that GitHub Actions shows as annotations of files (docs.github.com, "Workflow commands").
//
//     ::error file=net.py,line=42,title=trtcheck WGT101 (grouped-conv-unknown-channels)::message%0Afix: ...
#include <fmt/core.h>

#include <iterator>

#include "report/formats.hpp"
#include "report/groups.hpp"
#include "report/places.hpp"
#include "report/wording.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

// As the runner undoes it (actions/toolkit, packages/core/src/command.ts).
std::string escape(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}
std::string escape_data(std::string_view text) { return escape(text, "%\r\n"); }
std::string escape_property(std::string_view text) { return escape(text, "%\r\n:,"); }

std::string_view command(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "notice";
}

std::string body(const Report& report, const FindingGroup& group, const Places& places) {
  std::string out = printable(group.front()->message);
  for (const Fact& fact : facts(report, group, places)) {
    if (fact.label != "line") out += fmt::format("\n{}: {}", fact.label, printable(fact.text));
  }
  return out;
}

}  // namespace

std::string render_github(std::span<const Report> reports, const RenderOptions& options) {
  const Places places(options);
  std::string out;
  const auto sink = std::back_inserter(out);
  for (const Report& report : reports) {
    for (const FindingGroup& group : told(report, options)) {
      const Finding& finding = *group.front();
      const Place place = places.of(report, finding);
      fmt::format_to(sink, "::{} ", command(finding.severity));
      // A file name that is not printable names no file; saying it visibly is better than breaking the line.
      if (!place.path.empty()) fmt::format_to(sink, "file={},", escape_property(printable(place.path)));
      if (place.line > 0) fmt::format_to(sink, "line={},", place.line);
      fmt::format_to(sink, "title={}::{}\n",
                     escape_property(fmt::format("trtcheck {} ({})", code_text(finding), finding.rule->name)),
                     escape_data(body(report, group, places)));
    }
  }
  for (const Failure& failure : options.failures) {
    fmt::format_to(sink, "::error file={},title=trtcheck::{}\n", escape_property(printable(places.path(failure.path))),
                   escape_data(printable(failure.path) + ": " + printable(failure.cause)));
  }
  return out;
}

}  // namespace trtcheck::report
