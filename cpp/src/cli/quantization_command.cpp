// `trtcheck quantization`: which layers run quantized, which do not, and why.
#include <nlohmann/json.hpp>

#include "cli/columns.hpp"
#include "cli/commands.hpp"
#include "cli/layers_of_model.hpp"
#include "cli/quantization_html.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using Align = Columns::Align;

bool is_quantized(DataType type) { return type != DataType::undefined && bits_of(type) <= 8; }

/// What INT8 means for a model without Q/DQ.
std::string nothing_quantized(const LayersOfModel& of) {
  return is_strongly_typed(of.target())
             ? "nothing is quantized: the model has no Q/DQ, and from 11.0 on nothing else makes a layer INT8 or FP8"
             : "nothing is quantized: the model has no Q/DQ; INT8 without them needs a calibrator (deprecated from "
               "10.1 on, gone in 11.0)";
}

std::string summary(const LayersOfModel& of) {
  std::size_t quantized = 0;
  double share = 0;
  bool is_known = true;
  for (const TypeShare& each : of.shares()) {
    is_known = is_known && each.share;
    if (!is_quantized(each.type)) continue;
    quantized += each.layers;
    share += each.share.value_or(0);
  }
  std::string out = fmt::format("{} of {} with weights run quantized", quantized, counted(of.multiplying(), "layer"));
  if (is_known) out += fmt::format(", {:.1f} % of the multiply-accumulates", share * 100);
  return out;
}

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

bool has_quantized(const LayersOfModel& of) {
  return std::ranges::any_of(of.layers(), [](const Layer& layer) {
    return is_quantized(layer.type) || layer.weights != DataType::undefined || !layer.why.empty();
  });
}

std::string text(const LayersOfModel& of, const report::Style& style) {
  std::string out = style.bold(of.title()) + "\n" + of.refusal();
  if (!has_quantized(of)) return out + nothing_quantized(of) + "\n";
  return out + summary(of) + "\n\n" + of.shares_text() + "\n" + table(of);
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

std::string quantization_summary(const LayersOfModel& of) {
  return has_quantized(of) ? summary(of) : nothing_quantized(of);
}

nlohmann::ordered_json quantization_json(const LayersOfModel& of) {
  nlohmann::ordered_json document = of.head();
  document["layers"] = nlohmann::ordered_json::array();
  for (const Layer& layer : of.layers()) document["layers"].push_back(of.json_of(layer));
  return document;
}

int run(const QuantizationRequest& request) {
  const LayersOfModel of(request);
  write(request, {.full = [&](const report::Style& style) { return text(of, style); },
                  .concise = [&] { return concise(of); },
                  .json = [&] { return quantization_json(of); },
                  .html = [&] { return quantization_page(of, quantization_summary(of)); }});
  return kExitClean;
}

}  // namespace trtcheck::cli
