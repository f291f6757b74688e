#include <fmt/core.h>

#include <iterator>

#include "report/formats.hpp"
#include "report/groups.hpp"
#include "report/statistics.hpp"
#include "report/style.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

/// Inside the brackets at the end of the line: node, line of the PyTorch source.
std::string place(const Finding& finding) {
  std::string out = printable(finding.node.empty() ? finding.value : finding.node, kMaxName);
  if (finding.source) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{}:{}", printable(finding.source->file, kMaxName), finding.source->line);
  }
  return out;
}

std::size_t folded(const FindingGroup& group) {
  std::size_t count = 0;
  for (const Finding* finding : group) count += finding->consequences.size();
  return count;
}

}  // namespace

std::string render_concise(std::span<const Report> reports, const RenderOptions& options) {
  const Style style(options.color, options.rule_pages);
  std::string out;
  for (const Report& report : reports) {
    const std::string path = display_path(report);
    for (const FindingGroup& group : told(report, options)) {
      const Finding& finding = *group.front();
      const std::string label = fmt::format("{}[{}]", to_string(finding.severity), code_text(finding));
      const auto sink = std::back_inserter(out);
      fmt::format_to(sink, "{}: {} {}", style.bold(path),
                     style.link(*finding.rule, style.severity(finding.severity, label)), printable(finding.message));
      if (const std::string where = place(finding); !where.empty()) fmt::format_to(sink, " ({})", where);
      if (const std::size_t count = folded(group); count > 0)
        fmt::format_to(sink, " +{}", counted(count, "consequence"));
      if (others(group) > 0) fmt::format_to(sink, " and {} more like it", others(group));
      out += '\n';
    }
  }
  for (const Failure& failure : options.failures) out += failure_line(failure);
  if (options.statistics) add_statistics(out, reports, options.color);
  return out;
}

}  // namespace trtcheck::report
