// `trtcheck quantization`: which layers run quantized, which do not, and why.
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/layers_forms.hpp"
#include "one_report/quantization_html.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using namespace one_report;
using Align = Columns::Align;

std::string table(const LayersOfModel& of) {
  Columns columns({Align::left, Align::left, Align::left, Align::left, Align::right, Align::left});
  columns.add({"layer", "op", "runs in", "writes", "share", "why"});
  for (const Layer& layer : of.layers()) {
    columns.add({printable(of.model().node_label(layer.node), kMaxName),
                 printable(of.model().node(layer.node).op_type, kMaxName), type_text(layer), type_name(layer.output),
                 of.share_of(layer), printable(layer.why)});
  }
  return columns.text();
}

std::string text(const LayersOfModel& of, const report::Style& style) {
  std::string out = style.bold(of.title()) + "\n" + of.refusal();
  out += quantization_summary(of) + "\n";
  return !has_quantized(of) ? out : out + "\n" + of.shares_text() + "\n" + table(of);
}

std::string concise(const LayersOfModel& of) {
  std::string out;
  for (const Layer& layer : of.layers()) {
    out += fmt::format("{}: {}{}{}\n", printable(of.model().node_label(layer.node), kMaxName), type_name(layer.type),
                       layer.why.empty() ? "" : ": ", printable(layer.why));
  }
  return out;
}

}  // namespace

int run(const QuantizationRequest& request) {
  const OpenedLayers opened(request);
  const LayersOfModel& of = opened.of();
  write(request, {.full = [&](const report::Style& style) { return text(of, style); },
                  .concise = [&] { return concise(of); },
                  .json = [&] { return quantization_json(of); },
                  .html = [&] { return quantization_page(of, quantization_summary(of)); }});
  return kExitClean;
}

}  // namespace trtcheck::cli
