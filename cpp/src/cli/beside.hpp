// Files beside a model that a command changes.
#pragma once

#include <string>
#include <string_view>

namespace trtcheck::cli {

/// "net.fixed.onnx" of "net.onnx" and "fixed".
[[nodiscard]] std::string path_beside(const std::string& path, std::string_view word);

/// The file as it is, kept as "net.onnx.bak".
/// @throws Error  cannot read or write
void keep_old(const std::string& path);

}  // namespace trtcheck::cli
