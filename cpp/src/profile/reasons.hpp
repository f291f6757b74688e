// Why a dim got its sizes, in one line.
#pragma once

#include <string>

#include "profile/search.hpp"

namespace trtcheck::profiles {

/// "multiples of 16 fit: Reshape `r` needs `16` to divide `N`"
[[nodiscard]] std::string reason_of(const Model& model, const Shapes& shapes, const OpenInputs& inputs,
                                    const SizeChooser& chooser, std::size_t dim);

}  // namespace trtcheck::profiles
