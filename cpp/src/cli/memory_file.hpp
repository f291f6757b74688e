// A file without a place on disk, for another program to read: it is gone with this one, however that ends.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace trtcheck::cli {

class MemoryFile {
 public:
  /// @throws Error  the system has no memory or no descriptor left
  explicit MemoryFile(std::span<const std::byte> content);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  /// By which programs of the same user open it as long as this lives.
  [[nodiscard]] std::string path() const;

 private:
  int descriptor_;
};

}  // namespace trtcheck::cli
