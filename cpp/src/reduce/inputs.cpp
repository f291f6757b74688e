// What nodes and the model can do without, one by one: there are few nodes left.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/graphs.hpp"
#include "reduce/search.hpp"
#include "schema/facts.hpp"
#include "subgraph/declared.hpp"

namespace trtcheck::reducing {
namespace {

std::vector<std::string> names_of(const Model& model, std::span<const ValueId> values) {
  std::vector<std::string> names;
  for (const ValueId id : values) names.emplace_back(id ? model.value(id).name : std::string_view());
  return names;
}

/// Nodes that the file states: definitions of functions are reached through no call.
std::vector<NodeId> stated_nodes(const Model& model) {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    if (is_of_main_graph(model, model.node(NodeId{i}).graph)) nodes.push_back(NodeId{i});
  }
  return nodes;
}

bool take_outputs(Trial& trial) {
  bool is_smaller = false;
  for (std::size_t i = trial.model().graph().outputs.size(); i-- > 0;) {
    const std::span<const ValueId> outputs = trial.model().graph().outputs;
    if (outputs.size() < 2 || !outputs[i]) continue;
    const std::vector<edit::Edit> edits{edit::RemoveOutput{{}, std::string(trial.model().value(outputs[i]).name)}};
    is_smaller |= trial.attempt(edits);
  }
  return is_smaller;
}

/// What ONNX says of the operator; nullptr: nothing, so that everybody has to guess what it needs.
const schema::SchemaFacts* facts_of(const Model& model, NodeId id) {
  const Node& node = model.node(id);
  const auto opset = model.opset(node.graph, node.domain());
  return opset && !node.call() ? schema::schema_facts(node.domain(), node.op_type, *opset) : nullptr;
}

/// One input of one node: away, or at least left out.
bool take_input(Trial& trial, NodeId id, std::size_t index) {
  const Model& model = trial.model();
  std::vector<std::string> shorter = names_of(model, model.node(id).inputs);
  std::vector<std::string> left_out = shorter;
  const schema::SchemaFacts* const facts = facts_of(model, id);
  if (facts == nullptr) return false;
  shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(index));
  const schema::InputFacts* const input = facts->input(index);
  const bool is_last = index + 1 == left_out.size();
  const bool may_go = input == nullptr || is_last || input->variadic;
  const edit::NodeAt place = edit::place_of(model, id);
  if (may_go && shorter.size() >= facts->min_inputs &&
      trial.attempt(std::vector<edit::Edit>{edit::SetInputs{place, shorter}})) {
    return true;
  }
  if (is_last || left_out[index].empty() || input == nullptr || !input->optional) return false;
  left_out[index].clear();
  return trial.attempt(std::vector<edit::Edit>{edit::SetInputs{place, left_out}});
}

bool take_node_output(Trial& trial, NodeId id, std::size_t index) {
  const Model& model = trial.model();
  const std::span<const ValueId> outputs = model.node(id).outputs;
  const Value& value = model.value(outputs[index]);
  if (outputs.size() < 2 || !value.users.empty() || value.is_output) return false;
  std::vector<std::string> names = names_of(model, outputs);
  if (index + 1 == names.size()) {
    names.pop_back();
  } else if (names[index].empty()) {
    return false;
  } else {
    names[index].clear();
  }
  return trial.attempt(std::vector<edit::Edit>{edit::SetOutputs{edit::place_of(model, id), names}});
}

/// The shape of an output that the file does not state, and inference knows: ONNX's checker asks for it.
void declare_outputs(Trial& trial) {
  const Model& model = trial.model();
  std::vector<edit::Edit> edits;
  for (const ValueId id : model.graph().outputs) {
    const ValueShape& shape = trial.shapes()[id];
    if (!id || model.type(model.value(id).declared).has_shape || !shape.has_rank) continue;
    if (shape.kind != ValueShape::Kind::tensor || shape.type == DataType::undefined) continue;
    edits.emplace_back(edit::DeclareType{
        {}, std::string(model.value(id).name), subgraph::inferred_type(trial.shapes(), id, shape.type)});
  }
  if (!edits.empty()) static_cast<void>(trial.attempt(edits));
}

}  // namespace

bool take_inputs(Trial& trial) {
  bool is_smaller = take_outputs(trial);
  const std::size_t count = stated_nodes(trial.model()).size();
  // No step changes which nodes there are.
  for (std::size_t n = 0; n < count; ++n) {
    const auto node = [&] { return stated_nodes(trial.model())[n]; };
    for (std::size_t i = trial.model().node(node()).inputs.size(); i-- > 0;) {
      is_smaller |= take_input(trial, node(), i);
    }
    for (std::size_t i = trial.model().node(node()).outputs.size(); i-- > 0;) {
      is_smaller |= take_node_output(trial, node(), i);
    }
  }
  trial.tidy();
  declare_outputs(trial);
  return is_smaller;
}

bool take_attributes(Trial& trial) {
  bool is_smaller = false;
  const std::size_t count = stated_nodes(trial.model()).size();
  for (std::size_t n = 0; n < count; ++n) {
    const auto node = [&] { return stated_nodes(trial.model())[n]; };
    std::vector<std::string> names;
    const schema::SchemaFacts* const facts = facts_of(trial.model(), node());
    if (facts == nullptr) continue;
    for (const Attribute& attribute : trial.model().node(node()).attributes()) {
      const auto known = std::ranges::find(facts->attributes, attribute.name, &schema::AttributeFacts::name);
      if (known == facts->attributes.end() || !known->required) names.emplace_back(attribute.name);
    }
    for (const std::string& name : names) {
      const edit::NodeAt place = edit::place_of(trial.model(), node());
      is_smaller |= trial.attempt(std::vector<edit::Edit>{edit::RemoveAttribute{place, name}});
    }
  }
  return is_smaller;
}

}  // namespace trtcheck::reducing
