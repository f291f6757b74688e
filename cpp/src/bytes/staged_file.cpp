#include "bytes/staged_file.hpp"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkstemp is POSIX
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <trtcheck/error.hpp>

#include "bytes/copy_range.hpp"
#include "bytes/real_path.hpp"
#include "text/system_error.hpp"

namespace trtcheck {
namespace {

// A signal handler can see nothing but globals.
static_assert(std::atomic<const char*>::is_always_lock_free);
std::array<std::atomic<const char*>, 16> half_written{};

/// Notes a file that a signal must not leave behind.
class RemovedWhenInterrupted {
 public:
  /// @param path  outlives this object, and does not change
  explicit RemovedWhenInterrupted(const std::string& path) noexcept : path_(path.c_str()) {
    for (auto& slot : half_written) {
      const char* none = nullptr;
      if (slot.compare_exchange_strong(none, path_)) return;
    }
  }
  RemovedWhenInterrupted(const RemovedWhenInterrupted&) = delete;
  RemovedWhenInterrupted& operator=(const RemovedWhenInterrupted&) = delete;
  ~RemovedWhenInterrupted() {
    for (auto& slot : half_written) {
      const char* own = path_;
      slot.compare_exchange_strong(own, nullptr);
    }
  }

 private:
  const char* path_;
};

}  // namespace

void remove_half_written() noexcept {
  for (const auto& slot : half_written) {
    if (const char* path = slot.load()) ::unlink(path);
  }
}

int write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void fail_to_write(const std::string& path, int code) { throw Error(path, "cannot write: " + system_error_text(code)); }

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  struct stat one {};
  struct stat other {};
  if (::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino && S_ISREG(one.st_mode);
  }
  // At least one of them is yet to be made.
  return real_path(a) == real_path(b);
}

void refuse_inputs(const std::string& path, std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    if (same_file(input, path)) throw Error(path, "cannot write: it is one of the files that are read");
  }
}

int FileSink::write(std::string_view bytes) const noexcept { return write_all(descriptor_, bytes); }

int FileSink::copy(const File& from, std::uint64_t offset, std::uint64_t length) const {
  return copy_range(from, offset, length, descriptor_);
}

/// A file that vanishes unless it is renamed into place.
class StagedFile::Temporary {
 public:
  explicit Temporary(const std::string& target)
      : path_(target + ".XXXXXX"),
        descriptor_(::mkstemp(path_.data())),
        error_(descriptor_ < 0 ? errno : 0),
        unless_interrupted_(path_) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (named_) ::unlink(there_ != nullptr ? there_->c_str() : path_.c_str());
  }

  /// Each of these: 0, or the error number.
  int open(mode_t mode) {
    if (error_ != 0) return error_;
    named_ = true;
    return ::fchmod(descriptor_, mode) == 0 ? 0 : errno;
  }
  /// @pre open
  int write(std::string_view text) { return write_all(descriptor_, text); }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  int close() {
    if (::fsync(descriptor_) != 0) return errno;
    return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
  }
  int rename_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
    keep();
    return 0;
  }
  /// @param target  outlives this object
  int rename_for_now(const std::string& target) {
    there_unless_interrupted_.emplace(target);
    if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
    there_ = &target;
    return 0;
  }
  void keep() noexcept {
    there_unless_interrupted_.reset();
    named_ = false;
  }

 private:
  std::string path_;
  int descriptor_;
  int error_;
  RemovedWhenInterrupted unless_interrupted_;
  std::optional<RemovedWhenInterrupted> there_unless_interrupted_;
  const std::string* there_ = nullptr;  ///< where it was put for now
  bool named_ = false;
};

StagedFile::StagedFile(const std::string& path, std::span<const std::string> inputs) : path_(path) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail_to_write(path, errno);
  if (exists && S_ISDIR(old.st_mode)) fail_to_write(path, EISDIR);
  special_ = exists && !S_ISREG(old.st_mode);
  if (exists && !special_) refuse_inputs(path, inputs);
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::canonical(path, ignored);
  target_ = ignored ? path : real.string();
  const mode_t mask = ::umask(0);
  ::umask(mask);
  mode_ = exists ? old.st_mode & 07777U : 0666U & ~mask;
}

StagedFile::~StagedFile() = default;

void StagedFile::write(const std::function<void(const Sink&)>& make) {
  file_ = std::make_unique<Temporary>(target_);
  check(file_->open(mode_));
  make([this](std::string_view part) { check(file_->write(part)); });
  check(file_->close());
}

void StagedFile::write_ranges(const std::function<int(const FileSink&)>& make) {
  file_ = std::make_unique<Temporary>(target_);
  check(file_->open(mode_));
  check(make(FileSink(file_->descriptor())));
  check(file_->close());
}

const std::string& StagedFile::temporary() const noexcept { return file_->path(); }

void StagedFile::put() { check(file_->rename_to(target_)); }

void StagedFile::put_for_now() { check(file_->rename_for_now(target_)); }

void StagedFile::keep() noexcept { file_->keep(); }

void StagedFile::take_away() noexcept { ::unlink(target_.c_str()); }

void StagedFile::check(int code) const {
  if (code != 0) fail_to_write(path_, code);
}

}  // namespace trtcheck
