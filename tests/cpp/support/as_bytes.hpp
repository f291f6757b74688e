// A string as the span of bytes that the reader takes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace trtcheck::test {

/// The string must outlive the model that borrows it.
inline std::span<const std::byte> as_bytes(const std::string& bytes) {
  return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

}  // namespace trtcheck::test
