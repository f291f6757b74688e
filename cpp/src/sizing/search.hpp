// The one way to read a model with dynamic axes, among those that the file leaves open.
#pragma once

#include "sizing/trial.hpp"

namespace trtcheck::sizing {

struct BestTrial {
  Trial trial;
  bool was_chosen = false;  ///< more than one way was as good
};

/// Of those that nothing speaks against, the one that keeps rows of the axes apart.
/// @throws Error  there is none, or there are several with outputs of different sizes
[[nodiscard]] BestTrial best_trial(const Subject& subject);

}  // namespace trtcheck::sizing
