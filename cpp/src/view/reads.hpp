// Whether more is read of a value than its shape.
#pragma once

#include <trtcheck/model.hpp>

namespace trtcheck {

/// By an output of a graph, or by a layer whose own result is read as data; what is read as a shape alone TensorRT does
/// not compute. Looks at a bounded number of values, and says yes beyond.
[[nodiscard]] bool is_read_as_data(const Model& model, ValueId value);

}  // namespace trtcheck
