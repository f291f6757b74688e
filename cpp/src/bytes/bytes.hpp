// The bytes of a model: memory of their own, or memory of the caller. No file is ever mapped: somebody who cuts a
// mapped file kills the process that looks at it (SIGBUS), and who overwrites one changes what was already checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace trtcheck {

/// Which file it is and when it was last written to: equal where nobody has touched it in between.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

/// A regular file or a pipe that is open for reading.
class File {
 public:
  enum class Links : bool { followed, refused };
  /// @param links   what to do when the path itself (not a folder on the way) is a symbolic link
  /// @throws Error  missing, unreadable, a directory, a device
  static File open(const std::string& path, Links links = Links::followed);
  /// The same of what is open already and stays open.
  /// @param name  for errors: "<stdin>"
  static File of_descriptor(const std::string& name, int descriptor);
  File(File&& other) noexcept;
  File& operator=(File&&) = delete;
  ~File();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Bytes, when it was opened; 0 of a pipe.
  [[nodiscard]] std::uint64_t size() const noexcept { return state_.size; }
  /// When it was opened; of a pipe nothing is set.
  [[nodiscard]] const FileState& state() const noexcept { return state_; }
  [[nodiscard]] bool is_pipe() const noexcept { return is_pipe_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// What the system says of it now; of a file that nobody touched it equals `state`.
  /// @throws Error  it cannot be asked
  [[nodiscard]] FileState state_now() const;
  /// @throws Error  the file has become shorter, or its disk fails
  void read(std::uint64_t offset, std::span<std::byte> into) const;

 private:
  friend class Bytes;
  File(std::string path, int descriptor, bool is_owned);
  void look();

  std::string path_;
  int descriptor_;
  bool is_owned_;
  bool is_pipe_ = false;
  FileState state_;
};

struct Unmap {
  std::size_t length = 0;
  void operator()(void* address) const noexcept;
};

class Bytes {
 public:
  Bytes() = default;

  /// A whole file, or a pipe to its end.
  /// @throws Error  as `File`
  static Bytes of(const File& file);
  static Bytes of_file(const std::string& path) { return of(File::open(path)); }
  /// Zeros, to be written to. Of large ones the pages that nobody writes to cost nothing.
  /// @param path  for errors
  /// @throws Error  this machine has no address space of that size
  static Bytes reserve(const std::string& path, std::uint64_t size);
  /// Borrows: `bytes` must outlive the result.
  static Bytes borrow(std::span<const std::byte> bytes);

  [[nodiscard]] std::span<const std::byte> span() const noexcept { return bytes_; }
  /// @pre not borrowed
  [[nodiscard]] std::span<std::byte> writable() noexcept;

 private:
  std::unique_ptr<void, Unmap> pages_;
  std::unique_ptr<std::byte[]> small_;
  std::span<const std::byte> bytes_;
};

}  // namespace trtcheck
