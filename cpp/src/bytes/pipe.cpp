#include "bytes/pipe.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <trtcheck/error.hpp>

#include "text/bytes_text.hpp"

namespace trtcheck {
namespace {

[[noreturn]] void refuse_pipe(const std::string& path, const char* what) {
  throw Error(path, std::string(what) + ": " + std::generic_category().message(errno));
}

std::size_t read_some(const std::string& path, int fd, std::byte* into, std::size_t count) {
  for (;;) {
    const ssize_t got = ::read(fd, into, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) refuse_pipe(path, "cannot be read");
  }
}

/// Until the first byte, or until a writer has come and gone. Before that, reading would give the end of the file.
void wait_for_writer(const std::string& path, int fd) {
  struct statfs system {};
  ::fstatfs(fd, &system);
  // To a pipe without a name nobody comes late.
  if (system.f_type == PIPEFS_MAGIC) return;
  pollfd pipe{fd, POLLIN, 0};
  // It may take for ever, so whoever interrupts us is heard.
  if (::poll(&pipe, 1, -1) < 0) refuse_pipe(path, "nobody has written to the pipe yet");
}

}  // namespace

std::vector<std::byte> read_pipe(const std::string& path, int descriptor, std::uint64_t most) {
  wait_for_writer(path, descriptor);
  // It was opened without blocking, to be able to say what else it is; reading may wait, and fails if this does.
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 16;
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  for (;;) {
    // A byte more than it may hold, to see that it does.
    if (used == bytes.size()) bytes.resize(std::min(std::max<std::uint64_t>(kFirst, used * 2), most + 1));
    const std::size_t got = read_some(path, descriptor, bytes.data() + used, bytes.size() - used);
    if (got == 0) break;
    used += got;
    if (used > most) {
      throw Error(path, "the pipe holds more than " + bytes_text(most) + "; a file of that size can be read in parts");
    }
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace trtcheck
