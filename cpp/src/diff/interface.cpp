#include "diff/interface.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/graphs.hpp"

namespace trtcheck::diffing {
namespace {

using Kind = InterfaceChange::Kind;
using Names = std::vector<std::string_view>;

std::string dim_text(const DeclaredDim& dim) {
  if (dim.kind == DeclaredDim::Kind::value) return std::to_string(dim.value);
  return dim.kind == DeclaredDim::Kind::param ? std::string(dim.param) : "?";
}

std::string type_text(const Model& model, TypeId id);

std::string tensor_text(const Type& type) {
  std::string text = to_string(type.element);
  if (!type.has_shape) return text;
  text += '[';
  for (const DeclaredDim& dim : type.dims) text += (&dim == type.dims.data() ? "" : ",") + dim_text(dim);
  return text + ']';
}

std::string type_text(const Model& model, TypeId id) {
  if (!id) return "?";
  const Type& type = model.type(id);
  switch (type.kind) {
    case Type::Kind::tensor:
      return tensor_text(type);
    case Type::Kind::sparse_tensor:
      return "sparse " + tensor_text(type);
    case Type::Kind::sequence:
      return "sequence of " + type_text(model, type.inner);
    case Type::Kind::optional:
      return "optional " + type_text(model, type.inner);
    case Type::Kind::map:
      return fmt::format("map of {} to {}", to_string(type.element), type_text(model, type.inner));
    case Type::Kind::opaque:
      return "opaque";
    case Type::Kind::none:
      break;
  }
  return "?";
}

struct Interface {
  Names names;                                    ///< in order, each once
  std::map<std::string_view, std::string> types;  ///< by name
};

/// An input with a default value is none that the caller has to know.
Interface interface_of(const Model& model, std::span<const ValueId> values, bool are_inputs) {
  Interface made;
  for (ValueId id : values) {
    const Value& value = model.value(id);
    if (are_inputs && value.initializer) continue;
    if (made.types.emplace(value.name, type_text(model, value.declared)).second) made.names.push_back(value.name);
  }
  return made;
}

/// Changed or gone in the order of `before`, then what is new in the order of `after`.
void compare(Kind kind, const Interface& before, const Interface& after, std::vector<InterfaceChange>& changes) {
  for (std::string_view name : before.names) {
    const auto now = after.types.find(name);
    const std::string& was = before.types.at(name);
    if (now == after.types.end()) {
      changes.push_back({kind, std::string(name), was, ""});
    } else if (now->second != was) {
      changes.push_back({kind, std::string(name), was, now->second});
    }
  }
  for (std::string_view name : after.names) {
    if (!before.types.contains(name)) changes.push_back({kind, std::string(name), "", after.types.at(name)});
  }
}

Names common(const Interface& one, const Interface& other) {
  Names names = one.names;
  std::erase_if(names, [&](std::string_view name) { return !other.types.contains(name); });
  return names;
}

void compare_order(Kind kind, const Interface& before, const Interface& after, std::vector<InterfaceChange>& changes) {
  const Names was = common(before, after), is = common(after, before);
  if (was != is)
    changes.push_back({kind, "", fmt::format("{}", fmt::join(was, ", ")), fmt::format("{}", fmt::join(is, ", "))});
}

std::map<std::string, std::string> opsets(const Model& model) {
  std::map<std::string, std::string> made;
  for (const OpsetImport& import : model.opset_imports()) {
    made[import.domain.empty() ? "ai.onnx" : std::string(import.domain)] = std::to_string(import.version);
  }
  return made;
}

void compare_opsets(const Model& before, const Model& after, std::vector<InterfaceChange>& changes) {
  const auto was = opsets(before), is = opsets(after);
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [domain, version] : was) both[domain].first = version;
  for (const auto& [domain, version] : is) both[domain].second = version;
  for (auto& [domain, versions] : both) {
    if (versions.first != versions.second) {
      changes.push_back({Kind::opset, domain, std::move(versions.first), std::move(versions.second)});
    }
  }
}

std::string producer(const Model& model) {
  std::string text(model.producer_name());
  if (!model.producer_version().empty()) text.append(text.empty() ? "" : " ").append(model.producer_version());
  return text;
}

std::map<std::string, std::size_t> operators(const Model& model) {
  std::map<std::string, std::size_t> counts;
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    if (!is_of_main_graph(model, GraphId{g})) continue;
    const Graph& graph = model.graph(GraphId{g});
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const Node& node = model.node(NodeId{graph.first_node.index + i});
      ++counts[node.domain().empty() ? std::string(node.op_type) : fmt::format("{}.{}", node.domain(), node.op_type)];
    }
  }
  return counts;
}

}  // namespace

std::vector<InterfaceChange> interface_changes(const Model& before, const Model& after) {
  std::vector<InterfaceChange> changes;
  const Interface inputs = interface_of(before, before.graph().inputs, true);
  const Interface new_inputs = interface_of(after, after.graph().inputs, true);
  const Interface outputs = interface_of(before, before.graph().outputs, false);
  const Interface new_outputs = interface_of(after, after.graph().outputs, false);
  compare(Kind::input, inputs, new_inputs, changes);
  compare(Kind::output, outputs, new_outputs, changes);
  compare_order(Kind::input_order, inputs, new_inputs, changes);
  compare_order(Kind::output_order, outputs, new_outputs, changes);
  compare_opsets(before, after, changes);
  const std::string ir = std::to_string(before.ir_version()), new_ir = std::to_string(after.ir_version());
  if (ir != new_ir) changes.push_back({Kind::ir_version, "", ir, new_ir});
  std::string made_by = producer(before), now_made_by = producer(after);
  if (made_by != now_made_by) changes.push_back({Kind::producer, "", std::move(made_by), std::move(now_made_by)});
  return changes;
}

std::vector<OperatorChange> operator_changes(const Model& before, const Model& after) {
  std::map<std::string, OperatorChange> both;
  for (const auto& [op, count] : operators(before)) both[op].before = count;
  for (const auto& [op, count] : operators(after)) both[op].after = count;
  std::vector<OperatorChange> changes;
  for (auto& [op, change] : both) {
    if (change.before != change.after) changes.push_back({op, change.before, change.after});
  }
  return changes;
}

}  // namespace trtcheck::diffing
