#include "rules/model/stored_tensors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "rules/model/defects.hpp"

namespace trtcheck::rules {

std::vector<StoredTensor> stored_tensors(const RuleContext& context) {
  const Model& model = context.model();
  const Reached reached(context);
  std::vector<StoredTensor> found;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (!value.initializer || !reached.has(value.graph)) continue;
    const NodeId reader = value.users.empty() ? NodeId{} : value.users.front().node;
    found.push_back({value.initializer, ValueId{i}, reader, {}});
  }
  for (NodeId id : context.nodes()) {
    for (const Attribute& attribute : model.node(id).attributes) {
      if (attribute.type != AttributeType::tensor || !attribute.t()) continue;
      found.push_back({attribute.t(), {}, id, attribute.name});
    }
  }
  return found;
}

std::string tensor_name(const RuleContext& context, const StoredTensor& tensor) {
  if (tensor.value) return fmt::format("initializer `{}`", context.name(tensor.value));
  return fmt::format("`{}` of {} `{}`", tensor.attribute, context.model().node(tensor.node).op_type,
                     context.label(tensor.node));
}

std::string tensor_text(const Tensor& tensor) {
  return fmt::format("{}[{}]", to_string(tensor.type), fmt::join(tensor.dims, ","));
}

std::optional<std::string_view> external_entry(const Tensor& tensor, std::string_view key) {
  const auto it = std::ranges::find(tensor.external, key, &StringPair::key);
  if (it == tensor.external.end()) return std::nullopt;
  return it->value;
}

}  // namespace trtcheck::rules
