#include "cli/report_outputs.hpp"

#include <utility>
#include <vector>

#include "cli/rule_pages.hpp"
#include "cli/statistics.hpp"
#include "cli/terminal.hpp"
#include "report/surroundings.hpp"

namespace trtcheck::cli {
namespace {

bool is_text(Format format) { return format == Format::full || format == Format::concise; }

/// Text links to any page that there is, documents for others only to those that everybody can reach.
std::string links_of(const OutputRequest& request) {
  if (is_text(request.format)) return use_hyperlinks(request) ? rule_pages() : "";
  return public_rule_pages();
}

}  // namespace

void write_results(const Results& results, std::span<const OutputRequest> outputs) {
  const report::Surroundings around = report::surroundings();
  std::vector<Output> written;
  for (const OutputRequest& request : outputs) {
    if (results.reports.empty() && is_text(request.format)) continue;
    const RenderOptions how{.format = request.format,
                            .color = use_color(request),
                            .width = text_width(request),
                            .summary = results.summary,
                            .rule_pages = links_of(request),
                            .folder = around.folder,
                            .root = around.root,
                            .fails_from = results.fails_from,
                            .failures = results.failures};
    written.push_back({request, results.statistics ? statistics(results.reports, how) : render(results.reports, how)});
  }
  write_outputs(written, results.inputs);
}

}  // namespace trtcheck::cli
