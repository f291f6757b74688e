// What is known of sizes and constants of two models, compared.
#pragma once

#include <trtcheck/diff.hpp>

namespace trtcheck::diffing {

/// Fills in what the difference says of shapes, symbols and constants.
/// @param before_target, after_target  their profiles bound the sizes
void compare_shapes(const Model& before, const Target& before_target, const Model& after, const Target& after_target,
                    Diff& diff);

}  // namespace trtcheck::diffing
