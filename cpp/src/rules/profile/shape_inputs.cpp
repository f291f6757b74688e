#include "rules/profile/shape_inputs.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/walk.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules {
namespace {

/// An operand whose elements are sizes of the result.
struct ShapeOperand {
  std::string_view op_type;
  std::size_t input;
};
constexpr std::array kShapeOperands = {ShapeOperand{"Reshape", 1}, ShapeOperand{"Expand", 1}, ShapeOperand{"Tile", 1},
                                       ShapeOperand{"ConstantOfShape", 0}, ShapeOperand{"Resize", 3}};
/// Values behind an input that are looked at.
constexpr std::size_t kMostValues = 256;

bool has_sizes(const ValueShape& shape) {
  const bool is_integer = shape.type == DataType::int32 || shape.type == DataType::int64;
  return is_integer && shape.has_rank && shape.rank() <= 1;
}

/// The first node that takes what the input holds as sizes; none: no such node.
NodeId taken_as_sizes(const Model& model, const Shapes& shapes, ValueId input) {
  NodeId taker;
  walk<kMostValues>(input, [&](ValueId id, auto& onward) {
    for (const Use& use : model.value(id).users) {
      const Node& node = model.node(use.node);
      const auto takes = [&](const ShapeOperand& operand) {
        return operand.op_type == node.op_type && operand.input == use.input;
      };
      if (std::ranges::any_of(kShapeOperands, takes)) {
        taker = use.node;
        return true;
      }
      const ValueId made = node.output(0);
      if (made && is_a(node.op_type, kinds::hands_sizes_on) && has_sizes(shapes[made])) onward.add(made);
    }
    return false;
  });
  return taker;
}

}  // namespace

std::vector<ShapeInput> shape_inputs(const Model& model, const Shapes& shapes) {
  std::vector<ShapeInput> found;
  for (const ValueId input : model.graph().inputs) {
    if (!model.is_network_input(input) || !has_sizes(shapes[input])) continue;
    if (const NodeId taker = taken_as_sizes(model, shapes, input)) found.push_back({input, taker});
  }
  return found;
}

}  // namespace trtcheck::rules
