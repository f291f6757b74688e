#include "simplify/plan.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "edit/names.hpp"
#include "simplify/needed.hpp"

namespace trtcheck::simplifying {
namespace {

edit::TensorValue tensor_of(const Constant& constant) {
  return {.type = constant.type,
          .dims = constant.dims,
          .bytes = std::string(reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size())};
}

edit::InsertNode constant_node(edit::NodeAt before, const std::string& name, const Constant& constant) {
  edit::NewNode node{.op_type = "Constant", .outputs = {name}, .attributes = {{"value", tensor_of(constant)}}};
  return {std::move(before.graph), before.position, std::move(node)};
}

class Planner {
 public:
  Planner(Known& known, bool shortens)
      : model_(&known.model()), decisions_(known, shortens), needed_(*model_, &decisions_), names_(*model_) {}

  Plan plan() && {
    plan_.steps = decisions_.steps();
    const Needed before(*model_, nullptr);
    for (const GraphId graph : decisions_.graphs()) write(graph, before);
    return std::move(plan_);
  }

 private:
  void add(edit::Edit edit) { plan_.edits.push_back(std::move(edit)); }

  [[nodiscard]] edit::GraphAt place_of(GraphId graph) const { return edit::place_of(*model_, graph); }

  void write(GraphId id, const Needed& before) {
    const Graph& graph = model_->graph(id);
    // It goes with the node whose body it is.
    if (graph.parent && !is_kept(graph.parent)) return;
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const NodeId node{graph.first_node.index + i};
      if (is_kept(node)) {
        keep(node);
      } else {
        take(node, before);
      }
    }
    take_tensors(id);
    take_declarations(id);
  }

  [[nodiscard]] bool is_kept(NodeId id) const {
    // Bodies of nodes that go are not looked at, though their nodes may be needed by one another.
    while (id) {
      if (!needed_.node(id)) return false;
      id = model_->graph(model_->node(id).graph).parent;
    }
    return true;
  }

  [[nodiscard]] std::string name_of(ValueId value) const {
    if (!value) return {};
    const std::string_view other = decisions_.new_name(value);
    return std::string(other.empty() ? model_->value(value).name : other);
  }

  void keep(NodeId id) {
    const Node& node = model_->node(id);
    const Decision* decision = decisions_.of(id);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId value = decisions_.reads(id, i);
      if (!value || (value == node.inputs[i] && decisions_.new_name(value).empty())) continue;
      set_input(id, i, name_of(value));
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i] || decisions_.new_name(node.outputs[i]).empty()) continue;
      add(edit::SetOutput{edit::place_of(*model_, id), static_cast<std::uint32_t>(i), name_of(node.outputs[i])});
    }
    if (decision != nullptr) write_decision(id, *decision);
    make_name_unique(id);
  }

  void write_decision(NodeId id, const Decision& decision) {
    if (decision.perm) add(edit::SetAttribute{edit::place_of(*model_, id), {"perm", *decision.perm}});
    bool leaves_out = false;
    for (const Written& written : decision.written) {
      leaves_out = leaves_out || is_left_out(written);
      if (!is_left_out(written)) set_input(id, written.input, made_input(id, written));
      if (!written.dropped.empty()) add(edit::RemoveAttribute{edit::place_of(*model_, id), written.dropped});
    }
    if (leaves_out) leave_out(id, decision);
  }

  static bool is_left_out(const Written& written) { return !written.constant && written.parts.empty(); }

  /// The name of a new constant, or of a Concat before the node.
  std::string made_input(NodeId id, const Written& written) {
    if (written.constant) return stored(id, *written.constant);
    edit::NewNode concat{.op_type = "Concat", .attributes = {{"axis", std::int64_t{0}}}};
    for (const Part& part : written.parts) {
      concat.inputs.push_back(part.value ? name_of(decisions_.values().first(part.value))
                                         : stored(id, vector_of(DataType::int64, part.numbers)));
    }
    std::string name = names_.fresh(fmt::format("{}/target", model_->value(model_->node(id).output(0)).name));
    concat.outputs = {name};
    const edit::NodeAt place = edit::place_of(*model_, id);
    add(edit::InsertNode{place.graph, place.position, std::move(concat)});
    return name;
  }

  /// Inputs at the end are cut, others become "".
  void leave_out(NodeId id, const Decision& decision) {
    std::vector<std::string> inputs;
    for (std::size_t i = 0; i < model_->node(id).inputs.size(); ++i) {
      const auto written = std::ranges::find(decision.written, i, &Written::input);
      if (written == decision.written.end()) {
        inputs.push_back(name_of(decisions_.reads(id, i)));
      } else {
        inputs.push_back(is_left_out(*written) ? std::string() : made_input(id, *written));
      }
    }
    while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
    add(edit::SetInputs{edit::place_of(*model_, id), std::move(inputs)});
  }

  void set_input(NodeId id, std::size_t input, std::string name) {
    add(edit::SetInput{edit::place_of(*model_, id), static_cast<std::uint32_t>(input), std::move(name)});
  }

  /// The name of a new constant in the graph of a node.
  const std::string& stored(NodeId id, const Constant& constant) {
    const Node& node = model_->node(id);
    const GraphId graph = model_->ir_version() < kOwnInitializers ? node.graph : GraphId{0};
    std::string key = fmt::format("{} {} ", graph.index, static_cast<int>(constant.type));
    key.append(reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size());
    const auto [at, is_new] = constants_.try_emplace(std::move(key));
    if (!is_new) return at->second;
    at->second = names_.fresh(fmt::format("{}/sizes", model_->value(node.output(0)).name));
    if (model_->ir_version() < kOwnInitializers) {
      add(constant_node(edit::place_of(*model_, id), at->second, constant));
    } else {
      add(edit::PutTensor{place_of(graph), at->second, tensor_of(constant)});
    }
    return at->second;
  }

  void take(NodeId id, const Needed& before) {
    const Node& node = model_->node(id);
    if (!before.node(id)) {
      plan_.steps.push_back({"unused-removed", id, fmt::format("remove {}: nobody reads it", node.op_type)});
    }
    for (const ValueId output : node.outputs) {
      if (!output || !decisions_.is_stored(output) || !needed_.value(output)) continue;
      const Constant& constant = *decisions_.known().contents(output);
      const std::string name(model_->value(output).name);
      if (decisions_.values().is_pinned(output) || model_->ir_version() < kOwnInitializers) {
        add(constant_node(edit::place_of(*model_, id), name, constant));
      } else {
        add(edit::PutTensor{place_of(node.graph), name, tensor_of(constant)});
      }
    }
    add(edit::RemoveNode{edit::place_of(*model_, id)});
  }

  void take_tensors(GraphId id) {
    for (const ValueId value : decisions_.values().stored_in(id)) {
      const Value& known = model_->value(value);
      if (needed_.value(value) || known.is_input || known.producer || decisions_.values().is_pinned(value)) continue;
      if (model_->tensor(known.initializer).is_sparse) continue;
      if (known.users.empty()) {
        plan_.steps.push_back({"unused-removed", {}, fmt::format("remove constant `{}`: nobody reads it", known.name)});
      }
      add(edit::RemoveTensor{place_of(id), std::string(known.name)});
    }
  }

  /// What the file says of values that are gone.
  void take_declarations(GraphId id) {
    for (const ValueId value : model_->graph(id).declared) {
      const Value& known = model_->value(value);
      const bool is_made = needed_.value(value) || (known.producer && is_kept(known.producer)) || known.is_input;
      const bool is_renamed = !decisions_.new_name(value).empty();
      if ((is_made && !is_renamed) || decisions_.values().is_pinned(value)) continue;
      add(edit::RemoveDeclaration{place_of(id), std::string(known.name)});
    }
  }

  void make_name_unique(NodeId id) {
    const Node& node = model_->node(id);
    if (node.name.empty() || node_names_.insert(std::string(node.name)).second) return;
    std::string name;
    for (int i = 1; name.empty() || !node_names_.insert(name).second; ++i) name = fmt::format("{}_{}", node.name, i);
    add(edit::RenameNode{edit::place_of(*model_, id), name});
    plan_.steps.push_back({"node-renamed", id, fmt::format("name it `{}`: another node is called as it is", name)});
  }

  const Model* model_;
  Decisions decisions_;
  Needed needed_;
  edit::Names names_;
  Plan plan_;
  std::unordered_map<std::string, std::string> constants_;
  std::unordered_set<std::string> node_names_;
};

}  // namespace

Plan planned(Known& known, bool shortens) { return Planner(known, shortens).plan(); }

}  // namespace trtcheck::simplifying
