// Axes of inputs that become dynamic: what holds their number in the file is written anew.
#pragma once

#include <vector>

#include <trtcheck/check_options.hpp>
#include <trtcheck/sizes.hpp>

#include "cure/prepared.hpp"
#include "cure/state.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::sizing {

/// The changed model computes the same for the sizes of the file, and its shapes follow the new sizes: both are checked
/// by inferring it for two sizes.
/// @throws Error  there is no such axis, or what the file says cannot be read for another size; names the node
[[nodiscard]] cure::Prepared with_dynamic_axes(const cure::SourceFile& origin, const edit::Pieces& pieces,
                                               const std::vector<NamedAxis>& axes, const CheckOptions& check);

}  // namespace trtcheck::sizing
