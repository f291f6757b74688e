// `trtcheck explain`: printed from the descriptors alone.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/commands.hpp"
#include "cli/rule_documents.hpp"
#include "cli/rules_options.hpp"
#include "report/style.hpp"

namespace trtcheck::cli {
namespace {

/// Headings of the Markdown in bold; the rest reads well as it is.
std::string docs_text(std::string_view docs, const report::Style& style) {
  std::string out;
  while (!docs.empty()) {
    const std::size_t end = std::min(docs.find('\n'), docs.size());
    const std::string_view line = docs.substr(0, end);
    docs.remove_prefix(std::min(end + 1, docs.size()));
    if (out.empty() && line.empty()) continue;
    out += line.starts_with('#') ? style.bold(line) : std::string(line);
    out += '\n';
  }
  return out;
}

std::string explanation(const Rule& rule, const report::Style& style) {
  std::string out = fmt::format(
      "{} {}\n{}\n\n", style.severity(rule.severity, fmt::format("{}[{}]", to_string(rule.severity), rule.code)),
      style.bold(rule.name), rule.summary);
  fmt::format_to(std::back_inserter(out), "certainty: {}, fix: {}, since trtcheck {}\n", to_string(rule.certainty),
                 to_string(rule.fix), rule.since);
  if (!rule.ops.empty()) out += fmt::format("operators: {}\n", fmt::join(rule.ops, ", "));
  out += "\n" + docs_text(rule.docs, style);
  if (!rule.evidence.empty() && rule.docs.find("Evidence") == std::string_view::npos) {
    out += "\n" + style.bold("Evidence") + "\n";
    for (const std::string_view source : rule.evidence) out += fmt::format("- {}\n", source);
  }
  return out;
}

}  // namespace

int run(const ExplainRequest& request) {
  if (request.output.format == Format::json) {
    write_output(request.output, json_document(request.rules));
    return kExitClean;
  }
  if (request.output.format == Format::concise) {
    write_output(request.output, concise(request.rules));
    return kExitClean;
  }
  const report::Style style(use_color(request.output));
  std::string out;
  for (const Rule* rule : request.rules) out += (out.empty() ? "" : "\n") + explanation(*rule, style);
  write_output(request.output, out);
  return kExitClean;
}

}  // namespace trtcheck::cli
