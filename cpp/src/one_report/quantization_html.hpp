// The page of `trtcheck quantization`.
#pragma once

#include <string>

#include "one_report/layers_of_model.hpp"

namespace trtcheck::one_report {

/// Bars and a table: the share of each element type; "" without layers that multiply.
[[nodiscard]] std::string shares_html(const LayersOfModel& of);
/// The table of the layers: what each runs in, and why.
[[nodiscard]] std::string layers_html(const LayersOfModel& of);
/// The main graph with its element types; why there is none where it cannot be drawn.
[[nodiscard]] std::string layers_picture(const LayersOfModel& of);

/// Summary, share of each type, table of the layers, picture of the graph; without the picture where none can be drawn.
/// @param summary  one line of text
[[nodiscard]] std::string quantization_page(const LayersOfModel& of, const std::string& summary);

}  // namespace trtcheck::one_report
