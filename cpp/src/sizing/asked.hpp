// Axes that are to be dynamic, looked up in a model.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/sizes.hpp>

#include "sizing/trial.hpp"

namespace trtcheck::sizing {

struct AskedAxes {
  std::vector<Freed> freed;
  /// Inputs get the symbols; what is said of other values is taken away: it is of one size.
  std::vector<edit::Edit> declarations;
};

/// @throws Error  there is no such axis, or it is dynamic; one symbol would be two numbers
[[nodiscard]] AskedAxes asked_axes(const Model& model, const std::vector<NamedAxis>& axes);

/// @throws Error  always
[[noreturn]] void refuse_axis(std::string cause);

}  // namespace trtcheck::sizing
