#include "bytes/bytes.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <trtcheck/error.hpp>

namespace trtcheck {
namespace {

// Below this a copy costs less than the page faults of a mapping.
constexpr std::size_t kReadBelow = std::size_t{256} << 10;
// What Linux maps at most around one touched byte (a large folio of the page cache).
constexpr std::size_t kFolio = std::size_t{2} << 20;
// A pipe has no size to check beforehand; this keeps an endless one from eating the machine's memory.
constexpr std::size_t kPipeLimit = std::size_t{4} << 30;

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(path, std::string(what) + ": " + std::generic_category().message(errno));
}

std::size_t read_some(const std::string& path, int fd, std::byte* into, std::size_t count) {
  for (;;) {
    const ssize_t got = ::read(fd, into, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(path, "cannot be read");
  }
}

/// Until the first byte, or until a writer has come and gone. Before that, reading would give the end of the file.
void wait_for_writer(const std::string& path, int fd) {
  struct statfs system {};
  // To a pipe without a name nobody comes late.
  if (::fstatfs(fd, &system) != 0 || system.f_type == PIPEFS_MAGIC) return;
  pollfd pipe{fd, POLLIN, 0};
  // It may take for ever, so whoever interrupts us is heard.
  if (::poll(&pipe, 1, -1) < 0) fail(path, "nobody has written to the pipe yet");
}

std::vector<std::byte> read_pipe(const std::string& path, int fd) {
  if (struct stat info{}; ::fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode)) wait_for_writer(path, fd);
  // It was opened without blocking, to be able to say what else it is; reading may wait.
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0) fail(path, "cannot be read");
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  for (;;) {
    if (used == bytes.size()) bytes.resize(std::max<std::size_t>(std::size_t{1} << 16, used * 2));
    const std::size_t got = read_some(path, fd, bytes.data() + used, bytes.size() - used);
    if (got == 0) break;
    used += got;
    if (used > kPipeLimit)
      throw Error(path, "the pipe holds more than 4 GiB; a file of that size can be mapped instead");
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

void Unmap::operator()(void* address) const noexcept { ::munmap(address, length); }

Bytes Bytes::borrow(std::span<const std::byte> bytes) {
  Bytes result;
  result.bytes_ = bytes;
  return result;
}

void Bytes::forget(std::size_t offset, std::size_t length) const noexcept {
  if (!is_mapped() || length == 0) return;
  const std::size_t first = offset / kFolio * kFolio;
  const std::size_t last = std::min(bytes_.size(), (offset + length + kFolio - 1) / kFolio * kFolio);
  // The mapping is private and never written to: the kernel reads the file again when somebody looks.
  ::madvise(static_cast<std::byte*>(mapping_.get()) + first, last - first, MADV_DONTNEED);
}

Bytes Bytes::map(const std::string& path) {
  if (path.find('\0') != std::string::npos) throw Error(path, "the path contains a NUL byte");
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(path, "cannot be opened");
  return of_descriptor(path, file.get());
}

Bytes Bytes::of_descriptor(const std::string& path, int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) fail(path, "cannot be read");

  Bytes result;
  if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) {
    const std::vector<std::byte> bytes = read_pipe(path, descriptor);
    result.copy_ = std::make_unique<std::byte[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), result.copy_.get());
    result.bytes_ = {result.copy_.get(), bytes.size()};
    return result;
  }
  if (S_ISDIR(info.st_mode)) throw Error(path, "is a directory, not an ONNX file");
  if (::isatty(descriptor) == 1) throw Error(path, "is a terminal, not an ONNX file");
  if (!S_ISREG(info.st_mode)) throw Error(path, "is neither a file nor a pipe");

  const auto size = static_cast<std::size_t>(info.st_size);
  if (size < kReadBelow) {
    result.copy_ = std::make_unique<std::byte[]>(size);
    std::size_t used = 0;
    while (used < size) {
      const std::size_t got = read_some(path, descriptor, result.copy_.get() + used, size - used);
      if (got == 0) break;  // truncated since fstat
      used += got;
    }
    result.bytes_ = {result.copy_.get(), used};
    return result;
  }
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) fail(path, "cannot be mapped");
  result.mapping_ = std::unique_ptr<void, Unmap>(address, Unmap{size});
  result.bytes_ = {static_cast<const std::byte*>(address), size};
  return result;
}

}  // namespace trtcheck
