// The JSON document of `trtcheck shapes`.
#pragma once

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "cli/parts.hpp"

namespace trtcheck::cli {

void write_shapes_json(Parts& out, const Model& model, const Shapes& shapes);

}  // namespace trtcheck::cli
