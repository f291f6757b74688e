// How large something is, for people.
#pragma once

#include <cstdint>
#include <string>

namespace trtcheck {

/// "1 byte", "12 bytes", "1.5 GB", in powers of 1,024.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace trtcheck
