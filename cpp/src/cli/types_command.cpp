// `trtcheck types`: in which element types the engine computes, the Casts between them, and which weights are sparse.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include <trtcheck/sparsity.hpp>

#include "cli/commands.hpp"
#include "cli/layers_forms.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using namespace one_report;
using Align = Columns::Align;
using Json = nlohmann::ordered_json;

std::string borders_text(const LayersOfModel& of, const std::vector<TypeBorder>& borders) {
  if (borders.empty()) return "no Cast between floating point types\n";
  Columns columns({Align::left, Align::left, Align::left, Align::left});
  for (const TypeBorder& border : borders) {
    columns.add(
        {printable(of.model().node_label(border.node), kMaxName), type_name(border.from), "->", type_name(border.to)});
  }
  return counted(borders.size(), "Cast") + " between floating point types\n" + columns.text();
}

struct SparsityOfModel {
  std::vector<Sparsity> found;
  std::optional<double> share;  ///< of the multiply-accumulates, of sparse weights
};

std::size_t sparse_weights(const SparsityOfModel& of) {
  return static_cast<std::size_t>(std::ranges::count(of.found, SparsityState::sparse, &Sparsity::state));
}

std::string summary(const SparsityOfModel& of) {
  std::string out =
      fmt::format("2:4 structured sparsity: {} of {}", sparse_weights(of), counted(of.found.size(), "weight"));
  if (of.share) out += fmt::format(", {} of the multiply-accumulates", percent(*of.share));
  return out + "\n";
}

/// "2 (kernel)": what an axis of the weights stands for.
std::string axis_text(const LayersOfModel& of, const Sparsity& sparsity, std::size_t axis) {
  if (axis == sparsity.axis) return fmt::format("{} (input channels)", axis);
  const bool is_conv = of.model().node(sparsity.node).op_type == "Conv";
  const std::size_t rank = of.model().tensor(sparsity.weights).dims.size();
  if (is_conv) return fmt::format("{} ({})", axis, axis == 0 ? "output channels" : "kernel");
  return fmt::format("{} ({})", axis, axis + 2 < rank ? "batch" : "output channels");
}

std::string result_text(const LayersOfModel& of, const Sparsity& sparsity) {
  const std::string obeying = fmt::format("{} of {} groups obey, the first that does not starts at [{}]",
                                          sparsity.obeying, sparsity.groups, fmt::join(sparsity.first_dense, ", "));
  switch (sparsity.state) {
    case SparsityState::sparse:
      return "sparse 2:4";
    case SparsityState::dense:
      return fmt::format("dense: {} ({})", obeying,
                         percent(static_cast<double>(sparsity.obeying) / static_cast<double>(sparsity.groups)));
    case SparsityState::wrong_axis:
      return fmt::format("sparse along axis {} only, TensorRT needs axis {}: {}",
                         axis_text(of, sparsity, *sparsity.sparse_axis), axis_text(of, sparsity, sparsity.axis),
                         obeying);
    case SparsityState::unaligned:
      return fmt::format("{}, not a multiple of 4", counted(sparsity.channels, "input channel"));
    case SparsityState::unread:
      break;
  }
  return "not read: " + sparsity.why;
}

std::string_view weights_name(const LayersOfModel& of, const Sparsity& sparsity) {
  return sparsity.weights ? of.model().tensor(sparsity.weights).name : std::string_view{};
}

std::string sparsity_text(const LayersOfModel& of, const SparsityOfModel& sparsity) {
  if (sparsity.found.empty()) return "2:4 structured sparsity: no Conv, Gemm or MatMul has constant weights\n";
  Columns columns({Align::left, Align::left, Align::left, Align::left});
  columns.add({"layer", "op", "weights", "2:4"});
  for (const Sparsity& each : sparsity.found) {
    columns.add({printable(of.model().node_label(each.node), kMaxName), printable(of.model().node(each.node).op_type),
                 printable(weights_name(of, each), kMaxName), printable(result_text(of, each))});
  }
  return summary(sparsity) + columns.text();
}

Json sparsity_json(const LayersOfModel& of, const SparsityOfModel& sparsity) {
  Json weights = Json::array();
  for (const Sparsity& each : sparsity.found) {
    const std::string_view name = weights_name(of, each);
    weights.push_back({{"node", valid_utf8(of.model().node_label(each.node))},
                       {"op", valid_utf8(of.model().node(each.node).op_type)},
                       {"weights", name.empty() ? Json(nullptr) : Json(valid_utf8(name))},
                       {"state", to_string(each.state)},
                       {"axis", each.weights ? Json(each.axis) : Json(nullptr)},
                       {"channels", each.weights ? Json(each.channels) : Json(nullptr)},
                       {"groups", each.groups},
                       {"obeying", each.obeying},
                       {"first_dense", each.first_dense.empty() ? Json(nullptr) : Json(each.first_dense)},
                       {"sparse_axis", each.sparse_axis ? Json(*each.sparse_axis) : Json(nullptr)},
                       {"why", valid_utf8(each.why)}});
  }
  return {{"sparse", sparse_weights(sparsity)},
          {"of", sparsity.found.size()},
          {"share", sparsity.share ? Json(*sparsity.share) : Json(nullptr)},
          {"weights", std::move(weights)}};
}

std::optional<SparsityOfModel> sparsity_of(const TypesRequest& request, const LayersOfModel& of) {
  if (!request.sparsity) return std::nullopt;
  SparsityOfModel sparsity{.found = sparsities(of.layers(), of.model(), of.shapes(), of.target()), .share = {}};
  sparsity.share = sparse_share(sparsity.found, of.layers(), of.model(), of.shapes(), of.target());
  return sparsity;
}

/// @throws Error  weights are asked about, and not to be read
void refuse_without_weights(const TypesRequest& request) {
  if (!request.sparsity) return;
  const bool reads = SettingsResolver(request.config, request.overrides).for_model(request.path).check.read_weights;
  if (!reads) refuse("--sparsity: weights must be read for it, add --read-weights");
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
  refuse_without_weights(request);
  const OpenedLayers opened(request);
  const LayersOfModel& of = opened.of();
  const std::vector<TypeBorder> borders = type_borders(of.model(), of.shapes(), of.target());
  const std::optional<SparsityOfModel> sparsity = sparsity_of(request, of);
  const auto full = [&](const report::Style& style) {
    return text(of, borders, style) + (sparsity ? "\n" + sparsity_text(of, *sparsity) : "");
  };
  const auto json = [&] {
    Json document = types_json(of, borders);
    if (sparsity) document["sparsity"] = sparsity_json(of, *sparsity);
    return document;
  };
  write(request,
        {.full = full, .concise = [&] { return concise(of) + (sparsity ? summary(*sparsity) : ""); }, .json = json});
  return kExitClean;
}

}  // namespace trtcheck::cli
