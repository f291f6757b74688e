#include "one_report/layers_of_model.hpp"

#include <algorithm>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "engine/symbol_names.hpp"
#include "layers/work.hpp"
#include "report/envelope.hpp"
#include "report/formats.hpp"
#include "target/releases.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"
#include "view/profile_sizes.hpp"

namespace trtcheck::one_report {
namespace {

using Json = nlohmann::ordered_json;
using Align = Columns::Align;

/// "1,234,567"
std::string with_commas(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

Json missing_json(const NotCounted& missing) {
  Json layers = Json::array();
  for (const NotCounted::Layers& each : missing.layers) {
    layers.push_back({{"op", valid_utf8(each.op_type)},
                      {"layers", each.count},
                      {"why", each.has_formula ? "sizes are not known" : "there is no formula for it"}});
  }
  Json loops = Json::array();
  for (const NotCounted::Loops& each : missing.loops) {
    loops.push_back(
        {{"op", valid_utf8(each.op_type)}, {"loops", each.count}, {"why", "trip count unknown: the body counts once"}});
  }
  return {{"layers", std::move(layers)}, {"bodies_counted_once", std::move(loops)}};
}

}  // namespace

std::string percent(double share) {
  const double value = share * 100;
  return value > 0 && value < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", value);
}

std::string type_name(DataType type) { return type == DataType::undefined ? "?" : to_string(type); }

std::string type_text(const Layer& layer) {
  if (layer.weights == DataType::undefined) return type_name(layer.type);
  return fmt::format("{}, {} weights", type_name(layer.type), to_string(layer.weights));
}

LayersOfModel::LayersOfModel(const Analysis& analysis, const CheckOptions& options)
    : analysis_(&analysis),
      report_(check(analysis, options)),
      layers_(trtcheck::layers(model(), shapes(), target())),
      shares_(type_shares(layers_, model(), shapes(), target())),
      not_counted_(trtcheck::not_counted(layers_, model())),
      sizes_(profile_sizes(model(), shapes(), target(), &ProfileInput::opt)) {}

std::size_t LayersOfModel::multiplying() const noexcept {
  std::size_t count = 0;
  for (const TypeShare& share : shares_) count += share.layers;
  return count;
}

std::string LayersOfModel::release() const { return full_name(target().release); }

std::string LayersOfModel::title() const { return printable(model().path(), kMaxName) + ", " + release(); }

std::string LayersOfModel::refusal() const {
  if (report_.verdict() != Verdict::refused) return "";
  const report::Counts counts = report::count_all(report_);
  return fmt::format("the model will not build: {}; `trtcheck check{}` lists them\n", report::counts_text(counts),
                     counts.unlisted > 0 ? " --all-findings" : "");
}

std::string LayersOfModel::shares_text() const {
  if (shares_.empty()) return "";
  Columns columns({Align::left, Align::right, Align::right, Align::right});
  columns.add({"runs in", "layers", "multiply-accumulates", "share"});
  for (const TypeShare& share : shares_) {
    columns.add({type_name(share.type), std::to_string(share.layers), work_text(share),
                 share.share ? percent(*share.share) : "-"});
  }
  std::string out = columns.text();
  const std::string symbols = engine::SymbolNames(model(), shapes()).legend(out);
  for (const std::string& line : {missing_text(), symbols}) {
    if (!line.empty()) out += "  " + printable(line) + "\n";
  }
  return out;
}

std::string LayersOfModel::work_text(const TypeShare& share) const {
  if (share.unsized == share.layers) return "?";
  return share.number ? with_commas(*share.number) : printable(shapes().dims().text(share.work));
}

std::string LayersOfModel::missing_text() const {
  const std::string missing = to_string(not_counted_);
  const bool is_open =
      not_counted_.layers.empty() && std::ranges::any_of(shares_, [](const TypeShare& share) { return !share.share; });
  const std::string_view open = is_open ? "shares depend on sizes: --profile gives them" : "";
  if (missing.empty()) return std::string(open);
  return fmt::format("not counted: {}{}{}", printable(missing), is_open ? "; " : "", open);
}

std::string LayersOfModel::share_of(const Layer& layer) const {
  if (!layer.work) return "";
  std::int64_t all = 0;
  for (const TypeShare& share : shares_) {
    if (!share.number || share.unsized > 0) return "";
    all += *share.number;
  }
  const auto own = evaluate_at(shapes().dims(), *layer.work, sizes_);
  return own && all > 0 ? percent(static_cast<double>(*own) / static_cast<double>(all)) : "";
}

Json LayersOfModel::head() const {
  Json types = Json::array();
  for (const TypeShare& share : shares_) {
    types.push_back({{"type", type_name(share.type)},
                     {"layers", share.layers},
                     {"layers_of_unknown_size", share.unsized},
                     {"multiply_accumulates", valid_utf8(shapes().dims().text(share.work))},
                     {"multiply_accumulates_at_opt", share.number ? Json(*share.number) : Json(nullptr)},
                     {"share", share.share ? Json(*share.share) : Json(nullptr)}});
  }
  return report::enveloped({{"path", valid_utf8(model().path())},
                            {"target", to_string(target().release)},
                            {"verdict", to_string(report_.verdict())},
                            {"not_counted", missing_json(not_counted_)},
                            {"types", std::move(types)}});
}

Json LayersOfModel::json_of(const Layer& layer) const {
  const Node& node = model().node(layer.node);
  const auto name = [](DataType type) { return type == DataType::undefined ? Json(nullptr) : Json(to_string(type)); };
  return {{"node", valid_utf8(model().node_label(layer.node))},
          {"op", valid_utf8(node.op_type)},
          {"type", name(layer.type)},
          {"weights", name(layer.weights)},
          {"output", name(layer.output)},
          {"multiply_accumulates", layer.work ? Json(valid_utf8(shapes().dims().text(*layer.work))) : Json(nullptr)},
          {"counted_once", static_cast<bool>(layer.counted_once)},
          {"reason", to_string(layer.reason)},
          {"why", valid_utf8(layer.why)},
          {"at", layer.at ? Json(valid_utf8(model().node_label(layer.at))) : Json(nullptr)}};
}

}  // namespace trtcheck::one_report
