// Who reads a value: TensorRT drops what nothing needs before it looks at shapes, and what is read as a shape alone
// before it compiles.
#pragma once

#include <cstdint>

#include <trtcheck/model.hpp>

namespace trtcheck {

enum class Reads : std::uint8_t {
  data,      ///< more than the shape
  anything,  ///< the shape is enough
};

/// By an output of the model, or by a layer whose own result is read so; out of bodies, too. Looks at a bounded number
/// of values, and says yes beyond.
[[nodiscard]] bool is_read(const Model& model, ValueId value, Reads reads);

/// Whether any of its outputs is; also of a node without outputs.
[[nodiscard]] bool is_needed(const Model& model, NodeId node, Reads reads);

}  // namespace trtcheck
