// `trtcheck types`: in which element types the engine computes, and the Casts between them.
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/layers_forms.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using namespace one_report;
using Align = Columns::Align;

std::string borders_text(const LayersOfModel& of, const std::vector<TypeBorder>& borders) {
  if (borders.empty()) return "no Cast between floating point types\n";
  Columns columns({Align::left, Align::left, Align::left, Align::left});
  for (const TypeBorder& border : borders) {
    columns.add(
        {printable(of.model().node_label(border.node), kMaxName), type_name(border.from), "->", type_name(border.to)});
  }
  return counted(borders.size(), "Cast") + " between floating point types\n" + columns.text();
}

std::string text(const LayersOfModel& of, const std::vector<TypeBorder>& borders, const report::Style& style) {
  std::string out = style.bold(of.title()) + "\n" + of.refusal();
  const std::string shares = of.shares_text();
  out += shares.empty() ? "no layer that multiplies (Conv, Gemm, MatMul, LSTM, Attention ...)\n" : shares;
  return out + "\n" + borders_text(of, borders).append(about_flags(of));
}

std::string concise(const LayersOfModel& of) {
  std::string out;
  for (const TypeShare& share : of.shares()) {
    out += fmt::format("{}: {}\n", type_name(share.type), counted(share.layers, "layer"));
  }
  return out;
}

}  // namespace

int run(const TypesRequest& request) {
  const OpenedLayers opened(request);
  const LayersOfModel& of = opened.of();
  const std::vector<TypeBorder> borders = type_borders(of.model(), of.shapes(), of.target());
  write(request, {.full = [&](const report::Style& style) { return text(of, borders, style); },
                  .concise = [&] { return concise(of); },
                  .json = [&] { return types_json(of, borders); }});
  return kExitClean;
}

}  // namespace trtcheck::cli
