// `trtcheck rules` and `trtcheck explain`: printed from the descriptors alone.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <span>

#include "cli/commands.hpp"
#include "report/printable.hpp"
#include "report/style.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Rule& rule) {
  Json ops = Json::array();
  for (const std::string_view op : rule.ops) ops.push_back(op);
  Json evidence = Json::array();
  for (const std::string_view source : rule.evidence) evidence.push_back(source);
  return {{"code", rule.code},
          {"name", rule.name},
          {"since", rule.since},
          {"severity", to_string(rule.severity)},
          {"certainty", to_string(rule.certainty)},
          {"fix", to_string(rule.fix)},
          {"summary", rule.summary},
          {"ops", std::move(ops)},
          {"evidence", std::move(evidence)},
          {"docs", rule.docs}};
}

std::string json_document(std::span<const Rule* const> rules) {
  Json list = Json::array();
  for (const Rule* rule : rules) list.push_back(to_json(*rule));
  const Json document{{"schema_version", 1}, {"trtcheck_version", version()}, {"rules", std::move(list)}};
  return document.dump(2) + "\n";
}

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
    const auto lines = report::wrap(rule->summary, columns > summary_column + 24 ? columns - summary_column : 400);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out += (i == 0 ? "" : std::string(summary_column, ' ')) + lines[i] + "\n";
    }
  }
  return out;
}

std::string concise(std::span<const Rule* const> rules) {
  std::string out;
  for (const Rule* rule : rules) {
    fmt::format_to(std::back_inserter(out), "{} {} {}: {}\n", rule->code, to_string(rule->severity), rule->name,
                   rule->summary);
  }
  return out;
}

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

int run(const RulesRequest& request) {
  const auto rules = all_rules();
  switch (request.output.format) {
    case Format::json:
      write_output(request.output, json_document(rules));
      break;
    case Format::concise:
      write_output(request.output, concise(rules));
      break;
    case Format::full:
      write_output(request.output, table(rules, report::Style(use_color(request.output)), text_width()));
      break;
  }
  return kExitClean;
}

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

int run(const PrintRequest& request) {
  write_output({}, request.text);
  return kExitClean;
}

}  // namespace trtcheck::cli
