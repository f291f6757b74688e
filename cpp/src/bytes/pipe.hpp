// What comes through a pipe or a socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trtcheck {

/// Everything to its end; waits for it, and for whoever writes to a named pipe.
/// @param path  for errors
/// @param most  bytes
/// @throws Error  it cannot be read, or holds more
[[nodiscard]] std::vector<std::byte> read_pipe(const std::string& path, int descriptor, std::uint64_t most);

}  // namespace trtcheck
