// What `trtcheck quantization` says, without its tables.
#include <algorithm>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "one_report/layers_of_model.hpp"
#include "text/plural.hpp"

namespace trtcheck::one_report {
namespace {

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

}  // namespace

bool has_quantized(const LayersOfModel& of) {
  return std::ranges::any_of(of.layers(), [](const Layer& layer) {
    return is_quantized(layer.type) || layer.weights != DataType::undefined || !layer.why.empty();
  });
}

std::string quantization_summary(const LayersOfModel& of) {
  return has_quantized(of) ? summary(of) : nothing_quantized(of);
}

nlohmann::ordered_json quantization_json(const LayersOfModel& of) {
  nlohmann::ordered_json document = of.head();
  document["layers"] = nlohmann::ordered_json::array();
  for (const Layer& layer : of.layers()) document["layers"].push_back(of.json_of(layer));
  return document;
}

}  // namespace trtcheck::one_report
