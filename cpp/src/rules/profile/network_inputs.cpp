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

const ProfileInput* profile_of(const RuleContext& context, std::string_view input) {
  const auto& profile = context.target().profile;
  const auto it = std::ranges::find(profile, input, &ProfileInput::name);
  return it == profile.end() ? nullptr : &*it;
}

bool is_dynamic(const NetworkInput& input) {
  return std::ranges::any_of(
      input.dims, [](const DeclaredDim& dim) { return dim.kind != DeclaredDim::Kind::value || dim.value < 0; });
}

}  // namespace trtcheck::rules
