#include "cli/report_outputs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/output_place.hpp"
#include "cli/rule_pages.hpp"
#include "cli/terminal.hpp"
#include "report/format_rows.hpp"
#include "report/statistics.hpp"
#include "report/surroundings.hpp"

namespace trtcheck::cli {
namespace {

bool is_text(Format format) { return report::row_of(format).is_text; }

/// Text links to any page that there is, documents for others only to those that everybody can reach.
std::string links_of(const OutputRequest& request) {
  if (is_text(request.format)) return use_hyperlinks(request) ? rule_pages() : "";
  return public_rule_pages();
}

bool shows_statistics(const OutputRequest& request) {
  return request.file.empty() && report::row_of(request.format).counts_rules;
}

}  // namespace

void write_results(const Results& results, std::span<const OutputRequest> outputs) {
  const report::Surroundings around = report::surroundings();
  std::vector<Output> written;
  for (const OutputRequest& request : outputs) {
    if (is_said_already(request, results.reports.empty())) continue;
    const RenderOptions how{.format = request.format,
                            .color = use_color(request),
                            .width = text_width(request),
                            .summary = results.summary,
                            .show_all = results.show_all,
                            .statistics = results.statistics && shows_statistics(request),
                            .rule_pages = links_of(request),
                            .folder = around.folder,
                            .root = around.root,
                            .fails_from = results.fails_from,
                            .failures = results.failures};
    written.push_back({request, render(results.reports, how)});
  }
  write_outputs(written, results.inputs);
  if (!results.statistics || std::ranges::any_of(outputs, shows_statistics)) return;
  OutputRequest terminal;
  terminal.no_color = std::ranges::any_of(outputs, &OutputRequest::no_color);
  const bool is_free = std::ranges::none_of(outputs, [](const OutputRequest& o) { return o.file.empty(); });
  const std::string table = report::statistics_table(results.reports, is_free && use_color(terminal));
  if (is_free) {
    write_output(terminal, table);
  } else {
    write_standard_error(table);
  }
}

}  // namespace trtcheck::cli
