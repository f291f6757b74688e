// Operators that ONNX Runtime's own tools write into a file. No plugin is the remedy: what they were made of converts.
#pragma once

#include <optional>
#include <string>

#include <trtcheck/model.hpp>

namespace trtcheck::rules {

/// Where to take the model from instead; nothing for operators that nobody but their author writes.
std::optional<std::string> onnx_runtime_remedy(const Node& node);

}  // namespace trtcheck::rules
