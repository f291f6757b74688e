// MatMulInteger, ConvInteger and DynamicQuantizeLinear in FLOAT: the same whole numbers, kept in FLOAT, as long as sums
// stay below 2^24.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::integer_product_in_float {
namespace {

bool is_integer_product(const Draft& draft, NodeId node) {
  return is_onnx_op(draft, node, "MatMulInteger") || is_onnx_op(draft, node, "ConvInteger");
}

std::string scalar(Draft& draft, double value) { return draft.scalar(value, DataType::float32); }

bool are_zeros(Draft& draft, ValueId id) {
  if (!id) return true;
  const auto numbers = draft.ints(id);
  return numbers && std::ranges::all_of(*numbers, [](std::int64_t number) { return number == 0; });
}

/// Codes minus zero point, in FLOAT. Nothing: it is computed in another way.
std::optional<std::string> centered(Draft& draft, ValueId codes, ValueId zero, bool is_weight) {
  const auto type = draft.type(codes);
  if (type != DataType::int8 && type != DataType::uint8) return std::nullopt;
  if (type == DataType::int8 && are_zeros(draft, zero) && draft.model().constant(codes)) {
    const std::string zeros = draft.constant(constant_of(DataType::int8, {}, std::vector<std::int64_t>{0}));
    return draft.op("DequantizeLinear", {name_of(draft, codes), scalar(draft, 1), zeros});
  }
  const auto numbers = draft.contents(codes);
  if (!numbers && !is_weight) {
    // Their difference from the zero point is what DequantizeLinear gives for a scale of 1.
    const NodeId before = producer(draft, codes);
    const bool is_known =
        is_onnx_op(draft, before, "QuantizeLinear") ||
        (before && draft.model().node(before).domain().empty() && moves_elements(draft.model().node(before).op_type));
    if (!is_known) return std::nullopt;
    Draft::Inputs inputs{name_of(draft, codes), scalar(draft, 1)};
    if (zero) inputs.push_back(name_of(draft, zero));
    return draft.op("DequantizeLinear", std::move(inputs));
  }
  const auto whole = numbers ? whole_numbers(*numbers) : std::nullopt;
  const auto zeros = zero ? draft.ints(zero) : std::optional(std::vector<std::int64_t>{0});
  if (!whole || !zeros || zeros->empty()) return std::nullopt;
  const auto columns = static_cast<std::int64_t>(zeros->size());
  if (columns != 1 && (numbers->dims.empty() || numbers->dims.back() != columns)) return std::nullopt;
  std::vector<double> made;
  for (std::size_t i = 0; i < whole->size(); ++i) {
    made.push_back(static_cast<double>((*whole)[i] - (*zeros)[i % zeros->size()]));
  }
  return draft.constant(constant_of(DataType::float32, numbers->dims, made), "weights");
}

/// The product of a node in the place of the node.
bool write_product(Draft& draft, NodeId id, const std::string& data) {
  const Node& node = draft.model().node(id);
  // Several zero points of ConvInteger's weights are along axis 0.
  if (node.op_type == "ConvInteger" && !are_zeros(draft, node.input(3)) && draft.sizes(node.input(3)) &&
      !draft.sizes(node.input(3))->empty()) {
    return false;
  }
  const auto weights = centered(draft, node.input(1), node.input(3), true);
  if (!weights) return draft.refuse("the weights are not constant");
  const edit::NodeAt place = edit::place_of(draft.model(), id);
  const std::string output = name_of(draft, node.output(0));
  const std::string made = draft.fresh(output + "/float");
  edit::NewNode product{.op_type = node.op_type == "ConvInteger" ? "Conv" : "MatMul",
                        .inputs = {data, *weights},
                        .outputs = {made},
                        .attributes = {},
                        .name = {},
                        .domain = {},
                        .like = place};
  draft.add(edit::InsertNode{place.graph, place.position, std::move(product)});
  draft.add(edit::InsertNode{place.graph,
                             place.position,
                             {.op_type = "Cast",
                              .inputs = {made},
                              .outputs = {output},
                              .attributes = {{"to", static_cast<std::int64_t>(DataType::int32)}}}});
  draft.remove_node(id);
  if (draft.type(node.input(1)) == DataType::uint8) drop_stored(draft, node.input(1));
  drop_stored(draft, node.input(3));
  return true;
}

/// All readers of codes and zero point are products that take both.
std::optional<std::vector<NodeId>> products(const Draft& draft) {
  const Value& codes = draft.model().value(draft.node().output(0));
  const Value& zero = draft.model().value(draft.node().output(2));
  if (codes.is_output || zero.is_output) return std::nullopt;
  std::vector<NodeId> nodes;
  for (const Use& use : codes.users) {
    const Node& reader = draft.model().node(use.node);
    if (use.input != 0 || !is_integer_product(draft, use.node) || reader.input(2) != draft.node().output(2) ||
        reader.graph != draft.node().graph) {
      return std::nullopt;
    }
    nodes.push_back(use.node);
  }
  const bool is_only_theirs = std::ranges::all_of(
      zero.users, [&](const Use& use) { return use.input == 2 && std::ranges::find(nodes, use.node) != nodes.end(); });
  return is_only_theirs ? std::optional(std::move(nodes)) : std::nullopt;
}

/// Scale and zero point as ONNX defines them. @returns codes minus zero point
std::string quantize(Draft& draft) {
  const std::string x = draft.in(0);
  const std::string zero = scalar(draft, 0), most = scalar(draft, 255);
  const auto extreme = [&](std::string_view op) { return draft.op(op, {x}, {{"keepdims", std::int64_t{0}}}); };
  const std::string high = draft.op("Max", {extreme("ReduceMax"), zero});
  const std::string low = draft.op("Min", {extreme("ReduceMin"), zero});
  const std::string step = draft.op("Div", {draft.op("Sub", {high, low}), most});
  const std::string is_flat = draft.op("Equal", {high, low});
  const std::string scale = draft.out(1).empty() ? draft.fresh(x + "/scale") : draft.out(1);
  draft.op_to({scale}, "Where", {is_flat, scalar(draft, 1), step});
  const auto within = [&](const std::string& value) { return draft.op("Clip", {value, zero, most}); };
  const std::string middle = draft.op("Round", {within(draft.op("Div", {draft.op("Sub", {zero, low}), scale}))});
  const std::string codes = within(draft.op("Add", {draft.op("Round", {draft.op("Div", {x, scale})}), middle}));
  return draft.op("Sub", {codes, middle});
}

bool write_dynamic(Draft& draft) {
  constexpr std::int64_t kComparesFloats = 13;
  if (draft.opset() < kComparesFloats) return draft.refuse("opset 13 is needed");
  const auto nodes = products(draft);
  if (!nodes) return draft.refuse("the codes are read by other nodes than MatMulInteger and ConvInteger");
  const std::string data = quantize(draft);
  for (const NodeId node : *nodes) {
    if (!write_product(draft, node, data)) return false;
  }
  draft.remove();
  draft.title("quantize in FLOAT, and multiply whole numbers in FLOAT");
  return true;
}

bool make(Draft& draft, const Finding&) {
  if (draft.node().op_type == "DynamicQuantizeLinear") return write_dynamic(draft);
  const ValueId codes = draft.node().input(0);
  if (is_onnx_op(draft, producer(draft, codes), "DynamicQuantizeLinear")) {
    return draft.refuse("its DynamicQuantizeLinear stays");
  }
  const auto data = centered(draft, codes, draft.node().input(2), false);
  if (!data) return draft.refuse("the codes are neither constant nor made by QuantizeLinear, nor moved from there");
  if (!write_product(draft, draft.id(), *data)) return false;
  draft.title("multiply whole numbers in FLOAT");
  return true;
}

constexpr std::string_view kFindings[] = {"OPS101"};
constexpr std::string_view kOps[] = {"ConvInteger", "DynamicQuantizeLinear", "MatMulInteger"};

}  // namespace

extern constinit const Cure cure{
    .name = "integer-product-in-float",
    .kind = CureClass::rounding,
    .summary = "MatMulInteger, ConvInteger and DynamicQuantizeLinear are computed with whole numbers in FLOAT",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::integer_product_in_float
