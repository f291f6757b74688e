#include "rules/control/iterations.hpp"

#include <algorithm>

#include "model/attributes.hpp"
#include "model/walk.hpp"

namespace trtcheck::rules {
namespace {

// Loops that are nested deeper are not told apart.
constexpr std::size_t kMostLoops = 63;

class Walk {
 public:
  Walk(const RuleContext& context, const std::function<void(NodeId, Loops, const Surroundings&)>& visit)
      : context_(context), model_(context.model()), visit_(visit), depends_(model_.value_count()) {}

  /// Returns the loops on which anything that is read in the graph depends.
  Loops run(GraphId id, Surroundings where) {
    where.graph = id;
    Loops all = 0;
    for (const NodeId node : model_.graph(id).order) {
      const Loops depends = enter(node, where);
      all |= depends;
      visit_(node, depends, where);
    }
    for (const ValueId output : model_.graph(id).outputs) all |= of(output);
    return all;
  }

 private:
  /// The node's own bodies first. Sets what its outputs depend on.
  Loops enter(NodeId id, const Surroundings& where) {
    const Node& node = model_.node(id);
    if (node.call()) return call(node, where);
    Loops depends = 0;
    for (const ValueId input : node.inputs) depends |= of(input);
    const GraphId taken = context_.shapes().taken_branch(id);
    for (const Attribute& attribute : node.attributes()) {
      if (attribute.type != AttributeType::graph || !attribute.g() || (taken && attribute.g() != taken)) continue;
      Surroundings inner = where;
      if (!is_loop(node)) {
        inner.branch_of = taken ? NodeId{} : id;
        depends |= run(attribute.g(), inner);
        continue;
      }
      const Loops bit = Loops{1} << std::min(where.loops, kMostLoops);
      enter_loop(node, attribute.g(), bit);
      depends |= run(attribute.g(), {.graph = {}, .loop = id, .loops = where.loops + 1, .branch_of = {}}) & ~bit;
    }
    for (const ValueId output : node.outputs) set(output, depends);
    return depends;
  }

  /// A value that the body hands on as it is stays what it was before the loop.
  void enter_loop(const Node& node, GraphId body, Loops bit) {
    const Graph& graph = model_.graph(body);
    const bool is_scan = node.op_type == "Scan";
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      const std::size_t output = is_scan ? i : i - 1;  // of Loop: the condition, then what is carried
      const bool is_kept = (is_scan || i > 0) && output < graph.outputs.size() &&
                           passed_on(model_, graph.outputs[output]) == graph.inputs[i];
      set(graph.inputs[i], is_kept ? of(node.input(i)) : bit);
    }
  }

  Loops call(const Node& node, const Surroundings& where) {
    const Graph& body = model_.graph(node.call());
    for (std::size_t i = 0; i < body.inputs.size(); ++i) set(body.inputs[i], of(node.input(i)));
    const Loops depends = run(node.call(), where);
    for (std::size_t i = 0; i < std::min(body.outputs.size(), node.outputs.size()); ++i) {
      set(node.outputs[i], of(body.outputs[i]));
    }
    return depends;
  }

  void set(ValueId id, Loops depends) {
    if (id) depends_[id.index] = depends;
  }
  [[nodiscard]] Loops of(ValueId id) const { return id ? depends_[id.index] : 0; }

  const RuleContext& context_;
  const Model& model_;
  const std::function<void(NodeId, Loops, const Surroundings&)>& visit_;
  std::vector<Loops> depends_;  ///< by value
};

}  // namespace

CarriedValues carried_values(const Node& node) {
  if (node.op_type == "Loop") return {2, 1, node.inputs.size() - std::min<std::size_t>(node.inputs.size(), 2)};
  const auto scanned = std::max<std::int64_t>(0, int_attribute(node, "num_scan_inputs", 0));
  return {0, 0, node.inputs.size() - std::min(node.inputs.size(), static_cast<std::size_t>(scanned))};
}

void walk_iterations(const RuleContext& context,
                     const std::function<void(NodeId, Loops depends, const Surroundings& where)>& visit) {
  Walk(context, visit).run(GraphId{0}, {});
}

}  // namespace trtcheck::rules
