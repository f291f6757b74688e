// Bytes of one file into another one, without passing through this process where the system can do that.
#pragma once

#include <trtcheck/model.hpp>

#include "bytes/bytes.hpp"

namespace trtcheck {

/// Appends a range of `from` at the position of the descriptor.
/// @returns 0, or the error number of writing
/// @throws Error  `from` cannot be read, or became shorter
[[nodiscard]] int copy_range(const File& from, ByteRange range, int descriptor);

}  // namespace trtcheck
