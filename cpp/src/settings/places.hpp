// Paths of configuration: made absolute, shown short, read with care.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trtcheck::settings {

/// No configuration file is longer.
inline constexpr std::size_t kMostBytes = std::size_t{1} << 20;

/// Without "." and "//". Links are kept, as the user sees them, unless the path holds "..", which only the system can
/// resolve.
/// @param path  "" is the working folder
/// @throws Error  a NUL byte, or no working folder
[[nodiscard]] std::string absolute_path(const std::string& path);

/// The folder that holds it; "/" holds itself.
[[nodiscard]] std::string parent_of(const std::string& absolute);

/// Relative when it lies below the working folder.
[[nodiscard]] std::string shown_path(const std::string& absolute);

/// `path` from `folder` on: "models/a.onnx"; "" when it does not lie there.
[[nodiscard]] std::string_view below(std::string_view folder, std::string_view path) noexcept;

/// Whether a configuration file is there; a directory of that name is none.
/// @throws Error  there is something else that cannot be read
[[nodiscard]] bool is_file(const std::string& path);

/// @throws Error  cannot be read, or is longer than kMostBytes
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace trtcheck::settings
