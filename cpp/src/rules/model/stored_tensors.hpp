// Words about the constant tensors that the parser reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// "initializer `w`", "`value` of Constant `c1`"
std::string tensor_name(const RuleContext& context, const StoredTensor& tensor);

/// "FLOAT[3,4]"
std::string tensor_text(const Tensor& tensor);

/// The value of an external_data key; nothing when it is not there.
std::optional<std::string_view> external_entry(const Tensor& tensor, std::string_view key);

}  // namespace trtcheck::rules
