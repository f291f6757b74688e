#include "view/unused.hpp"

#include <algorithm>
#include <cstdint>

namespace trtcheck {
namespace {

/// Nothing reads it but what is dead.
bool is_read_by_nothing(const Value& value) { return value.users.empty() && !value.is_output; }

bool has_only_unread_outputs(const Model& model, const Node& node) {
  bool has_one = false;
  for (const ValueId id : node.outputs) {
    if (!id) continue;
    if (!is_read_by_nothing(model.value(id))) return false;
    has_one = true;
  }
  return has_one;
}

/// Calls are copies of a definition.
bool is_in_a_call(const Model& model, GraphId id) {
  for (; id; id = model.node(model.graph(id).parent).graph) {
    const Graph& graph = model.graph(id);
    if (graph.kind == Graph::Kind::function_call) return true;
    if (!graph.parent) return false;
  }
  return false;
}

/// Takes nodes out whose outputs nothing reads, then those that only they read.
class Sweep {
 public:
  explicit Sweep(const Model& model) : model_(model), is_dead_(model.node_count()), reads_(model.value_count()) {
    for (std::uint32_t v = 0; v < reads_.size(); ++v) {
      reads_[v] = static_cast<std::uint32_t>(model.value(ValueId{v}).users.size());
    }
    for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
      const Graph& graph = model.graph(GraphId{g});
      if (graph.kind == Graph::Kind::body && graph.parent) bodies_.push_back({graph.parent, GraphId{g}});
    }
    std::ranges::sort(bodies_, {}, &Body::node);
  }

  void run(const std::vector<NodeId>& first) {
    for (const NodeId id : first) kill(id);
    while (!waiting_.empty()) {
      const NodeId id = waiting_.back();
      waiting_.pop_back();
      leave(id);
    }
  }
  [[nodiscard]] bool is_dead(NodeId id) const { return is_dead_[id.index]; }
  [[nodiscard]] bool is_dead(ValueId id) const { return reads_[id.index] == 0 && !model_.value(id).is_output; }

 private:
  struct Body {
    NodeId node;
    GraphId graph;
  };

  void kill(NodeId id) {
    if (is_dead_[id.index]) return;
    is_dead_[id.index] = true;
    waiting_.push_back(id);
  }

  /// Its inputs have a reader less, and those of the nodes in its bodies.
  void leave(NodeId id) {
    for (const ValueId input : model_.node(id).inputs) {
      if (!input || --reads_[input.index] > 0 || model_.value(input).is_output) continue;
      const NodeId producer = model_.value(input).producer;
      const auto outputs = producer ? model_.node(producer).outputs : std::span<const ValueId>();
      if (producer && std::ranges::all_of(outputs, [&](ValueId output) { return !output || is_dead(output); })) {
        kill(producer);
      }
    }
    for (const Body& body : std::ranges::equal_range(bodies_, id, {}, &Body::node)) {
      for (const NodeId inner : model_.graph(body.graph).order) kill(inner);
    }
  }

  const Model& model_;
  std::vector<bool> is_dead_;
  std::vector<std::uint32_t> reads_;  ///< by value: readers that are left
  std::vector<Body> bodies_;
  std::vector<NodeId> waiting_;
};

void add_values(Unused& out, const Model& model, const Sweep* sweep) {
  for (std::uint32_t v = 0, end = static_cast<std::uint32_t>(model.value_count()); v < end; ++v) {
    const ValueId id{v};
    const Value& value = model.value(id);
    if (!value.initializer && !value.is_input) continue;
    if (sweep != nullptr ? !sweep->is_dead(id) : !is_read_by_nothing(value)) continue;
    if (is_in_a_call(model, value.graph)) continue;
    const bool is_fed = value.is_input && model.graph(value.graph).kind == Graph::Kind::main && !value.initializer;
    if (is_fed) out.inputs.push_back(id);
    if (value.initializer && model.constant(id)) out.initializers.push_back(id);
  }
}

void add_nodes(Unused& out, const Model& model, const Sweep& sweep) {
  for (std::uint32_t n = 0, end = static_cast<std::uint32_t>(model.node_count()); n < end; ++n) {
    const NodeId id{n};
    const Node& node = model.node(id);
    if (!sweep.is_dead(id) || is_in_a_call(model, node.graph)) continue;
    const NodeId owner = model.graph(node.graph).parent;
    if (!owner || !sweep.is_dead(owner)) out.nodes.push_back(id);
  }
}

/// Of a node in a call or in main: what it calls counts. Of one in a definition: when that one is called.
class Calls {
 public:
  explicit Calls(const Model& model) : model_(model), is_called_(model.functions().size()) {}

  std::vector<std::size_t> uncalled() {
    for (std::uint32_t n = 0; n < model_.node_count(); ++n) {
      if (!definition_of(model_.node(NodeId{n}).graph)) follow(model_.node(NodeId{n}));
    }
    while (!waiting_.empty()) {
      const GraphId definition = model_.functions()[waiting_.back()].definition;
      waiting_.pop_back();
      for (std::uint32_t n = 0; n < model_.node_count(); ++n) {
        const Node& node = model_.node(NodeId{n});
        if (definition_of(node.graph) == definition) follow(node);
      }
    }
    std::vector<std::size_t> out;
    for (std::size_t f = 0; f < is_called_.size(); ++f) {
      if (!is_called_[f]) out.push_back(f);
    }
    return out;
  }

 private:
  /// The definition that a graph is in; none: it is in none.
  [[nodiscard]] GraphId definition_of(GraphId id) const {
    while (model_.graph(id).parent) id = model_.node(model_.graph(id).parent).graph;
    return model_.graph(id).kind == Graph::Kind::function_definition ? id : GraphId{};
  }

  void follow(const Node& node) {
    for (std::size_t f = 0; f < is_called_.size(); ++f) {
      const Function& function = model_.functions()[f];
      // TensorRT's parser goes by the name alone.
      if (is_called_[f] || function.name != node.op_type) continue;
      is_called_[f] = true;
      waiting_.push_back(f);
    }
  }

  const Model& model_;
  std::vector<bool> is_called_;
  std::vector<std::size_t> waiting_;
};

}  // namespace

Unused unused(const Model& model) {
  Unused out;
  if (model.graph().outputs.empty()) return out;  // nothing is used then, and that is another finding
  std::vector<NodeId> first;
  for (std::uint32_t v = 0, end = static_cast<std::uint32_t>(model.value_count()); v < end; ++v) {
    const Value& value = model.value(ValueId{v});
    if (!is_read_by_nothing(value) || !value.producer) continue;
    if (has_only_unread_outputs(model, model.node(value.producer))) first.push_back(value.producer);
  }
  if (first.empty()) {
    add_values(out, model, nullptr);
  } else {
    Sweep sweep(model);
    sweep.run(first);
    add_nodes(out, model, sweep);
    add_values(out, model, &sweep);
  }
  if (!model.functions().empty()) out.functions = Calls(model).uncalled();
  return out;
}

}  // namespace trtcheck
