#include "view/parser_view.hpp"

#include <algorithm>

#include "schema/kinds.hpp"
#include "target/network_types.hpp"

namespace trtcheck {

ValueId ParserView::argument(ValueId id) const {
  while (id) {
    const Value& value = model_->value(id);
    const Graph& graph = model_->graph(value.graph);
    if (graph.kind != Graph::Kind::function_call || !value.is_input) break;
    const auto parameter = std::ranges::find(graph.inputs, id);
    if (parameter == graph.inputs.end()) break;
    id = model_->node(graph.parent).input(static_cast<std::size_t>(parameter - graph.inputs.begin()));
  }
  return id;
}

Truth ParserView::is_constant(ValueId id) const {
  id = argument(id);
  if (model_->constant(id)) return Truth::yes;
  const NodeId producer = model_->value(id).producer;
  if (!producer) return Truth::no;
  const std::string_view op = model_->node(producer).op_type;
  if (op == "Constant") return Truth::yes;
  if (!shapes_->folds_to_constant(id)) return Truth::no;
  return is_a(op, kinds::tensor_of_constants) ? Truth::no : Truth::unknown;
}

std::string_view ParserView::network_type(ValueId id) const {
  const ValueShape& shape = (*shapes_)[id];
  if (shape.kind != ValueShape::Kind::tensor || shape.type_assumed) return {};
  if (shape.type == DataType::uint8 && is_constant(id) != Truth::no) return {};
  return network_type_name(shape.type, *release_);
}

}  // namespace trtcheck
