// The page of `trtcheck quantization`.
#pragma once

#include <string>

#include "cli/layers_of_model.hpp"

namespace trtcheck::cli {

/// Summary, share of each type, table of the layers, picture of the graph; without the picture where none can be drawn.
/// @param summary  one line of text
[[nodiscard]] std::string quantization_page(const LayersOfModel& of, const std::string& summary);

}  // namespace trtcheck::cli
