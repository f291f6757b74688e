// `trtcheck version`: of the program, and which releases it knows.
#include <fmt/format.h>

#include <trtcheck/trtcheck.hpp>

#include "cli/commands.hpp"
#include "cli/version_options.hpp"
#include "report/envelope.hpp"

namespace trtcheck::cli {
namespace {

std::string json() {
  report::Json releases = report::Json::array();
  for (const std::span<const TrtVersion> product : {known_releases(), known_rtx_releases()}) {
    for (const TrtVersion release : product) releases.push_back(to_string(release));
  }
  return report::document_text(report::enveloped({{"releases", std::move(releases)}}));
}

std::string text(Format format) {
  if (format == Format::json) return json();
  return format == Format::concise ? fmt::format("{}\n", version()) : fmt::format("trtcheck {}\n", version());
}

}  // namespace

int run(const VersionRequest& request) {
  write_output(request.output, text(request.output.format));
  return kExitClean;
}

}  // namespace trtcheck::cli
