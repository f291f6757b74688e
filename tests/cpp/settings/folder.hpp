// A folder of its own for one test, gone afterwards.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <temporary_folder.hpp>

namespace trtcheck::test {

class Folder {
 public:
  [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string path() const { return path_.string(); }
  /// Makes the folders on the way, too.
  void write(std::string_view name, std::string_view text) const;

 private:
  TemporaryFolder made_;
  std::filesystem::path path_ = std::filesystem::canonical(made_.path);
};

}  // namespace trtcheck::test
