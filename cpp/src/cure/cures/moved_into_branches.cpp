// A node that takes a size from an If: it is computed in both branches, and the If chooses between the results.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::moved_into_branches {
namespace {

/// The If in the graph of the node that chooses one of its inputs.
std::optional<ValueId> chosen_input(const Draft& draft, const Finding& finding) {
  const Model& model = draft.model();
  for (const ValueId input : draft.node().inputs) {
    const NodeId producer = model.value(input).producer;
    if (model.value(input).name != finding.value || !producer || model.node(producer).op_type != "If") continue;
    if (model.node(producer).graph == draft.node().graph) return input;
  }
  return std::nullopt;
}

/// It is there when the If runs.
bool stands_before(const Model& model, ValueId value, const Node& choice) {
  if (!value) return true;
  const NodeId producer = model.value(value).producer;
  return !producer || model.value(value).graph != choice.graph || model.node(producer).position < choice.position;
}

GraphId branch(const Node& choice, std::string_view name) {
  const Attribute* attribute = choice.attribute(name);
  return attribute != nullptr ? attribute->g() : GraphId{};
}

edit::TypeValue type_of(const ValueShape& shape) {
  edit::TypeValue type{.type = shape.type};
  if (!shape.has_rank) return type;
  type.dims.emplace();
  for (const Dim dim : shape.dims) {
    if (dim.is_literal()) {
      type.dims->emplace_back(dim.value());
    } else {
      type.dims->emplace_back();
    }
  }
  return type;
}

/// The node once more, at the end of a branch.
void write_in(Draft& draft, GraphId branch_id, std::size_t chosen, ValueId replaced) {
  const Model& model = draft.model();
  const Graph& graph = model.graph(branch_id);
  const edit::GraphAt place = edit::place_of(model, branch_id);
  const std::string own(model.value(graph.outputs[chosen]).name);
  edit::NewNode made{.op_type = std::string(draft.node().op_type),
                     .name = std::string(draft.node().name),
                     .domain = std::string(draft.node().domain()),
                     .like = draft.place()};
  for (const ValueId input : draft.node().inputs) {
    made.inputs.push_back(input == replaced ? own : std::string(model.value(input).name));
  }
  for (std::size_t i = 0; i < draft.node().outputs.size(); ++i) {
    const std::string name = draft.out(i).empty() ? std::string() : draft.fresh(draft.out(i));
    made.outputs.push_back(name);
    if (!name.empty()) draft.add(edit::AddOutput{place, name, type_of(draft.out_shape(i))});
  }
  draft.add(edit::InsertNode{place, graph.node_count, std::move(made)});
}

bool make(Draft& draft, const Finding& finding) {
  const Model& model = draft.model();
  const auto input = chosen_input(draft, finding);
  if (!input) return draft.refuse("the If that chooses the size does not stand in the same graph");
  const Value& chosen = model.value(*input);
  const Node& choice = model.node(chosen.producer);
  const GraphId yes = branch(choice, "then_branch"), no = branch(choice, "else_branch");
  const bool is_whole = yes && no && model.graph(yes).outputs.size() == choice.outputs.size() &&
                        model.graph(no).outputs.size() == choice.outputs.size();
  if (!is_whole || !draft.node().overload().empty()) return false;
  for (const ValueId other : draft.node().inputs) {
    if (other != *input && !stands_before(model, other, choice)) {
      return draft.refuse(fmt::format("`{}` is computed after the If", model.value(other).name));
    }
  }
  write_in(draft, yes, chosen.output, *input);
  write_in(draft, no, chosen.output, *input);
  std::vector<std::string> outputs;
  for (const ValueId output : choice.outputs) outputs.emplace_back(model.value(output).name);
  for (std::size_t i = 0; i < draft.node().outputs.size(); ++i) {
    if (!draft.out(i).empty()) outputs.push_back(draft.out(i));
  }
  draft.add(edit::SetOutputs{edit::place_of(model, chosen.producer), outputs});
  draft.remove();
  draft.title(fmt::format("compute it in both branches of If `{}`, which then chooses the result and not the size",
                          model.node_label(chosen.producer)));
  return true;
}

constexpr std::string_view kFindings[] = {"CTL102"};

}  // namespace

extern constinit const Cure cure{
    .name = "moved-into-branches",
    .kind = CureClass::proven,
    .summary = "a node that reads a size from an If is computed in both branches",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::moved_into_branches
