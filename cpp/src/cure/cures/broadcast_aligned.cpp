// Operators of opsets before 7, whose second operand is laid along an axis that an attribute names: the operand gets
// the axes that it lacks, and the model imports opset 7, which reads nothing else in another way.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::broadcast_aligned {
namespace {

constexpr std::int64_t kOpset = 7;
constexpr std::string_view kBroadcasts[] = {"Add", "And", "Div",   "Equal", "Greater", "Less",
                                            "Mul", "Or",  "PRelu", "Pow",   "Sub",     "Xor"};

bool is_broadcast(const Node& node) { return std::ranges::find(kBroadcasts, node.op_type) != std::end(kBroadcasts); }

/// The operators that opset 7 only made broadcast more.
bool is_wider_only(std::string_view op) { return op == "Max" || op == "Min" || op == "Mean" || op == "Sum"; }

bool is_read_alike(const Node& node, std::int64_t opset) {
  if (!node.domain().empty()) return true;
  const auto* old = schema::schema_facts("", node.op_type, opset);
  const auto* now = schema::schema_facts("", node.op_type, kOpset);
  return (old != nullptr && old == now) || is_broadcast(node) || is_wider_only(node.op_type);
}

std::optional<std::vector<std::int64_t>> missing_axes(const Draft& draft, const Node& node) {
  const Attribute* axis = node.attribute("axis");
  const auto rank = draft.rank(node.input(0));
  const auto of_second = draft.rank(node.input(1));
  std::vector<std::int64_t> axes;
  if (axis == nullptr || axis->type != AttributeType::int_) return axes;
  if (!rank || !of_second) return std::nullopt;
  const auto first = axis->i() < 0 ? axis->i() + static_cast<std::int64_t>(*rank) : axis->i();
  auto next = static_cast<std::int64_t>(*of_second);
  for (std::int64_t i = first + next; i < static_cast<std::int64_t>(*rank); ++i) axes.push_back(next++);
  return axes;
}

bool align(Draft& at) {
  const auto axes = missing_axes(at, at.node());
  if (!axes) return false;
  at.drop_attribute("axis");
  at.drop_attribute("broadcast");
  if (!axes->empty()) at.set_input(1, at.op("Unsqueeze", {at.in(1)}, {{"axes", *axes}}));
  return true;
}

bool make(Draft& draft, const Finding&) {
  const Model& model = draft.model();
  if (draft.opset() >= kOpset || draft.opset() == 0) return false;
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Node& node = model.node(NodeId{i});
    if (!model.functions().empty() || !is_read_alike(node, draft.opset())) {
      return draft.refuse(fmt::format("opset 7 has another {}", node.op_type));
    }
    if (!is_broadcast(node)) continue;
    Draft at = draft.at(NodeId{i});
    if (!align(at)) return draft.refuse("the ranks of the operands are not known");
    draft.join(at);
  }
  draft.add(edit::ImportOpset{.function = std::nullopt, .domain = "", .version = kOpset});
  draft.title("give operands the axes that they lack, and import opset 7");
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401:broadcast-before-opset-7"};

}  // namespace

extern constinit const Cure cure{
    .name = "broadcast-aligned",
    .kind = CureClass::proven,
    .summary = "operands that opsets before 7 lay along an axis get the axes that they lack, and opset 7 is imported",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::broadcast_aligned
