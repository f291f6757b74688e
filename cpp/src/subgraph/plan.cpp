// From names of tensors to the edits that leave what lies between.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>
#include <trtcheck/extract.hpp>

#include "edit/names.hpp"
#include "model/graphs.hpp"
#include "subgraph/counts.hpp"
#include "subgraph/declared.hpp"
#include "subgraph/reached.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace subgraph {
namespace {

/// Which functions the nodes call, and what these call.
class Functions {
 public:
  explicit Functions(const Model& model) : model_(&model), nodes_(model.functions().size()) {
    for (std::size_t i = 0; i < model.functions().size(); ++i) {
      const Function& function = model.functions()[i];
      by_name_.emplace(std::tuple(function.domain, function.name, function.overload), i);
      definitions_.emplace(function.definition, i);
    }
    for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
      if (const auto found = definitions_.find(graph_around(model, {g})); found != definitions_.end())
        nodes_[found->second].push_back({g});
    }
  }

  void add(const Node& node) {
    const auto found = by_name_.find(std::tuple(node.domain(), node.op_type, node.overload()));
    domains_.insert(node.domain());
    if (found == by_name_.end() || !called_.insert(found->second).second) return;
    waiting_.push_back(found->second);
    while (!waiting_.empty()) {
      const std::size_t function = waiting_.back();
      waiting_.pop_back();
      enter(function);
    }
  }

  [[nodiscard]] const std::set<std::size_t>& called() const noexcept { return called_; }
  /// Of all nodes that were met.
  [[nodiscard]] const std::set<std::string_view>& domains() const noexcept { return domains_; }

 private:
  void enter(std::size_t function) {
    for (const GraphId id : nodes_[function]) {
      const Graph& graph = model_->graph(id);
      for (std::uint32_t i = 0; i < graph.node_count; ++i) {
        const Node& node = model_->node(NodeId{graph.first_node.index + i});
        domains_.insert(node.domain());
        const auto found = by_name_.find(std::tuple(node.domain(), node.op_type, node.overload()));
        if (found != by_name_.end() && called_.insert(found->second).second) waiting_.push_back(found->second);
      }
    }
  }

  const Model* model_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> by_name_;
  std::map<GraphId, std::size_t> definitions_;
  std::vector<std::vector<GraphId>> nodes_;  ///< per function: its graphs
  std::set<std::size_t> called_;
  std::set<std::string_view> domains_;
  std::vector<std::size_t> waiting_;
};

class Planner {
 public:
  Planner(const Model& model, const Shapes& shapes, const ExtractOptions& options)
      : model_(&model),
        shapes_(&shapes),
        options_(&options),
        is_cut_(model.value_count()),
        outermost_(outermost_nodes(model)) {
    for (std::uint32_t i = 0; i < model.value_count(); ++i) {
      const Value& value = model.value(ValueId{i});
      if (value.graph == kMainGraph && value.is_defined) main_.emplace(value.name, ValueId{i});
    }
  }

  ExtractPlan plan() && {
    for (const std::string& name : options_->inputs) add_once(inputs_, named(name));
    for (const std::string& name : options_->outputs) add_once(outputs_, named(name));
    if (options_->outputs.empty()) {
      for (const ValueId output : model_->graph().outputs) add_once(outputs_, output);
    }
    if (options_->inputs.empty()) {
      for (const ValueId input : model_->graph().inputs) {
        if (model_->is_network_input(input)) is_cut_[input.index] = true;
      }
    }
    for (const ValueId input : inputs_) is_cut_[input.index] = true;
    refuse_what_is_both();
    const Reached reached(*model_, outputs_, is_cut_);
    refuse_missing(reached);
    if (options_->inputs.empty()) {
      for (const ValueId input : model_->graph().inputs) {
        if (model_->is_network_input(input) && reached.value(input)) add_once(inputs_, input);
      }
    }
    note_unneeded(reached);
    write(reached);
    return std::move(plan_);
  }

 private:
  [[noreturn]] void refuse(std::string cause) const { throw Error(model_->path(), std::move(cause)); }
  void add(edit::Edit edit) { plan_.edits.push_back(std::move(edit)); }
  static void add_once(std::vector<ValueId>& list, ValueId id) {
    if (id && std::ranges::find(list, id) == list.end()) list.push_back(id);
  }
  [[nodiscard]] std::string name_of(ValueId id) const { return std::string(model_->value(id).name); }

  [[nodiscard]] ValueId named(const std::string& name) const {
    if (const auto found = main_.find(name); found != main_.end()) return found->second;
    std::vector<std::string_view> names;
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) {
      const Value& value = model_->value(ValueId{i});
      if (value.graph == kMainGraph) names.push_back(value.name);
      if (value.name != name || value.graph == kMainGraph || !value.is_defined) continue;
      if (model_->graph(value.graph).kind == Graph::Kind::function_definition) continue;
      refuse(fmt::format("tensor `{}` is inside of {}: a model is cut at tensors of its main graph", name,
                         model_->graph_path(value.graph)));
    }
    refuse(fmt::format("there is no tensor `{}`{}", name, did_you_mean(name, names)));
  }

  void refuse_what_is_both() const {
    for (const ValueId output : outputs_) {
      if (std::ranges::find(inputs_, output) != inputs_.end()) {
        refuse(fmt::format("`{}` is named as an input and as an output: nothing lies between", name_of(output)));
      }
    }
  }

  void refuse_missing(const Reached& reached) const {
    for (const Missing& one : reached.undefined()) {
      if (options_->lenient) break;
      refuse(fmt::format("output `{}` needs `{}`, which nothing makes", name_of(one.output), name_of(one.input)));
    }
    if (reached.missing().empty()) return;
    const ValueId output = reached.missing().front().output;
    std::vector<std::string> names;
    for (const Missing& one : reached.missing()) {
      if (one.output == output) names.push_back("`" + name_of(one.input) + "`");
    }
    const std::string_view them = names.size() == 1 ? "it" : "them";
    refuse(fmt::format("output `{}` also needs {} of the model{}: name {} among the inputs, or cut at another tensor",
                       name_of(output), counted_inputs(names), reader(reached, reached.missing().front().input), them));
  }
  /// " (Shape `s` reads `x`)"; "" = it is the output itself.
  [[nodiscard]] std::string reader(const Reached& reached, ValueId input) const {
    for (const Use& use : model_->value(input).users) {
      const GraphId graph = model_->node(use.node).graph;
      const NodeId outer = graph == kMainGraph ? use.node : outermost_[graph.index];
      if (!outer || !reached.node(outer)) continue;
      return fmt::format(" ({} `{}` reads `{}`)", model_->node(use.node).op_type, model_->node_label(use.node),
                         name_of(input));
    }
    return {};
  }
  static std::string counted_inputs(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 5;
    std::vector<std::string> first(names.begin(),
                                   names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)));
    std::string text = fmt::format("{} {}", names.size() == 1 ? "input" : "inputs", fmt::join(first, ", "));
    if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
    return text;
  }

  void note_unneeded(const Reached& reached) {
    for (const ValueId input : inputs_) {
      if (!reached.value(input)) plan_.notes.push_back(fmt::format("no output needs input `{}`", name_of(input)));
    }
  }

  void write(const Reached& reached) {
    plan_.before = counts_of(*model_);
    Functions functions(*model_);
    for (std::uint32_t g = 0; g < model_->graph_count(); ++g) {
      if (!is_of_main_graph(*model_, GraphId{g})) continue;
      const Graph& graph = model_->graph(GraphId{g});
      if (g != 0 && !reached.node(outermost_[g])) continue;
      for (std::uint32_t i = 0; i < graph.node_count; ++i) {
        const NodeId id{graph.first_node.index + i};
        if (g == 0 && !reached.node(id)) continue;
        functions.add(model_->node(id));
        ++plan_.after.nodes;
      }
      if (g != 0) add_weights(*model_, graph, plan_.after);
    }
    take_nodes(reached);
    take_weights(reached);
    write_interface(reached);
    take_declarations(reached);
    take_functions(functions);
  }

  void take_nodes(const Reached& reached) {
    const Graph& graph = model_->graph();
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const NodeId id{graph.first_node.index + i};
      if (!reached.node(id)) {
        add(edit::RemoveNode{edit::place_of(*model_, id)});
        continue;
      }
      // It still makes what is fed from now on, under a name that nobody reads.
      const std::span<const ValueId> outputs = model_->node(id).outputs;
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        if (!outputs[o] || !is_cut_[outputs[o].index]) continue;
        add(edit::SetOutput{edit::place_of(*model_, id), static_cast<std::uint32_t>(o),
                            fresh(model_->value(outputs[o]).name)});
      }
    }
  }
  [[nodiscard]] std::string fresh(std::string_view name) {
    if (!names_) names_.emplace(*model_);
    return names_->fresh(fmt::format("{}/not_read", name));
  }

  void take_weights(const Reached& reached) {
    for (const auto& [name, id] : main_) {
      const Value& value = model_->value(id);
      if (!value.initializer) continue;
      if (reached.value(id) && !is_cut_[id.index]) {
        add_weight(model_->tensor(value.initializer), plan_.after);
      } else {
        gone_.emplace(name);
      }
    }
    // In the order of the file, so that equal models give equal edits.
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) {
      const Value& value = model_->value(ValueId{i});
      if (value.graph != kMainGraph || !value.initializer || gone_.erase(value.name) == 0) continue;
      add(edit::RemoveTensor{{}, std::string(value.name)});
    }
  }

  void write_interface(const Reached& reached) {
    const std::span<const ValueId> old_inputs = model_->graph().inputs;
    const std::span<const ValueId> old_outputs = model_->graph().outputs;
    std::set<ValueId> seen;
    for (const ValueId id : old_inputs) {
      if (!seen.insert(id).second) continue;
      const bool is_default = model_->value(id).initializer && reached.value(id);
      if (std::ranges::find(inputs_, id) != inputs_.end()) {
        plan_.inputs.push_back({name_of(id), shapes_->text(id), false});
      } else if (!is_default) {
        add(edit::RemoveInput{{}, name_of(id)});
      }
    }
    for (const ValueId id : inputs_) {
      if (seen.contains(id)) continue;
      add(edit::AddInput{{}, name_of(id), declared(id)});
      plan_.inputs.push_back({name_of(id), shapes_->text(id), true});
    }
    seen.clear();
    for (const ValueId id : old_outputs) {
      if (!seen.insert(id).second) continue;
      if (std::ranges::find(outputs_, id) != outputs_.end()) {
        plan_.outputs.push_back({name_of(id), shapes_->text(id), false});
      } else {
        add(edit::RemoveOutput{{}, name_of(id)});
      }
    }
    for (const ValueId id : outputs_) {
      if (seen.contains(id)) continue;
      add(edit::AddOutput{{}, name_of(id), declared(id)});
      plan_.outputs.push_back({name_of(id), shapes_->text(id), true});
    }
  }

  [[nodiscard]] edit::TypeValue declared(ValueId id) const {
    const ValueShape& shape = (*shapes_)[id];
    if (shape.kind != ValueShape::Kind::tensor && shape.kind != ValueShape::Kind::unknown) {
      refuse(fmt::format("`{}` is no tensor, but a sequence, an optional or a map: cut at a tensor", name_of(id)));
    }
    if (shape.type == DataType::undefined) {
      if (options_->lenient) return {.type = DataType::float32};
      refuse(fmt::format("the element type of `{}` is not known, so that it cannot be declared: cut at another tensor",
                         name_of(id)));
    }
    return inferred_type(*shapes_, id, shape.type);
  }

  /// What the file says of values that are gone, or that are inputs or outputs now.
  void take_declarations(const Reached& reached) {
    std::set<ValueId> done;
    for (const ValueId id : model_->graph().declared) {
      const Value& value = model_->value(id);
      const bool is_made = value.producer && reached.node(value.producer) && !is_cut_[id.index];
      const bool is_stored = value.initializer && reached.value(id) && !is_cut_[id.index];
      const bool is_output = std::ranges::find(outputs_, id) != outputs_.end();
      if (((is_made || is_stored) && !is_output) || !done.insert(id).second) continue;
      add(edit::RemoveDeclaration{{}, name_of(id)});
    }
  }

  void take_functions(const Functions& functions) {
    const std::size_t count = model_->functions().size();
    plan_.after.functions = functions.called().size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!functions.called().contains(i)) add(edit::RemoveFunction{static_cast<std::uint32_t>(i)});
    }
    std::set<std::string_view> removed;
    for (const OpsetImport& import : model_->opset_imports()) {
      const bool is_onnx = import.domain.empty() || import.domain == "ai.onnx";
      if (is_onnx || functions.domains().contains(import.domain) || !removed.insert(import.domain).second) continue;
      add(edit::RemoveImport{std::string(import.domain)});
    }
  }

  const Model* model_;
  const Shapes* shapes_;
  const ExtractOptions* options_;
  std::unordered_map<std::string_view, ValueId> main_;  ///< by name
  std::vector<bool> is_cut_;                            ///< per value
  std::vector<NodeId> outermost_;                       ///< per graph
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
  std::optional<edit::Names> names_;
  std::unordered_set<std::string_view> gone_;
  ExtractPlan plan_;
};

}  // namespace
}  // namespace subgraph

ExtractPlan plan_extract(const Model& model, const Shapes& shapes, const ExtractOptions& options) {
  return subgraph::Planner(model, shapes, options).plan();
}

}  // namespace trtcheck
