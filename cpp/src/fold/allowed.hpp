// Whether a node is one that ONNX defines: an operator's function need not ask how many inputs there are, or of which
// types.
#pragma once

#include <cstdint>

#include "fold/call.hpp"

namespace trtcheck::fold {

/// @throws Unfolded  it is not: inputs are missing or too many, of types that the opset does not allow, or unlike
void check_allowed(const Call& call);

}  // namespace trtcheck::fold
