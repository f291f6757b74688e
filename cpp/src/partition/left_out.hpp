// What a provider leaves out before it asks the parser.
#pragma once

#include "partition/refusals.hpp"

namespace trtcheck::partitioning {

/// By option, by element type, and what the parser leaves out for ONNX Runtime.
/// @throws Error  an operator to be left out is written with a comma or a blank
void left_out(const Asked& asked, Refusals& into);

}  // namespace trtcheck::partitioning
