// `trtcheck shapes MODEL -o annotated.onnx`: the model with its shapes, instead of a list of them.
#pragma once

#include <string>

#include "cli/shapes_options.hpp"

namespace trtcheck::cli {

/// Whether the output is a model: its name ends with `.onnx`.
[[nodiscard]] bool asks_for_model(const ShapesRequest& request);

/// Writes the model and says what was added. @throws Error  cannot read, cannot write, options that make no sense
[[nodiscard]] int write_annotated(const ShapesRequest& request);

}  // namespace trtcheck::cli
