#include "view/operand_types.hpp"

#include <algorithm>
#include <iterator>

#include "target/network_types.hpp"

namespace trtcheck {

std::string_view operand_type(const ModelView& view, ValueId id) {
  constexpr std::string_view kJudged[] = {"FP32", "FP16", "BF16", "INT32", "INT64", "BOOL", "INT8"};
  const ValueShape& shape = view.shape(id);
  if (shape.kind != ValueShape::Kind::tensor || shape.type_assumed) return {};
  if (shape.type == DataType::uint8 && view.parser.is_constant(id) == Truth::yes) return "INT32";
  const auto* const judged = std::ranges::find(kJudged, network_type_name(shape.type, view.release));
  return judged == std::end(kJudged) ? std::string_view{} : *judged;
}

namespace {

/// Mostly all operands are of the same type.
bool is_uniform(const ModelView& view, const Node& node) {
  DataType type = DataType::undefined;
  for (const ValueId input : node.inputs) {
    if (!input) continue;
    const DataType other = view.shape(input).type;
    if (type != DataType::undefined && other != type) return false;
    type = other;
  }
  return true;
}

}  // namespace

std::optional<MixedPair> mixed_pair(const ModelView& view, NodeId id) {
  const schema::SchemaFacts* schema = view.operators.schema(id);
  if (schema == nullptr) return std::nullopt;
  const Node& node = view.model.node(id);
  if (is_uniform(view, node)) return std::nullopt;
  for (std::size_t first = 0; first < schema->inputs.size() && first < node.inputs.size(); ++first) {
    if (schema->inputs[first].like != first) continue;
    MixedPair pair;
    std::string_view type;
    for (std::size_t i = first; i < node.inputs.size(); ++i) {
      const schema::InputFacts* input = schema->input(i);
      if (input == nullptr || input->like != first || !node.inputs[i]) continue;
      const std::string_view other = operand_type(view, node.inputs[i]);
      if (other.empty()) continue;
      if (!pair.first) {
        pair.first = node.inputs[i];
        type = other;
      }
      if (other != type && !pair.other) pair.other = node.inputs[i];
      pair.group.push_back(node.inputs[i]);
    }
    if (pair.other) return pair;
  }
  return std::nullopt;
}

}  // namespace trtcheck
