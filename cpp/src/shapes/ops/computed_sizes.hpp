// Sizes that are computed and that no tensor can have.
#pragma once

#include <span>
#include <string_view>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// Records that a size is below 0 or overflows 64 bits, where that is certain.
void check_size(OpContext& op, Dim size, std::string_view what);

/// The same for every size of a result.
void check_sizes(OpContext& op, std::span<const Dim> dims);

}  // namespace trtcheck::shapes
