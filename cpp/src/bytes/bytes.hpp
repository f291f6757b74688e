// The bytes of a model: a read-only mapping of a file, a small copy of one, or memory of the caller.
//
// A mapped file that somebody truncates while it is mapped makes the process fault (SIGBUS): the price of
// not reading weights. Small files are read, so they are immune.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace trtcheck {

struct Unmap {
  std::size_t length = 0;
  void operator()(void* address) const noexcept;
};

class Bytes {
 public:
  Bytes() = default;

  /// Maps a regular file (or reads a small one, or a pipe to its end).
  /// @throws Error  missing, unreadable, a directory, a device
  static Bytes map(const std::string& path);
  /// The same of a file, pipe or socket that is open already and stays open.
  /// @param name  for errors: "<stdin>"
  static Bytes of_descriptor(const std::string& name, int descriptor);
  /// Borrows: `bytes` must outlive the result.
  static Bytes borrow(std::span<const std::byte> bytes);

  [[nodiscard]] std::span<const std::byte> span() const noexcept { return bytes_; }
  /// These bytes will hardly be needed again: gives back the memory that a mapping holds for them and for what the
  /// kernel mapped around them. They stay readable. Nothing happens to bytes that are not mapped.
  void forget(std::size_t offset, std::size_t length) const noexcept;
  [[nodiscard]] bool is_mapped() const noexcept { return mapping_ != nullptr; }

 private:
  std::unique_ptr<void, Unmap> mapping_;
  std::unique_ptr<std::byte[]> copy_;
  std::span<const std::byte> bytes_;
};

}  // namespace trtcheck
