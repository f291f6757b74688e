// What the ONNX standard forbids, and of which nobody knows what runtimes make of it: some run it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// In place of what TensorRT makes of a node: `Conflict::taken_as`.
inline constexpr std::string_view kOnlyStandard = "it was not measured what TensorRT makes of it";

/// Records a conflict with the standard alone.
inline void standard_forbids(OpContext& op, std::string message, ValueId value = {}, int axis = -1) {
  op.onnx_forbids(std::move(message), kOnlyStandard, value, axis);
}

}  // namespace trtcheck::shapes
