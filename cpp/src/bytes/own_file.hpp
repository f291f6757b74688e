// Where this code stands on disk: what is installed beside it is found from there.
#pragma once

#include <filesystem>
#include <vector>

namespace trtcheck {

/// The program, extension or library that this code is part of, links resolved; "" = cannot be told.
[[nodiscard]] std::filesystem::path own_file();

/// `site-packages` and `dist-packages` of every Python whose library stands in `lib`, sorted; they need not exist.
[[nodiscard]] std::vector<std::filesystem::path> python_folders_in(const std::filesystem::path& lib);

/// Whether it is a regular file that may be run as code: it belongs to root, to the caller or to the owner of the
/// program.
[[nodiscard]] bool is_trusted_file(const std::filesystem::path& file);

}  // namespace trtcheck
