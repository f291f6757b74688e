#include "one_report/shapes_json.hpp"

#include <array>

#include "one_report/shapes_listing.hpp"
#include "report/json_values.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

using report::Json;
using report::json_value;

Json index_json(const std::optional<std::size_t>& index) { return index ? Json(*index) : Json(nullptr); }

/// What is not limited is null.
Json bound_json(std::int64_t value, std::int64_t none) { return value == none ? Json(nullptr) : Json(value); }

Json steps_json(const std::vector<WhyStep>& steps) {
  Json made = Json::array();
  for (const WhyStep& step : steps) {
    made.push_back({{"kind", to_string(step.kind)},
                    {"value", valid_utf8(step.value)},
                    {"graph", valid_utf8(step.graph)},
                    {"axis", index_json(step.axis)},
                    {"element", index_json(step.element)},
                    {"text", valid_utf8(step.text)},
                    {"size", valid_utf8(step.size)},
                    {"node", valid_utf8(step.node)},
                    {"op_type", valid_utf8(step.op_type)},
                    {"reason", valid_utf8(step.reason)},
                    {"module", valid_utf8(step.module)},
                    {"source", json_value(step.source)},
                    {"from", step.from}});
  }
  return made;
}

}  // namespace

Json json_of(const Why& why) {
  return {{"value", valid_utf8(why.value)}, {"graph", valid_utf8(why.graph)}, {"axis", index_json(why.axis)},
          {"shape", valid_utf8(why.shape)}, {"starts", why.starts},           {"is_cut", why.is_cut},
          {"steps", steps_json(why.steps)}};
}

Json json_of(const SizeDemand& demand) {
  return {{"text", valid_utf8(demand.text)},  {"because", valid_utf8(demand.because)},
          {"node", valid_utf8(demand.node)},  {"op_type", valid_utf8(demand.op_type)},
          {"others", demand.others},          {"source", json_value(demand.source)},
          {"steps", steps_json(demand.steps)}};
}

Json json_of(const SizeConflict& conflict) {
  return {{"message", valid_utf8(conflict.message)}, {"node", valid_utf8(conflict.node)},
          {"op_type", valid_utf8(conflict.op_type)}, {"value", valid_utf8(conflict.value)},
          {"axis", index_json(conflict.axis)},       {"taken_as", valid_utf8(conflict.taken_as)},
          {"source", json_value(conflict.source)},   {"sides", json_value(conflict.sides)},
          {"steps", steps_json(conflict.steps)}};
}

Json json_of(const Model& model, const NamedUnknown& unknown) {
  const Interval range = unknown.origin.range;
  return {{"name", valid_utf8(unknown.name)},
          {"min", bound_json(range.low, Interval::kMin)},
          {"max", bound_json(range.high, Interval::kMax)},
          {"node", valid_utf8(model.node_label(unknown.node))},
          {"op_type", valid_utf8(model.node(unknown.node).op_type)},
          {"reason", valid_utf8(unknown.origin.reason)}};
}

std::string why_json(const Why& why) { return json_of(why).dump(); }

}  // namespace trtcheck::one_report
