// `trtcheck rules`: printed from the descriptors alone.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "cli/commands.hpp"
#include "cli/rule_documents.hpp"
#include "cli/rules_options.hpp"
#include "cli/terminal.hpp"
#include "report/style.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

std::string table(std::span<const Rule* const> rules, const report::Style& style, int width) {
  std::size_t name_width = 0;
  for (const Rule* rule : rules) name_width = std::max(name_width, rule->name.size());
  const std::size_t summary_column = 6 + 2 + 7 + 2 + name_width + 2;
  std::string out;
  for (const Rule* rule : rules) {
    const std::string severity = fmt::format("{:<7}", to_string(rule->severity));
    fmt::format_to(std::back_inserter(out), "{}  {}  {:<{}}  ", style.bold(rule->code),
                   style.severity(rule->severity, severity), rule->name, name_width);
    const auto columns = static_cast<std::size_t>(std::max(width, 40));
    const auto lines = wrap(rule->summary, columns > summary_column + 24 ? columns - summary_column : 400);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out += (i == 0 ? "" : std::string(summary_column, ' ')) + lines[i] + "\n";
    }
  }
  return out;
}

}  // namespace

int run(const RulesRequest& request) {
  const auto rules = all_rules();
  switch (request.output.format) {
    case Format::json:
      write_output(request.output, json_document(rules));
      break;
    case Format::concise:
      write_output(request.output, concise(rules));
      break;
    default:
      write_output(request.output, table(rules, report::Style(use_color(request.output)), text_width(request.output)));
      break;
  }
  return kExitClean;
}

}  // namespace trtcheck::cli
