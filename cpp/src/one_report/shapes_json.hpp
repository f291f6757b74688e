// The JSON document of `trtcheck shapes`.
#pragma once

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "one_report/parts.hpp"

namespace trtcheck::one_report {

void write_shapes_json(Parts& out, const Model& model, const Shapes& shapes);

}  // namespace trtcheck::one_report
