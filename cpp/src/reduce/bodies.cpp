// Bodies of If, Loop and Scan, and functions: what lies in them becomes the model, or is taken out of them.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/graphs.hpp"
#include "reduce/search.hpp"
#include "subgraph/declared.hpp"

namespace trtcheck::reducing {
namespace {

edit::TypeValue type_of(const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  const bool is_tensor = shape.kind == ValueShape::Kind::tensor && shape.type != DataType::undefined;
  return is_tensor ? subgraph::inferred_type(shapes, id, shape.type) : edit::TypeValue{.type = DataType::float32};
}

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

/// Makes the edits by which a body or a call becomes the model.
class Lift {
 public:
  Lift(const Model& model, const Shapes& shapes, GraphId from) : model_(&model), shapes_(&shapes), from_(from) {}

  std::optional<std::vector<edit::Edit>> edits() && {
    const Graph& graph = model_->graph(from_);
    if (graph.node_count == 0) return std::nullopt;
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      if (!insert(NodeId{graph.first_node.index + i})) return std::nullopt;
    }
    clear_main();
    add_interface();
    import_opsets();
    return std::move(edits_);
  }

 private:
  void add(edit::Edit edit) { edits_.push_back(std::move(edit)); }
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
        add(edit::AddOutput{{}, name_of(id), type_of(*shapes_, id)});
      }
    }
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
    if (value.graph == kMainGraph) {
      if (!value.initializer && !model_->is_network_input(id)) add(edit::AddInput{{}, name, type_of(*shapes_, id)});
      return;
    }
    if (value.initializer) return add(edit::CopyTensor{edit::place_of(*model_, value.graph), name, {}, name});
    if (const auto given = given_constant(id)) return add(edit::CopyTensor{{}, *given, {}, name});
    add(edit::AddInput{{}, name, type_of(*shapes_, id)});
  }
  /// The weight of the main graph that a call gives for an input of the function.
  [[nodiscard]] std::optional<std::string> given_constant(ValueId id) const {
    if (!is_call()) return std::nullopt;
    const std::span<const ValueId> inputs = model_->graph(from_).inputs;
    const auto at = std::ranges::find(inputs, id);
    if (at == inputs.end()) return std::nullopt;
    const ValueId given =
        model_->node(model_->graph(from_).parent).input(static_cast<std::size_t>(at - inputs.begin()));
    if (!given || model_->value(given).graph != kMainGraph || !model_->value(given).initializer) return std::nullopt;
    return name_of(given);
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
  std::set<ValueId> reads_;
  std::vector<edit::Edit> edits_;
};

bool lift(Trial& trial, GraphId from) {
  auto edits = Lift(trial.model(), trial.shapes(), from).edits();
  if (!edits || !trial.attempt(*edits)) return false;
  trial.tidy();
  return true;
}

/// Graphs that lie in a node of the main graph, those of the finding first.
std::vector<GraphId> inner_graphs(Trial& trial) {
  std::vector<GraphId> found;
  const Model& model = trial.model();
  for (const Finding* finding : trial.goal().all_in(trial.state())) {
    if (finding->node_id && model.node(finding->node_id).graph != kMainGraph)
      found.push_back(model.node(finding->node_id).graph);
  }
  constexpr std::size_t kMost = 64;
  for (std::uint32_t g = 1; g < model.graph_count() && found.size() < kMost; ++g) {
    if (model.graph(GraphId{g}).kind == Graph::Kind::function_definition) continue;
    if (std::ranges::find(found, GraphId{g}) == found.end()) found.push_back(GraphId{g});
  }
  return found;
}

/// A node of a body goes: what others read of it becomes an input of the model, which bodies can read.
bool take_out(Trial& trial, NodeId id) {
  const Model& model = trial.model();
  std::vector<edit::Edit> edits{edit::RemoveNode{edit::place_of(model, id)}};
  for (const ValueId output : model.node(id).outputs) {
    if (!output) continue;
    const Value& value = model.value(output);
    if (value.is_output) return false;
    edits.emplace_back(edit::RemoveDeclaration{edit::place_of(model, value.graph), std::string(value.name)});
    if (!value.users.empty())
      edits.emplace_back(edit::AddInput{{}, std::string(value.name), type_of(trial.shapes(), output)});
  }
  return trial.attempt(edits);
}

/// Nodes of bodies in the main graph, the last ones first.
bool take_out_of_bodies(Trial& trial) {
  bool is_smaller = false;
  for (std::uint32_t i = static_cast<std::uint32_t>(trial.model().node_count()); i-- > 0;) {
    const Model& model = trial.model();
    if (i >= model.node_count()) continue;
    const GraphId graph = model.node(NodeId{i}).graph;
    if (graph != kMainGraph && is_of_main_graph(model, graph)) is_smaller |= take_out(trial, NodeId{i});
  }
  return is_smaller;
}

}  // namespace

bool take_bodies(Trial& trial) {
  for (const GraphId graph : inner_graphs(trial)) {
    if (lift(trial, graph)) return true;
  }
  if (!take_out_of_bodies(trial)) return false;
  trial.tidy();
  return true;
}

}  // namespace trtcheck::reducing
