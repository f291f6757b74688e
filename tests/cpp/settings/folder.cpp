#include "folder.hpp"

#include <fstream>

namespace trtcheck::test {

namespace fs = std::filesystem;

void Folder::write(std::string_view name, std::string_view text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace trtcheck::test
