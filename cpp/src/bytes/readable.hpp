// Bytes that can be read by position: of a file, or of one that is yet to be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace trtcheck {

struct Readable {
  std::string path;        ///< for errors
  std::uint64_t size = 0;  ///< bytes
  /// Fills the span from that byte on. @throws Error  cannot be read
  std::function<void(std::uint64_t offset, std::span<std::byte> into)> read;
};

}  // namespace trtcheck
