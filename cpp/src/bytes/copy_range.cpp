#include "bytes/copy_range.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include <trtcheck/error.hpp>

#include "bytes/staged_file.hpp"

namespace trtcheck {
namespace {

// Read and written at once where the system cannot copy.
constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
// More the system does not copy at once, and no file has.
constexpr std::uint64_t kMostAtOnce = std::uint64_t{1} << 30;

/// Other file systems, old kernels, files of special kinds: reading and writing works there.
bool is_unable(int code) {
  return code == EXDEV || code == EINVAL || code == ENOSYS || code == EOPNOTSUPP || code == EPERM || code == EBADF ||
         code == ETXTBSY;
}

int copy_by_hand(const File& from, std::uint64_t offset, std::uint64_t length, int descriptor) {
  const auto size = static_cast<std::size_t>(std::min(kBlock, length));
  const auto block = std::make_unique<std::byte[]>(size);
  while (length > 0) {
    const std::span<std::byte> part(block.get(), static_cast<std::size_t>(std::min<std::uint64_t>(size, length)));
    from.read(offset, part);
    if (const int code = write_all(descriptor, {reinterpret_cast<const char*>(part.data()), part.size()}); code != 0)
      return code;
    offset += part.size();
    length -= part.size();
  }
  return 0;
}

}  // namespace

int copy_range(const File& from, std::uint64_t offset, std::uint64_t length, int descriptor) {
  while (length > 0) {
    auto at = static_cast<off_t>(offset);
    const auto count = static_cast<std::size_t>(std::min(kMostAtOnce, length));
    const ssize_t copied = ::copy_file_range(from.descriptor(), &at, descriptor, nullptr, count, 0);
    if (copied < 0 && errno == EINTR) continue;
    if (copied < 0 && is_unable(errno)) return copy_by_hand(from, offset, length, descriptor);
    if (copied < 0) return errno;
    if (copied == 0) throw Error(from.path(), "became shorter while it was read");
    offset += static_cast<std::uint64_t>(copied);
    length -= static_cast<std::uint64_t>(copied);
  }
  return 0;
}

}  // namespace trtcheck
