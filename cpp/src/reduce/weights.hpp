// Other weights in place of those of the model.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/reduce.hpp>

#include "reduce/trial.hpp"

namespace trtcheck::reducing {

/// Replaces the weights, all at once, else as many as the finding allows. Numbers that shapes follow from stay.
/// @returns what had to stay, one line
[[nodiscard]] std::vector<std::string> replace_weights(Trial& trial, ReducedWeights by);

}  // namespace trtcheck::reducing
