// The memory of a model as text, as JSON and as a page with a plot.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>
#include <trtcheck/memory.hpp>

#include "report/envelope.hpp"
#include "report/html_parts.hpp"
#include "report/json_values.hpp"
#include "report/style.hpp"
#include "report/wording.hpp"
#include "text/bytes_text.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace {

using report::Json;
using report::json_value;
using Align = Columns::Align;

std::string made_by(const LiveTensor& tensor) {
  return tensor.node.empty()
             ? ""
             : fmt::format("{} `{}`{}", tensor.op_type, tensor.node, report::line_in_brackets(tensor.source));
}

std::string profile_line(const ProfileInput& input) {
  return fmt::format("{}={}:{}:{}", input.name, fmt::join(input.min, "x"), fmt::join(input.opt, "x"),
                     fmt::join(input.max, "x"));
}

std::string about_sizes(const MemoryReport& made) {
  if (made.profile.empty()) return {};
  std::vector<std::string> lines;
  for (const ProfileInput& input : made.profile) lines.push_back(profile_line(input));
  return fmt::format("{}: {}", made.is_proposed ? "sizes that were chosen, --profile gives others" : "sizes",
                     fmt::join(lines, " "));
}

constexpr std::string_view kMeaning =
    "an engine needs at least its weights, inputs and outputs; fusion saves activations, tactics need workspace";

std::string unknown_text(const MemoryPoint& point) {
  if (point.unknown == 0) return {};
  return fmt::format("{}: {} of unknown size {} not counted", point.name, counted(point.unknown, "result"),
                     point.unknown == 1 ? "is" : "are");
}

std::string weights_text(const MemoryReport& made) {
  std::string out = fmt::format("weights: {}\n", bytes_text(made.weight_bytes));
  Columns columns({Align::left, Align::right, Align::right});
  for (const WeightBytes& weights : made.weights) {
    columns.add({weights.type, counted(weights.count, "tensor"), bytes_text(weights.bytes)});
  }
  return out + columns.text();
}

std::string points_text(const MemoryReport& made) {
  Columns columns({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right});
  columns.add({"", "inputs", "outputs", "peak", "peak if pointwise operators fuse", "sum"});
  for (const MemoryPoint& point : made.points) {
    columns.add({point.name, bytes_text(point.inputs), bytes_text(point.outputs), bytes_text(point.peak),
                 bytes_text(point.fused_peak), bytes_text(point.sum)});
  }
  return columns.text();
}

std::string peak_text(const MemoryPoint& point) {
  if (point.peak_node.empty()) return {};
  std::string out = fmt::format("at {} the peak is at {} `{}`; what is there then:\n", point.name,
                                printable(point.peak_op_type), printable(point.peak_node));
  Columns columns({Align::right, Align::left, Align::left, Align::left});
  for (const LiveTensor& tensor : point.peak_tensors) {
    columns.add({bytes_text(tensor.bytes), printable(tensor.name, kMaxName), printable(tensor.type),
                 printable(made_by(tensor))});
  }
  return out + columns.text();
}

std::string text_of(const MemoryReport& made, const report::Style& style) {
  std::string out = style.bold(printable(made.path.empty() ? "model" : made.path)) + "\n" + weights_text(made);
  out += "\nactivations\n" + points_text(made);
  if (const std::string sizes = about_sizes(made); !sizes.empty()) out += printable(sizes, 4000) + "\n";
  for (const MemoryPoint& point : made.points) {
    if (const std::string unknown = unknown_text(point); !unknown.empty()) out += unknown + "\n";
  }
  if (const std::string peak = peak_text(made.points.back()); !peak.empty()) out += "\n" + peak;
  if (!made.warnings.empty()) out += "\n";
  for (const MemoryWarning& warning : made.warnings) {
    out += fmt::format("{} {}\n", style.severity(Severity::warning, "warning:"),
                       printable(warning.text + report::line_in_brackets(warning.source)));
  }
  return out + fmt::format("\n{}\n", kMeaning);
}

Json tensor_json(const LiveTensor& tensor) {
  return {{"name", valid_utf8(tensor.name)},
          {"type", valid_utf8(tensor.type)},
          {"bytes", tensor.bytes},
          {"node", valid_utf8(tensor.node)},
          {"op_type", valid_utf8(tensor.op_type)},
          {"source", json_value(tensor.source)}};
}

Json point_json(const MemoryPoint& point) {
  Json tensors = Json::array();
  for (const LiveTensor& tensor : point.peak_tensors) tensors.push_back(tensor_json(tensor));
  return {{"name", point.name},
          {"inputs", point.inputs},
          {"outputs", point.outputs},
          {"sum", point.sum},
          {"peak", point.peak},
          {"fused_peak", point.fused_peak},
          {"peak_node", valid_utf8(point.peak_node)},
          {"peak_op_type", valid_utf8(point.peak_op_type)},
          {"peak_tensors", std::move(tensors)},
          {"live", point.live},
          {"unknown", point.unknown}};
}

std::string json_of(const MemoryReport& made) {
  Json weights = Json::array();
  for (const WeightBytes& each : made.weights) {
    weights.push_back({{"type", each.type}, {"count", each.count}, {"bytes", each.bytes}});
  }
  Json profile = Json::array();
  for (const ProfileInput& input : made.profile) {
    profile.push_back({{"name", valid_utf8(input.name)}, {"min", input.min}, {"opt", input.opt}, {"max", input.max}});
  }
  Json points = Json::array();
  for (const MemoryPoint& point : made.points) points.push_back(point_json(point));
  Json warnings = Json::array();
  for (const MemoryWarning& warning : made.warnings) {
    warnings.push_back({{"text", valid_utf8(warning.text)},
                        {"node", valid_utf8(warning.node)},
                        {"source", json_value(warning.source)}});
  }
  return report::document_text(report::enveloped({{"path", valid_utf8(made.path)},
                                                  {"weights", std::move(weights)},
                                                  {"weight_bytes", made.weight_bytes},
                                                  {"is_proposed", made.is_proposed},
                                                  {"profile", std::move(profile)},
                                                  {"points", std::move(points)},
                                                  {"warnings", std::move(warnings)}}));
}

/// Live bytes over the nodes: of each of so many columns the largest.
std::string plot(const MemoryPoint& point) {
  constexpr std::size_t kColumns = 400;
  constexpr double kHeight = 160;
  if (point.live.empty() || point.peak == 0) return {};
  const std::size_t columns = std::min(kColumns, point.live.size());
  const double width = 800.0 / static_cast<double>(columns);
  std::string path = fmt::format("M0 {:.0f}", kHeight);
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t first = i * point.live.size() / columns;
    const std::size_t end = std::max(first + 1, (i + 1) * point.live.size() / columns);
    const std::uint64_t most = *std::max_element(point.live.begin() + static_cast<std::ptrdiff_t>(first),
                                                 point.live.begin() + static_cast<std::ptrdiff_t>(end));
    const double top = kHeight - kHeight * static_cast<double>(most) / static_cast<double>(point.peak);
    path += fmt::format("L{:.1f} {:.1f}L{:.1f} {:.1f}", width * static_cast<double>(i), top,
                        width * static_cast<double>(i + 1), top);
  }
  return fmt::format(
      "<figure><svg viewBox=\"0 0 800 160\" role=\"img\" aria-label=\"live bytes over the graph\"><path d=\"{}L800 "
      "{:.0f}Z\" "
      "fill=\"currentColor\" fill-opacity=\"0.35\"/></svg><figcaption>live activations at {} over {} in order of "
      "execution, at most {}</figcaption></figure>\n",
      path, kHeight, point.name, counted(point.live.size(), "node"), bytes_text(point.peak));
}

std::string number_cell(std::string_view label, std::uint64_t bytes) {
  return fmt::format("<td class=\"number\" data-label=\"{}\">{}</td>", label, bytes_text(bytes));
}

std::string points_html(const MemoryReport& made) {
  std::string out =
      "<div class=\"models sizes stacked\"><table>\n<thead><tr><th scope=\"col\">Sizes</th><th scope=\"col\" "
      "class=\"number\">Inputs</th><th scope=\"col\" class=\"number\">Outputs</th><th scope=\"col\" "
      "class=\"number\">Peak</th><th scope=\"col\" class=\"number\">Peak if pointwise operators fuse</th><th "
      "scope=\"col\" class=\"number\">Sum</th></tr></thead>\n<tbody>\n";
  for (const MemoryPoint& point : made.points) {
    out +=
        fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}{}{}</tr>\n", point.name, number_cell("inputs", point.inputs),
                    number_cell("outputs", point.outputs), number_cell("peak", point.peak),
                    number_cell("fused", point.fused_peak), number_cell("sum", point.sum));
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string html_of(const MemoryReport& made) {
  const std::string path = made.path.empty() ? "model" : made.path;
  std::string main = fmt::format("<h2>Weights</h2>\n<p>{}</p>\n<ul>\n", bytes_text(made.weight_bytes));
  for (const WeightBytes& each : made.weights) {
    main += fmt::format("<li>{}: {}, {}</li>\n", each.type, counted(each.count, "tensor"), bytes_text(each.bytes));
  }
  main += "</ul>\n<h2>Activations</h2>\n" + points_html(made);
  if (const std::string sizes = about_sizes(made); !sizes.empty()) main += "<p>" + report::html_prose(sizes) + "</p>\n";
  for (const MemoryPoint& point : made.points) {
    if (point.unknown > 0) main += "<p>" + report::html_prose(unknown_text(point)) + "</p>\n";
  }
  const MemoryPoint& last = made.points.back();
  main += plot(last);
  if (!last.peak_node.empty()) {
    main += fmt::format(
        "<h2>At the peak</h2>\n<p>{}</p>\n<ul>\n",
        report::html_prose(fmt::format("{} `{}` runs at {}", last.peak_op_type, last.peak_node, last.name)));
    for (const LiveTensor& tensor : last.peak_tensors) {
      main += fmt::format(
          "<li>{}: {}</li>\n", bytes_text(tensor.bytes),
          report::html_prose(fmt::format("`{}` {}, made by {}", tensor.name, tensor.type, made_by(tensor))));
    }
    main += "</ul>\n";
  }
  if (!made.warnings.empty()) main += "<h2>Warnings</h2>\n<ul>\n";
  for (const MemoryWarning& warning : made.warnings) {
    main += fmt::format("<li>{}</li>\n", report::html_prose(warning.text + report::line_in_brackets(warning.source)));
  }
  if (!made.warnings.empty()) main += "</ul>\n";
  main += fmt::format("<p class=\"soft\">{}</p>\n", kMeaning);
  return report::html_page({.title = escape_markup(path) + " memory",
                            .heading = "trtcheck memory",
                            .header = "<p>" + report::html_path(path) + "</p>\n",
                            .main = std::move(main)});
}

}  // namespace

std::string render(const MemoryReport& made, const RenderOptions& options) {
  if (options.format == Format::json) return json_of(made);
  if (options.format == Format::html) return html_of(made);
  if (options.format == Format::full) return text_of(made, report::Style(options.color));
  throw Error("", "memory is printed as full, json or html");
}

}  // namespace trtcheck
