#include "one_report/quantization_html.hpp"

#include <string_view>

#include <fmt/format.h>

#include "picture/layer_graph.hpp"
#include "report/formats.hpp"
#include "report/html_parts.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

using picture::Mark;

// Of more layers nobody reads the table.
constexpr std::size_t kMostRows = 5000;

std::string_view class_of(DataType type) {
  switch (tint_of(type)) {
    case Mark::Tint::quantized:
      return "quantized";
    case Mark::Tint::half:
      return "half";
    case Mark::Tint::real:
      return "float";
    case Mark::Tint::none:
      break;
  }
  return "none";
}

/// A word with a dot of its colour.
std::string type_html(DataType type, std::string_view text) {
  return fmt::format("<span class=\"type {}\">{}</span>", class_of(type), escape_markup(text));
}

/// One bar for the layers, one for the work, as far as the shares are known.
std::string bar(const LayersOfModel& of, std::string_view what, bool of_work) {
  double at = 0;
  std::string parts;
  std::string words;
  for (const TypeShare& share : of.shares()) {
    if (of_work && !share.share) return "";
    const double part =
        of_work ? *share.share : static_cast<double>(share.layers) / static_cast<double>(of.multiplying());
    parts += fmt::format("<rect class=\"{}\" x=\"{:.3f}\" width=\"{:.3f}\" height=\"8\"/>", class_of(share.type),
                         at * 100, part * 100);
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", type_name(share.type), percent(part));
    at += part;
  }
  return fmt::format(
      "<figure class=\"share\"><svg role=\"img\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\"><title>{0}: "
      "{1}</title>{2}</svg><figcaption>{0}: {1}</figcaption></figure>\n",
      what, words, parts);
}

/// A cell with its heading, which narrow screens show in front of it.
std::string cell(std::string_view heading, std::string_view html, bool is_number = false) {
  return fmt::format("<td{} data-label=\"{}\">{}</td>", is_number ? " class=\"number\"" : "", heading, html);
}

std::string row(const LayersOfModel& of, const Layer& layer) {
  const std::string share = of.share_of(layer);
  return fmt::format("<tr><th scope=\"row\"><code>{}</code></th>{}{}{}{}{}</tr>\n",
                     escape_markup(of.model().node_label(layer.node), kMaxName),
                     cell("op", escape_markup(of.model().node(layer.node).op_type, kMaxName)),
                     cell("runs in", type_html(layer.type, type_text(layer))),
                     cell("writes", type_html(layer.output, type_name(layer.output))),
                     cell("share", escape_markup(share)), cell("why", report::html_prose(layer.why)));
}

}  // namespace

std::string shares_html(const LayersOfModel& of) {
  if (of.shares().empty()) return "";
  std::string out = bar(of, "layers with weights", false) + bar(of, "multiply-accumulates", true);
  out +=
      "<div class=\"models types stacked\"><table>\n"
      "<thead><tr><th scope=\"col\">Runs in</th><th scope=\"col\" class=\"number\">Layers</th>"
      "<th scope=\"col\" class=\"number\">Multiply-accumulates</th><th scope=\"col\" class=\"number\">Share</th></tr>"
      "</thead>\n<tbody>\n";
  for (const TypeShare& share : of.shares()) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}</tr>\n", type_html(share.type, type_name(share.type)),
                       cell("layers", std::to_string(share.layers), true),
                       cell("multiply-accumulates", escape_markup(of.work_text(share)), true),
                       cell("share", share.share ? escape_markup(percent(*share.share)) : "-", true));
  }
  out += "</tbody>\n</table></div>\n";
  const std::string missing = of.missing_text();
  return missing.empty() ? out : out + "<p class=\"soft\">" + escape_markup(missing) + "</p>\n";
}

std::string layers_html(const LayersOfModel& of) {
  if (of.layers().empty())
    return "<p class=\"none\">No layer that multiplies (Conv, Gemm, MatMul, LSTM, Attention ...).</p>\n";
  std::string out =
      "<div class=\"models layers stacked\"><table>\n<thead><tr><th scope=\"col\">Layer</th><th "
      "scope=\"col\">Op</th><th "
      "scope=\"col\">Runs in</th><th scope=\"col\">Writes</th><th scope=\"col\">Share</th><th scope=\"col\">Why not "
      "quantized</th></tr></thead>\n<tbody>\n";
  std::size_t told = 0;
  for (const Layer& layer : of.layers()) {
    if (told == kMostRows) break;
    out += row(of, layer);
    ++told;
  }
  out += "</tbody>\n</table></div>\n";
  if (told == of.layers().size()) return out;
  return out + fmt::format("<p class=\"soft\">and {} more</p>\n", of.layers().size() - told);
}

std::string layers_picture(const LayersOfModel& of) {
  LayerPicture made;
  try {
    made = draw_layers(of.model(), of.shapes(), of.layers());
  } catch (const Error& error) {
    return fmt::format("<p class=\"soft\">No picture: {}</p>\n", escape_markup(error.cause()));
  }
  if (made.svg.empty()) return "";
  std::string caption =
      "The main graph without constants. A marked node computes in the type that it names; others follow the layers "
      "around them. Tensors have the types of the file; a pair of QuantizeLinear and DequantizeLinear between two "
      "nodes "
      "is a tensor of codes.";
  if (made.left_out > 0) caption += fmt::format(" Not drawn: {} after these.", counted(made.left_out, "node"));
  return fmt::format(
      "<figure class=\"graph\"><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"picture of the "
      "graph\">{}</div><figcaption>{}</figcaption></figure>\n",
      made.svg, caption);
}

std::string quantization_page(const LayersOfModel& of, const std::string& summary) {
  const std::string path = escape_markup(report::display_path(of.model().path()));
  const std::string refusal = of.refusal();
  std::string main =
      fmt::format("<section class=\"model\" aria-labelledby=\"model\">\n<h2 id=\"model\">{}{}</h2>\n<p>{}</p>\n", path,
                  refusal.empty() ? "" : " <span class=\"badge refused\">refused</span>", report::html_prose(summary));
  if (!refusal.empty())
    main += fmt::format("<p class=\"none\">{}</p>\n", report::html_prose(refusal.substr(0, refusal.find('\n'))));
  main += shares_html(of) + "<h3>Layers</h3>\n" + layers_html(of);
  if (const std::string picture = layers_picture(of); !picture.empty()) main += "<h3>Graph</h3>\n" + picture;
  return report::html_page({path + " quantization", "trtcheck quantization",
                            fmt::format("<p class=\"tally\">a forecast for {}</p>\n", escape_markup(of.release())),
                            main + "</section>\n"});
}

}  // namespace trtcheck::one_report
