// What the caller assumes of the sizes that a model names, put into the table of dims before any dim is made.
#pragma once

#include <span>
#include <string>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::shapes {

struct InferState;

/// @pre the ranges of the options are in the table
/// @throws Error  an assumption cannot be read, names no size of the model, or contradicts another one or a range
void take_assumptions(InferState& state);

/// The first of `now` that `before` does not have; nullptr = there is none.
[[nodiscard]] const Conflict* first_new_conflict(const Shapes& before, const Shapes& now);

/// @throws Error  always: these assumptions bring about the conflict
[[noreturn]] void refuse_assumption(const Model& model, std::span<const std::string> assumed, const Conflict& conflict);

}  // namespace trtcheck::shapes
