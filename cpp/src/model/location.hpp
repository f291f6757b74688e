// Where a model says that a file is, judged by the text alone.
#pragma once

#include <string>
#include <string_view>

namespace trtcheck {

/// Why the location cannot be inside the model's folder; empty: it can.
std::string_view escape_by_text(std::string_view location);

/// "w.bin" of "a/../w.bin", whether there is a folder `a` or not (onnx-tensorrt WeightsContext.cpp normalizePath, 8.6).
/// @pre it does not leave the folder
std::string without_parents(std::string_view location);

/// The same without "." and empty parts, too: names of objects know neither. Empty: the folder itself.
/// @pre as above
std::string path_below(std::string_view location);

}  // namespace trtcheck
