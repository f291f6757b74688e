// Files beside a model that a command changes.
#pragma once

#include <string>
#include <string_view>

namespace trtcheck::cli {

/// Where a changed model goes: over the model, else to `output`, else beside it: "net.fixed.onnx" of "net.onnx" and
/// "fixed", "net.fixed.onnx" of the text form "net.onnxtxt".
/// @throws Error  binary ONNX would be in a file whose name says that it is text
[[nodiscard]] std::string place_of_changed(const std::string& path, bool is_in_place, const std::string& output,
                                           std::string_view word);

/// The file as it is, kept as "net.onnx.bak".
/// @throws Error  cannot read or write
void keep_old(const std::string& path);

}  // namespace trtcheck::cli
