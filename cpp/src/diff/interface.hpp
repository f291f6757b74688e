// What a model shows to its caller, compared.
#pragma once

#include <vector>

#include <trtcheck/diff.hpp>

namespace trtcheck::diffing {

[[nodiscard]] std::vector<InterfaceChange> interface_changes(const Model& before, const Model& after);
[[nodiscard]] std::vector<OperatorChange> operator_changes(const Model& before, const Model& after);

}  // namespace trtcheck::diffing
