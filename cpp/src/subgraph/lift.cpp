#include "subgraph/lift.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "model/graphs.hpp"
#include "subgraph/declared.hpp"

namespace trtcheck::subgraph {
namespace {

/// What a call gave an attribute of a function; nothing: it is of a kind that is not written anew.
std::optional<edit::AttributeValue> value_of(const Attribute& attribute) {
  edit::AttributeValue made{.name = std::string(attribute.name), .value = std::int64_t{0}};
  switch (attribute.type) {
    case AttributeType::float_:
      made.value = attribute.f();
      return made;
    case AttributeType::int_:
      made.value = attribute.i();
      return made;
    case AttributeType::string:
      made.value = std::string(attribute.s());
      return made;
    case AttributeType::floats:
      made.value = std::vector<float>(attribute.floats().begin(), attribute.floats().end());
      return made;
    case AttributeType::ints:
      made.value = std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
      return made;
    case AttributeType::strings:
      made.value = std::vector<std::string>(attribute.strings().begin(), attribute.strings().end());
      return made;
    default:
      return std::nullopt;
  }
}

class Lift {
 public:
  Lift(const Model& model, const Shapes& shapes, GraphId from, OuterWeights weights)
      : model_(&model), shapes_(&shapes), from_(from), weights_(weights) {}

  std::optional<Lifted> run() && {
    const Graph& graph = model_->graph(from_);
    if (graph.node_count == 0) return std::nullopt;
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      if (!insert(NodeId{graph.first_node.index + i})) return std::nullopt;
    }
    clear_main();
    add_interface();
    import_opsets();
    if (is_call() && has_name_of_weight()) return std::nullopt;
    return std::move(made_);
  }

 private:
  void add(edit::Edit edit) { made_.edits.push_back(std::move(edit)); }
  [[nodiscard]] std::string name_of(ValueId id) const { return id ? std::string(model_->value(id).name) : ""; }
  [[nodiscard]] bool is_call() const { return model_->graph(from_).kind == Graph::Kind::function_call; }

  bool insert(NodeId id) {
    const Node& node = model_->node(id);
    edit::NewNode made{
        .op_type = std::string(node.op_type), .name = std::string(node.name), .domain = std::string(node.domain())};
    for (const ValueId input : node.inputs) {
      made.inputs.push_back(name_of(input));
      if (input) reads_.insert(input);
    }
    for (const ValueId output : node.outputs) made.outputs.push_back(name_of(output));
    if (!is_call()) {
      made.like = edit::place_of(*model_, id);
    } else {
      for (const Attribute& attribute : node.attributes()) {
        auto value = value_of(attribute);
        if (!value) return false;
        made.attributes.push_back(std::move(*value));
      }
    }
    // What bodies inside of it read of graphs around them.
    for (const Attribute& attribute : node.attributes()) {
      if (attribute.g()) read_body(attribute.g());
      for (const GraphId body : attribute.graphs()) read_body(body);
    }
    add(edit::InsertNode{{}, model_->graph().node_count, std::move(made)});
    return true;
  }
  // As deep as graphs are nested, which the reader limits.
  void read_body(GraphId id) {
    const Graph& graph = model_->graph(id);
    for (const ValueId output : graph.outputs) reads_.insert(output);
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const Node& node = model_->node(NodeId{graph.first_node.index + i});
      for (const ValueId input : node.inputs) {
        if (input) reads_.insert(input);
      }
      for (const Attribute& attribute : node.attributes()) {
        if (attribute.g()) read_body(attribute.g());
        for (const GraphId body : attribute.graphs()) read_body(body);
      }
    }
  }

  void clear_main() {
    const Graph& main = model_->graph();
    for (std::uint32_t i = 0; i < main.node_count; ++i) {
      add(edit::RemoveNode{edit::place_of(*model_, NodeId{main.first_node.index + i})});
    }
    std::set<std::string> done;
    for (const ValueId id : main.outputs) {
      if (id && done.insert(name_of(id)).second) add(edit::RemoveOutput{{}, name_of(id)});
    }
    done.clear();
    for (const ValueId id : main.inputs) {
      if (!reads_.contains(id) && done.insert(name_of(id)).second) add(edit::RemoveInput{{}, name_of(id)});
    }
    for (const ValueId id : main.declared) add(edit::RemoveDeclaration{{}, name_of(id)});
  }

  void add_interface() {
    const Graph& graph = model_->graph(from_);
    std::set<ValueId> made;
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      for (const ValueId output : model_->node(NodeId{graph.first_node.index + i}).outputs) made.insert(output);
    }
    for (const ValueId id : reads_) {
      const Value& value = model_->value(id);
      if (made.contains(id) || is_inside(value.graph)) continue;
      feed(id, value);
    }
    std::set<std::string> outputs;
    for (const ValueId id : graph.outputs) {
      if (made.contains(id) && outputs.insert(name_of(id)).second) {
        add(edit::AddOutput{{}, name_of(id), type_or_float(*shapes_, id)});
      }
    }
  }
  /// Weights of the main graph stay where they are, and names of a function are its own.
  [[nodiscard]] bool has_name_of_weight() const {
    std::set<std::string_view> weights;
    for (const TensorId id : model_->graph().initializers) weights.insert(model_->tensor(id).name);
    const auto is_taken = [&](ValueId id) {
      return id && model_->value(id).graph != kMainGraph && weights.contains(model_->value(id).name) &&
             !same_.contains(name_of(id));
    };
    const Graph& graph = model_->graph(from_);
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      if (std::ranges::any_of(model_->node(NodeId{graph.first_node.index + i}).outputs, is_taken)) return true;
    }
    return std::ranges::any_of(reads_, is_taken);
  }
  /// It is of a body within: it comes with its node.
  [[nodiscard]] bool is_inside(GraphId id) const {
    while (const NodeId parent = model_->graph(id).parent) {
      id = model_->node(parent).graph;
      if (id == from_) return true;
    }
    return false;
  }

  /// A value from outside: a weight is taken along, all else becomes an input.
  void feed(ValueId id, const Value& value) {
    const std::string name(value.name);
    const bool is_own = value.graph == from_;
    if (value.initializer && (is_own || weights_ == OuterWeights::kept)) {
      if (value.graph == kMainGraph) return;
      return add(edit::CopyTensor{edit::place_of(*model_, value.graph), name, {}, name});
    }
    if (const auto given = given_constant(id)) {
      // The parameter may be called as the weight is.
      if (*given == name) same_.insert(name);
      if (*given != name) add(edit::CopyTensor{{}, *given, {}, name});
      return;
    }
    if (weights_ == OuterWeights::kept && copy_constant(value)) return;
    made_.inputs.push_back(id);
    if (value.graph == kMainGraph) {
      if (value.initializer) add(edit::RemoveTensor{{}, name});
      if (value.is_input) return;
    }
    add(edit::AddInput{{}, name, type_or_float(*shapes_, id)});
  }
  /// A Constant node of a graph around it is a weight, too.
  bool copy_constant(const Value& value) {
    if (!value.producer || is_call()) return false;
    const Node& node = model_->node(value.producer);
    if (node.op_type != "Constant" || !node.domain().empty()) return false;
    edit::NewNode made{.op_type = "Constant", .outputs = {std::string(value.name)}, .name = std::string(node.name)};
    made.like = edit::place_of(*model_, value.producer);
    add(edit::InsertNode{{}, 0, std::move(made)});
    return true;
  }
  /// The weight of the main graph that a call gives for an input of the function, be it through calls around it.
  [[nodiscard]] std::optional<std::string> given_constant(ValueId id) const {
    GraphId call = from_;
    while (model_->graph(call).kind == Graph::Kind::function_call) {
      const std::span<const ValueId> inputs = model_->graph(call).inputs;
      const auto at = std::ranges::find(inputs, id);
      if (at == inputs.end()) return std::nullopt;
      id = model_->node(model_->graph(call).parent).input(static_cast<std::size_t>(at - inputs.begin()));
      if (!id) return std::nullopt;
      call = model_->value(id).graph;
    }
    const Value& given = model_->value(id);
    if (!is_call() || given.graph != kMainGraph || !given.initializer) return std::nullopt;
    return name_of(id);
  }

  void import_opsets() {
    const edit::GraphAt place = edit::place_of(*model_, from_);
    if (!place.function) return;
    for (const OpsetImport& import : model_->functions()[*place.function].opset_imports) {
      add(edit::ImportOpset{std::nullopt, std::string(import.domain), import.version});
    }
  }

  const Model* model_;
  const Shapes* shapes_;
  GraphId from_;
  OuterWeights weights_;
  std::set<ValueId> reads_;
  std::set<std::string> same_;  ///< parameters that are called as the weights that they are given
  Lifted made_;
};

}  // namespace

std::optional<Lifted> lifted(const Model& model, const Shapes& shapes, GraphId from, OuterWeights weights) {
  return Lift(model, shapes, from, weights).run();
}

}  // namespace trtcheck::subgraph
