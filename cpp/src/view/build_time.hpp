// What is known when the engine is built: not what is computed from data, nor, in TensorRT, from floating point
// numbers.
#pragma once

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>

#include "view/node_view.hpp"

namespace trtcheck {

/// Whether a value, which decides something, is known at run time only: from the contents of a network input, or from
/// sizes that vary. Unknown where something on the way is not followed, and of sizes without a profile.
[[nodiscard]] Truth is_run_time_value(const ModelView& view, ValueId value);

/// Whether floating point numbers are on the way to a value that the contents of no network input decide. TensorRT
/// folds integers and BOOL.
[[nodiscard]] Truth is_real_arithmetic(const ModelView& view, ValueId value);

/// Whether such numbers come from sizes that vary, or are reduced: TensorRT then computes the value with layers while
/// the engine runs, and folds nothing.
[[nodiscard]] bool is_real_layer(const ModelView& view, ValueId value);

}  // namespace trtcheck
