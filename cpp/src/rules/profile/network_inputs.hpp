// The inputs that the network gets, and their entries in the profile.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct NetworkInput {
  std::string_view name;
  std::span<const DeclaredDim> dims;  ///< as the file states them; empty when it states no shape
};

/// Inputs of the main graph without those that have an initializer: the parser makes those constants
/// (onnx-tensorrt ModelImporter.cpp importInputs, 10.10).
std::vector<NetworkInput> network_inputs(const RuleContext& context);

/// The profile by the names of its inputs, of which there may be thousands.
class ProfileEntries {
 public:
  explicit ProfileEntries(const RuleContext& context);
  /// nullptr: the profile does not name it.
  [[nodiscard]] const ProfileInput* of(std::string_view input) const;

 private:
  std::unordered_map<std::string_view, const ProfileInput*> by_name_;
};

/// True when some axis has no fixed size.
bool is_dynamic(const NetworkInput& input);

}  // namespace trtcheck::rules
