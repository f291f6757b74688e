// From names of tensors to the edits that leave what lies between.
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/extract.hpp>

#include "edit/names.hpp"
#include "model/graphs.hpp"
#include "subgraph/called_functions.hpp"
#include "subgraph/counts.hpp"
#include "subgraph/declared.hpp"
#include "subgraph/reached.hpp"
#include "subgraph/request.hpp"

namespace trtcheck {
namespace subgraph {
namespace {

bool has(const std::vector<ValueId>& list, ValueId id) { return std::ranges::find(list, id) != list.end(); }

/// The edits of a cut that is possible.
class Planner {
 public:
  Planner(const Model& model, const Shapes& shapes, const ExtractOptions& options)
      : model_(&model),
        shapes_(&shapes),
        options_(&options),
        request_(requested(model, options)),
        reached_(reached_by(model, request_, options.lenient)) {}

  ExtractPlan plan() && {
    if (options_->inputs.empty()) {
      for (const ValueId input : model_->graph().inputs) {
        const bool is_needed = model_->is_network_input(input) && reached_.value(input);
        if (is_needed && !has(request_.inputs, input)) request_.inputs.push_back(input);
      }
    }
    for (const ValueId input : request_.inputs) {
      if (!reached_.value(input)) plan_.notes.push_back(fmt::format("no output needs input `{}`", name_of(input)));
    }
    plan_.before = counts_of(*model_);
    const CalledFunctions functions = needed_functions();
    take_nodes();
    take_weights();
    write_inputs();
    write_outputs();
    take_declarations();
    take_functions(functions);
    return std::move(plan_);
  }

 private:
  void add(edit::Edit edit) { plan_.edits.push_back(std::move(edit)); }
  [[nodiscard]] std::string name_of(ValueId id) const { return std::string(model_->value(id).name); }
  [[nodiscard]] bool is_cut(ValueId id) const { return request_.is_cut[id.index]; }

  /// Counts what stays in the main graph and in bodies, too.
  CalledFunctions needed_functions() {
    CalledFunctions functions(*model_);
    const std::vector<NodeId> outermost = outermost_nodes(*model_);
    for (std::uint32_t g = 0; g < model_->graph_count(); ++g) {
      if (!is_of_main_graph(*model_, GraphId{g})) continue;
      const Graph& graph = model_->graph(GraphId{g});
      if (g != 0 && !reached_.node(outermost[g])) continue;
      for (std::uint32_t i = 0; i < graph.node_count; ++i) {
        const NodeId id{graph.first_node.index + i};
        if (g == 0 && !reached_.node(id)) continue;
        functions.add(model_->node(id));
        ++plan_.after.nodes;
      }
      if (g != 0) add_weights(*model_, graph, plan_.after);
    }
    return functions;
  }

  void take_nodes() {
    const Graph& graph = model_->graph();
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const NodeId id{graph.first_node.index + i};
      if (!reached_.node(id)) {
        add(edit::RemoveNode{edit::place_of(*model_, id)});
        continue;
      }
      // It still makes what is fed from now on, under a name that nobody reads.
      const std::span<const ValueId> outputs = model_->node(id).outputs;
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        if (!outputs[o] || !is_cut(outputs[o])) continue;
        add(edit::SetOutput{edit::place_of(*model_, id), static_cast<std::uint32_t>(o),
                            fresh(model_->value(outputs[o]).name)});
      }
    }
  }
  [[nodiscard]] std::string fresh(std::string_view name) {
    if (!names_) names_.emplace(*model_);
    return names_->fresh(fmt::format("{}/not_read", name));
  }

  /// In the order of the file, so that equal models give equal edits.
  void take_weights() {
    std::set<std::string_view> done;
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) {
      const ValueId id{i};
      const Value& value = model_->value(id);
      if (value.graph != kMainGraph || !value.is_defined || !done.insert(value.name).second) continue;
      if (!value.initializer) continue;
      if (reached_.value(id) && !is_cut(id)) {
        add_weight(model_->tensor(value.initializer), plan_.after);
      } else {
        add(edit::RemoveTensor{{}, std::string(value.name)});
      }
    }
  }

  /// Those of the model first, then the new ones.
  void write_inputs() {
    std::set<ValueId> seen;
    for (const ValueId id : model_->graph().inputs) {
      if (!seen.insert(id).second) continue;
      const bool is_default = model_->value(id).initializer && reached_.value(id);
      if (has(request_.inputs, id)) {
        plan_.inputs.push_back({name_of(id), shapes_->text(id), false});
      } else if (!is_default) {
        add(edit::RemoveInput{{}, name_of(id)});
      }
    }
    for (const ValueId id : request_.inputs) {
      if (seen.contains(id)) continue;
      add(edit::AddInput{{}, name_of(id), declared(id)});
      plan_.inputs.push_back({name_of(id), shapes_->text(id), true});
    }
  }

  void write_outputs() {
    std::set<ValueId> seen;
    for (const ValueId id : model_->graph().outputs) {
      if (!seen.insert(id).second) continue;
      if (has(request_.outputs, id)) {
        plan_.outputs.push_back({name_of(id), shapes_->text(id), false});
      } else {
        add(edit::RemoveOutput{{}, name_of(id)});
      }
    }
    for (const ValueId id : request_.outputs) {
      if (seen.contains(id)) continue;
      add(edit::AddOutput{{}, name_of(id), declared(id)});
      plan_.outputs.push_back({name_of(id), shapes_->text(id), true});
    }
  }

  [[noreturn]] void refuse(std::string cause) const { throw Error(model_->path(), std::move(cause)); }

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
  void take_declarations() {
    std::set<ValueId> done;
    for (const ValueId id : model_->graph().declared) {
      const Value& value = model_->value(id);
      const bool is_made = value.producer && reached_.node(value.producer) && !is_cut(id);
      const bool is_stored = value.initializer && reached_.value(id) && !is_cut(id);
      const bool is_output = has(request_.outputs, id);
      if (((is_made || is_stored) && !is_output) || !done.insert(id).second) continue;
      add(edit::RemoveDeclaration{{}, name_of(id)});
    }
  }

  void take_functions(const CalledFunctions& functions) {
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
  Request request_;
  Reached reached_;
  std::optional<edit::Names> names_;
  ExtractPlan plan_;
};

}  // namespace
}  // namespace subgraph

ExtractPlan plan_extract(const Model& model, const Shapes& shapes, const ExtractOptions& options) {
  return subgraph::Planner(model, shapes, options).plan();
}

}  // namespace trtcheck
