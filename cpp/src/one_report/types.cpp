// What `trtcheck types` says, without its tables.
#include <nlohmann/json.hpp>

#include "layers/work.hpp"
#include "one_report/layers_of_model.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {

using Json = nlohmann::ordered_json;

std::string_view about_flags(const LayersOfModel& of) {
  if (is_strongly_typed(of.target())) return "";
  return "Types as the file has them. Up to 10.16 a layer in FLOAT may also run in what a precision flag allows "
         "(--fp16, --bf16), unless the network is strongly typed.\n";
}

Json types_json(const LayersOfModel& of, const std::vector<TypeBorder>& borders) {
  Json document = of.head();
  document["casts"] = Json::array();
  for (const TypeBorder& border : borders) {
    document["casts"].push_back({{"node", valid_utf8(of.model().node_label(border.node))},
                                 {"from", to_string(border.from)},
                                 {"to", to_string(border.to)}});
  }
  document["layers"] = Json::array();
  for (const Layer& layer : of.layers()) {
    if (layers_of::has_work(of.model().node(layer.node))) document["layers"].push_back(of.json_of(layer));
  }
  return document;
}

}  // namespace trtcheck::one_report
