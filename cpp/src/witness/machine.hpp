// What this machine can give to a process.
#pragma once

#include <cstdint>

namespace trtcheck::witness {

/// Three quarters of its memory, in bytes.
[[nodiscard]] std::uint64_t usual_memory() noexcept;

}  // namespace trtcheck::witness
