#include "rules/hardware/dla_layers.hpp"

#include <algorithm>

#include "schema/kinds.hpp"
#include "target/dla.hpp"
#include "view/operators.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules {
namespace {

bool is_float(DataType type) {
  return type == DataType::float32 || type == DataType::float16 || type == DataType::bfloat16;
}

/// The average of a window that its padding does not count in.
bool leaves_padding_out(const Node& node) {
  const Attribute* pads = node.attribute("pads");
  const Attribute* counted = node.attribute("count_include_pad");
  const bool is_padded = pads != nullptr && std::ranges::any_of(pads->ints(), [](auto pad) { return pad != 0; });
  return is_padded && (counted == nullptr || counted->i() == 0);
}

}  // namespace

bool is_float_layer(const RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  if (is_a(node.op_type, kinds::quantizer) || is_a(node.op_type, kinds::no_layer)) {
    return false;
  }
  // The nodes of a function's body are asked themselves.
  const Handler handler = context.view().handler(id);
  if (handler == Handler::function || handler == Handler::none || handler == Handler::refused) return false;
  const auto is_computed = [&](ValueId value) {
    return value && is_float(context.shape(value).type) && !context.shape(value).is_known &&
           !context.shapes().folds_to_constant(value);
  };
  return std::ranges::any_of(node.inputs, is_computed);
}

bool has_dla_layer(const RuleContext& context, NodeId id) {
  if (context.view().handler(id) != Handler::importer) return false;
  const Node& node = context.model().node(id);
  if (is_xavier(context.target())) {
    if (node.op_type == "Softmax") return false;
    if (node.op_type == "AveragePool" && leaves_padding_out(node)) return false;
  }
  return is_a(node.op_type, kinds::dla);
}

bool has_any_dla_layer(const RuleContext& context) {
  return std::ranges::any_of(context.nodes(),
                             [&](NodeId id) { return is_float_layer(context, id) && has_dla_layer(context, id); });
}

}  // namespace trtcheck::rules
