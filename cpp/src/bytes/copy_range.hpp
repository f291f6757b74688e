// Bytes of one file into another one, without passing through this process where the system can do that.
#pragma once

#include <cstdint>

#include "bytes/bytes.hpp"

namespace trtcheck {

/// Appends `length` bytes of `from`, from byte `offset` on, at the position of the descriptor.
/// @returns 0, or the error number of writing
/// @throws Error  `from` cannot be read, or became shorter
[[nodiscard]] int copy_range(const File& from, std::uint64_t offset, std::uint64_t length, int descriptor);

}  // namespace trtcheck
