#include "bytes/bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <trtcheck/error.hpp>

#include "bytes/pipe.hpp"

namespace trtcheck {
namespace {

// Memory of this size and more comes as pages that cost nothing before they are written to.
constexpr std::uint64_t kPagesFrom = std::uint64_t{256} << 10;
// A pipe has no size to check beforehand; this keeps an endless one from eating the machine's memory.
constexpr std::uint64_t kPipeLimit = std::uint64_t{4} << 30;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(path, std::string(what) + ": " + std::generic_category().message(errno));
}

FileState state_of(const struct stat& info) {
  return {.device = info.st_dev,
          .inode = info.st_ino,
          .size = static_cast<std::uint64_t>(info.st_size),
          .seconds = info.st_mtim.tv_sec,
          .nanoseconds = info.st_mtim.tv_nsec};
}

}  // namespace

File::File(std::string path, int descriptor, bool is_owned)
    : path_(std::move(path)), descriptor_(descriptor), is_owned_(is_owned) {}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(other.descriptor_),
      is_owned_(std::exchange(other.is_owned_, false)),
      is_pipe_(other.is_pipe_),
      state_(other.state_) {}

File::~File() {
  if (is_owned_) ::close(descriptor_);
}

File File::open(const std::string& path, Links links) {
  if (path.find('\0') != std::string::npos) throw Error(path, "the path contains a NUL byte");
  const int descriptor =
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (links == Links::refused ? O_NOFOLLOW : 0));
  if (descriptor < 0) fail(path, "cannot be opened");
  File file(path, descriptor, true);
  file.look();
  return file;
}

File File::of_descriptor(const std::string& name, int descriptor) {
  File file(name, descriptor, false);
  file.look();
  return file;
}

void File::look() {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) fail(path_, "cannot be read");
  is_pipe_ = S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode);
  if (is_pipe_) return;
  if (S_ISDIR(info.st_mode)) throw Error(path_, "is a directory, not an ONNX file");
  if (S_ISCHR(info.st_mode) && ::isatty(descriptor_) == 1) throw Error(path_, "is a terminal, not an ONNX file");
  if (!S_ISREG(info.st_mode)) throw Error(path_, "is neither a file nor a pipe");
  state_ = state_of(info);
}

FileState File::state_now() const {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) fail(path_, "cannot be read");
  return state_of(info);
}

void File::read(std::uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path_, "cannot be read");
    if (got == 0) throw Error(path_, "became shorter while it was read");
    offset += static_cast<std::uint64_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
}

void Unmap::operator()(void* address) const noexcept { ::munmap(address, length); }

Bytes Bytes::borrow(std::span<const std::byte> bytes) {
  Bytes result;
  result.bytes_ = bytes;
  return result;
}

Bytes Bytes::reserve(const std::string& path, std::uint64_t size) {
  Bytes result;
  if (size < kPagesFrom) {
    result.small_ = std::make_unique<std::byte[]>(size);
    result.bytes_ = {result.small_.get(), size};
    return result;
  }
  constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, kPrivate, -1, 0);
  if (address == MAP_FAILED)
    throw Error(path, "has " + std::to_string(size) + " bytes, for which this machine has no address space");
  // A huge page for each touched byte would cost what is to be saved.
  ::madvise(address, size, MADV_NOHUGEPAGE);
  result.pages_ = std::unique_ptr<void, Unmap>(address, Unmap{size});
  result.bytes_ = {static_cast<const std::byte*>(address), size};
  return result;
}

std::span<std::byte> Bytes::writable() noexcept {
  std::byte* start = pages_ ? static_cast<std::byte*>(pages_.get()) : small_.get();
  return {start, bytes_.size()};
}

Bytes Bytes::of(const File& file) {
  if (file.is_pipe()) {
    const std::vector<std::byte> content = read_pipe(file.path(), file.descriptor_, kPipeLimit);
    Bytes result = reserve(file.path(), content.size());
    std::copy(content.begin(), content.end(), result.writable().begin());
    return result;
  }
  Bytes result = reserve(file.path(), file.size());
  file.read(0, result.writable());
  return result;
}

}  // namespace trtcheck
