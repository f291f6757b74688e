#include "rules/model/stored_tensors.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trtcheck::rules {

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
