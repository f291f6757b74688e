#include "rules/profile/network_inputs.hpp"

#include <algorithm>

namespace trtcheck::rules {

std::vector<NetworkInput> network_inputs(const RuleContext& context) {
  const Model& model = context.model();
  std::vector<NetworkInput> found;
  for (ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    if (!model.is_network_input(id)) continue;
    found.push_back({value.name, value.declared ? model.type(value.declared).dims : std::span<const DeclaredDim>{}});
  }
  return found;
}

ProfileEntries::ProfileEntries(const RuleContext& context) {
  for (const ProfileInput& input : context.target().profile) by_name_.try_emplace(input.name, &input);
}

const ProfileInput* ProfileEntries::of(std::string_view input) const {
  const auto found = by_name_.find(input);
  return found == by_name_.end() ? nullptr : found->second;
}

bool is_dynamic(const NetworkInput& input) {
  return std::ranges::any_of(
      input.dims, [](const DeclaredDim& dim) { return dim.kind != DeclaredDim::Kind::value || dim.value < 0; });
}

}  // namespace trtcheck::rules
