// Who refuses what a rule or a fact is about.
#pragma once

#include <cstdint>

namespace trtcheck {

/// Who refuses, as far as somebody looked; in the order in which they look at a model.
enum class RefusedBy : std::uint8_t {
  parser,
  builder,  ///< the network, before anything is removed from it
  shapes,   ///< the analysis of shapes, of what is needed for some output
  kernels,  ///< compiling, of what is needed for more than its shape; not of branches that are never taken
};

}  // namespace trtcheck
