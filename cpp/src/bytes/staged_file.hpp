// Files that take their place only when all of them was written: on failure what was there stands untouched.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "bytes/bytes.hpp"

namespace trtcheck {

/// Takes the next part of a document.
using Sink = std::function<void(std::string_view)>;

/// Takes the next part of a file, and ranges of other files.
class FileSink {
 public:
  explicit FileSink(int descriptor) noexcept : descriptor_(descriptor) {}
  /// @returns 0, or the error number
  [[nodiscard]] int write(std::string_view bytes) const noexcept;
  /// @throws Error  the other file cannot be read
  [[nodiscard]] int copy(const File& from, std::uint64_t offset, std::uint64_t length) const;

 private:
  int descriptor_;
};

/// One file, by whatever names; "" is standard output.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

/// @throws Error  a file that is read is the one to be written
void refuse_inputs(const std::string& path, std::span<const std::string> inputs);

/// @param code  the error number of the system
/// @throws Error  always: "cannot write: no space left on device"
[[noreturn]] void fail_to_write(const std::string& path, int code);

/// Writes everything, whatever interrupts it. @return 0, or the error number
[[nodiscard]] int write_all(int descriptor, std::string_view text) noexcept;

/// A regular file to be: checked and written next to its place, then put there.
class StagedFile {
 public:
  /// @param inputs  files that are read; the new one may be none of them
  /// @throws Error  it is known already that it cannot be written
  StagedFile(const std::string& path, std::span<const std::string> inputs);
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  ~StagedFile();

  /// A pipe, a terminal, /dev/null: there is nothing to replace.
  [[nodiscard]] bool is_special() const noexcept { return special_; }
  /// @throws Error  cannot write
  void write(const std::function<void(const Sink&)>& make);
  /// The same, for who has ranges of other files to write. `make` gives the error number of what failed first, or 0.
  /// @throws Error  cannot write
  void write_ranges(const std::function<int(const FileSink&)>& make);
  /// Where it is before it is put there. @pre written
  [[nodiscard]] const std::string& temporary() const noexcept;
  /// @pre written
  /// @throws Error  cannot write
  void put();
  /// The same, but it is taken away again, by a signal too, unless `keep` follows. @pre nothing is in its place
  void put_for_now();
  void keep() noexcept;
  /// After `keep` all the same.
  void take_away() noexcept;

 private:
  class Temporary;
  void check(int code) const;

  std::string path_;
  std::string target_;  ///< behind links: renaming over a link would replace the link
  mode_t mode_ = 0;
  bool special_ = false;
  std::unique_ptr<Temporary> file_;
};

/// For a signal handler that ends the program: removes what is half written. Of more than 16 files at a time, the
/// further ones are left.
void remove_half_written() noexcept;

}  // namespace trtcheck
