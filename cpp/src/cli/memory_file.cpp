#include "cli/memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "bytes/staged_file.hpp"

namespace trtcheck::cli {

MemoryFile::MemoryFile(std::span<const std::byte> content) : descriptor_(::memfd_create("model", MFD_CLOEXEC)) {
  const auto fail = [](int code) {
    throw Error("", "cannot make a file in memory: " + std::generic_category().message(code));
  };
  if (descriptor_ < 0) fail(errno);
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  if (const int code = write_all(descriptor_, text); code != 0) {
    ::close(descriptor_);
    fail(code);
  }
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_); }

}  // namespace trtcheck::cli
