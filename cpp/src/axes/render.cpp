// The axes of a model as text, as JSON and as a page.
#include <algorithm>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/axes.hpp>
#include <trtcheck/error.hpp>

#include "report/envelope.hpp"
#include "report/html_parts.hpp"
#include "report/json_values.hpp"
#include "report/style.hpp"
#include "report/wording.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace {

using report::Json;
using report::json_value;
using Align = Columns::Align;

std::string places_text(const DynamicAxis& axis) {
  constexpr std::size_t kShown = 3;
  const std::span all(axis.places);
  const std::string text = fmt::format("{}", fmt::join(all.first(std::min(all.size(), kShown)), ", "));
  return all.size() <= kShown ? text : fmt::format("{} and {} more", text, all.size() - kShown);
}

std::string state_text(const DynamicAxis& axis) {
  if (axis.conditions.empty()) return "free";
  std::vector<std::string> texts;
  for (const AxisCondition& condition : axis.conditions) texts.push_back(condition.text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// "`height`, or `batch` and `width`"
std::string sets_text(const AxisCause& cause) {
  std::vector<std::string> sets;
  for (const std::vector<std::string>& set : cause.sets) {
    sets.push_back(fmt::format("`{}`", fmt::join(set, "` and `")));
  }
  return fmt::format("{}{}", fmt::join(sets, ", or "), cause.has_all_sets ? "" : " (there may be other sets)");
}

std::string finding_place(const Finding& finding) {
  return finding.node.empty() ? "" : fmt::format("{} `{}`: ", finding.op_type, finding.node);
}

/// "3 dynamic axes"
std::string axes_count(const AxesReport& made) {
  return fmt::format("{} dynamic {}", made.axes.size(), made.axes.size() == 1 ? "axis" : "axes");
}

std::string pins_text(const AxesReport& made) {
  std::vector<std::string> pins;
  for (const PinnedAxis& pin : made.pins) pins.push_back(fmt::format("{}={}", pin.name, pin.size));
  return fmt::format("{}", fmt::join(pins, ", "));
}

std::string summary_of_pins(const AxesReport& made) {
  if (made.pins.empty()) {
    return made.axes.empty() ? "" : "no error and no warning is caused by a dynamic axis: nothing has to be pinned";
  }
  const std::string end = made.pins_suffice ? "" : "; not all findings above go with it";
  return fmt::format("pin {} of {}: {}{}", made.pins.size(), axes_count(made), pins_text(made), end);
}

std::string remaining_text(const AxesReport& made) {
  if (made.remaining == 0) return {};
  return fmt::format("{} {} when all axes are numbers: `trtcheck check` prints them",
                     counted(made.remaining, "finding"), made.remaining == 1 ? "stays" : "stay");
}

std::string fixed_text(const FixedAxis& axis) {
  return fmt::format("{} is the number {}{}: {}", axis.place, axis.number,
                     axis.is_asked ? ", though it was to be dynamic" : "", axis.why);
}

std::string indented(const std::string& text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += "  " + printable(text.substr(begin, end - begin), 4000) + "\n";
    begin = end + 1;
  }
  return out;
}

std::string axes_text(const std::vector<DynamicAxis>& axes) {
  Columns columns({Align::left, Align::left, Align::left});
  for (const DynamicAxis& axis : axes) {
    columns.add({printable(axis.name, kMaxName), printable(state_text(axis)), printable(places_text(axis))});
  }
  std::string out = columns.text();
  std::vector<std::string> said;
  for (const DynamicAxis& axis : axes) {
    for (const AxisCondition& condition : axis.conditions) {
      const std::string line = condition.why + report::line_in_brackets(condition.source);
      // Axes that are tied have one reason.
      if (condition.why.empty() || std::ranges::find(said, line) != said.end()) continue;
      out += fmt::format("    {}\n", printable(line));
      said.push_back(line);
    }
  }
  return out;
}

std::string text_of(const AxesReport& made, const report::Style& style) {
  const std::string path = printable(made.path.empty() ? "model" : made.path);
  std::string out =
      fmt::format("{}: {}\n", style.bold(path), made.axes.empty() ? "no input has a dynamic axis" : axes_count(made));
  out += axes_text(made.axes);
  if (!made.outputs.empty()) out += "of outputs only:\n" + axes_text(made.outputs);
  for (const FixedAxis& axis : made.fixed) out += printable(fixed_text(axis)) + "\n";
  if (!made.caused.empty()) out += "\ncaused by dynamic axes:\n";
  for (const AxisCause& cause : made.caused) {
    const Finding& finding = cause.finding;
    const std::string head = fmt::format("{}[{}]", to_string(finding.severity), finding.rule->code);
    out += fmt::format("  {} {}{}{}\n", style.severity(finding.severity, head), printable(finding_place(finding)),
                       printable(finding.message), printable(report::line_in_brackets(finding.source)));
    out += fmt::format("    caused by {}\n", printable(sets_text(cause)));
  }
  if (const std::string pins = summary_of_pins(made); !pins.empty()) out += "\n" + printable(pins) + "\n";
  if (!made.fix_command.empty()) out += "  " + printable(made.fix_command, 4000) + "\n";
  if (const std::string left = remaining_text(made); !left.empty()) out += left + "\n";
  if (!made.dynamic_shapes.empty()) {
    out += "\nto export with the axes that may stay dynamic:\n" + indented(made.dynamic_shapes);
    out += "or, with dynamo=False:\n" + indented(made.dynamic_axes);
  }
  return out;
}

Json axis_json(const DynamicAxis& axis) {
  Json conditions = Json::array();
  for (const AxisCondition& condition : axis.conditions) {
    conditions.push_back({{"state", to_string(condition.state)},
                          {"number", condition.number},
                          {"other", valid_utf8(condition.other)},
                          {"text", valid_utf8(condition.text)},
                          {"why", valid_utf8(condition.why)},
                          {"node", valid_utf8(condition.node)},
                          {"op_type", valid_utf8(condition.op_type)},
                          {"source", json_value(condition.source)}});
  }
  return {{"name", valid_utf8(axis.name)},       {"places", json_value(axis.places)},
          {"state", to_string(axis.state)},      {"conditions", std::move(conditions)},
          {"reaches", valid_utf8(axis.reaches)}, {"size", axis.size}};
}

std::string json_of(const AxesReport& made) {
  const auto list = [](const auto& items, const auto& one) {
    Json all = Json::array();
    for (const auto& item : items) all.push_back(one(item));
    return all;
  };
  const auto fixed = [](const FixedAxis& axis) -> Json {
    return {{"place", valid_utf8(axis.place)}, {"number", axis.number}, {"is_asked", axis.is_asked}, {"why", axis.why}};
  };
  const auto cause = [](const AxisCause& one) -> Json {
    Json sets = Json::array();
    for (const auto& set : one.sets) sets.push_back(json_value(set));
    return {{"finding", json_value(one.finding)}, {"sets", std::move(sets)}, {"has_all_sets", one.has_all_sets}};
  };
  const auto pin = [](const PinnedAxis& one) -> Json { return {{"name", valid_utf8(one.name)}, {"size", one.size}}; };
  return report::document_text(report::enveloped({{"path", valid_utf8(made.path)},
                                                  {"axes", list(made.axes, axis_json)},
                                                  {"outputs", list(made.outputs, axis_json)},
                                                  {"fixed", list(made.fixed, fixed)},
                                                  {"caused", list(made.caused, cause)},
                                                  {"remaining", made.remaining},
                                                  {"pins", list(made.pins, pin)},
                                                  {"pins_suffice", made.pins_suffice},
                                                  {"checks", made.checks},
                                                  {"dynamic_shapes", valid_utf8(made.dynamic_shapes)},
                                                  {"dynamic_axes", valid_utf8(made.dynamic_axes)},
                                                  {"fix_command", valid_utf8(made.fix_command)}}));
}

std::string table_html(const std::vector<DynamicAxis>& axes) {
  std::string out =
      "<div class=\"models axes stacked\"><table>\n<thead><tr><th scope=\"col\">Axis</th><th scope=\"col\">May "
      "be</th><th "
      "scope=\"col\">Where</th><th scope=\"col\">Reaches first</th><th "
      "scope=\"col\">Because</th></tr></thead>\n<tbody>\n";
  for (const DynamicAxis& axis : axes) {
    std::string why;
    for (const AxisCondition& condition : axis.conditions) {
      if (condition.why.empty()) continue;
      why += fmt::format("{}{}", why.empty() ? "" : "<br>",
                         report::html_prose(condition.why + report::line_in_brackets(condition.source)));
    }
    out += fmt::format(
        "<tr><th scope=\"row\"><code>{}</code></th><td data-label=\"may be\">{}</td><td "
        "data-label=\"where\">{}</td><td "
        "data-label=\"reaches first\">{}</td><td data-label=\"because\">{}</td></tr>\n",
        escape_markup(axis.name, kMaxName), report::html_prose(state_text(axis)), report::html_prose(places_text(axis)),
        report::html_prose(axis.reaches), why);
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string code_html(std::string_view heading, const std::string& text) {
  if (text.empty()) return {};
  std::string lines;
  for (const auto line : std::views::split(std::string_view(text), '\n')) {
    lines += report::html_code_line(std::string_view(line.begin(), line.end()));
  }
  while (lines.ends_with("\n\n")) lines.pop_back();
  return fmt::format("<h3>{}</h3>\n<pre class=\"signature\">{}</pre>\n", heading, lines);
}

std::string html_of(const AxesReport& made) {
  const std::string path = made.path.empty() ? "model" : made.path;
  std::string main = "<h2>Axes</h2>\n";
  main += made.axes.empty() ? "<p>No input has a dynamic axis.</p>\n" : table_html(made.axes);
  if (!made.outputs.empty()) main += "<h2>Axes of outputs only</h2>\n" + table_html(made.outputs);
  for (const FixedAxis& axis : made.fixed) main += "<p>" + report::html_prose(fixed_text(axis)) + "</p>\n";
  if (!made.caused.empty()) main += "<h2>Caused by dynamic axes</h2>\n<ul>\n";
  for (const AxisCause& cause : made.caused) {
    main += fmt::format("<li>{} <span class=\"mono\">{}</span> {} <span class=\"soft\">caused by {}</span></li>\n",
                        to_string(cause.finding.severity), escape_markup(cause.finding.rule->code),
                        report::html_prose(finding_place(cause.finding) + cause.finding.message),
                        report::html_prose(sets_text(cause)));
  }
  if (!made.caused.empty()) main += "</ul>\n";
  main += "<h2>What to do</h2>\n";
  for (const std::string& line : {summary_of_pins(made), remaining_text(made)}) {
    if (!line.empty()) main += "<p>" + report::html_prose(line) + "</p>\n";
  }
  main += code_html("trtcheck", made.fix_command) + code_html("torch.onnx.export", made.dynamic_shapes) +
          code_html("torch.onnx.export(dynamo=False)", made.dynamic_axes);
  return report::html_page({.title = escape_markup(path) + " axes",
                            .heading = "trtcheck axes",
                            .header = "<p>" + report::html_path(path) + "</p>\n",
                            .main = std::move(main)});
}

}  // namespace

std::string render(const AxesReport& made, const RenderOptions& options) {
  if (options.format == Format::json) return json_of(made);
  if (options.format == Format::html) return html_of(made);
  if (options.format == Format::full) return text_of(made, report::Style(options.color));
  throw Error("", "axes are printed as full, json or html");
}

}  // namespace trtcheck
