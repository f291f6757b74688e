// Whether a changed model still has the values that it had.
#pragma once

#include <optional>
#include <string>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::cure {

/// What is different: a value of the main graph that both models have is of another type or shape, or their inputs or
/// outputs differ. Nothing: all agree.
[[nodiscard]] std::optional<std::string> changed_value(const Model& before, const Shapes& before_shapes,
                                                       const Model& after, const Shapes& after_shapes);

}  // namespace trtcheck::cure
