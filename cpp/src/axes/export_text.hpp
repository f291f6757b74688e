// What is pasted into an export: the axes that stay dynamic.
#pragma once

#include <set>
#include <string>

#include <trtcheck/axes.hpp>

#include "profile/axes.hpp"

namespace trtcheck::axis {

/// `dynamic_shapes = {...}` for torch.export, with the conditions that Dim can state; "" = no axis is left.
[[nodiscard]] std::string dynamic_shapes_text(const Model& model, const Shapes& shapes, const AxesReport& report);
/// `dynamic_axes = {...}` for the older exporter.
[[nodiscard]] std::string dynamic_axes_text(const Model& model, const Shapes& shapes, const AxesReport& report);

}  // namespace trtcheck::axis
