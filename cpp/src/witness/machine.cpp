#include "witness/machine.hpp"

#include <unistd.h>

namespace trtcheck::witness {

std::uint64_t usual_memory() noexcept {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 4 * 3;
}

}  // namespace trtcheck::witness
