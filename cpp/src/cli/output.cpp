#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <filesystem>
#include <list>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <trtcheck/error.hpp>

#include "cli/interrupts.hpp"
#include "report/printable.hpp"

namespace trtcheck::cli {
namespace {

std::string system_error(int code) {
  std::string text = std::generic_category().message(code);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

[[noreturn]] void fail(const std::string& path, int code) { throw Error(path, "cannot write: " + system_error(code)); }

/// 0, or the error number.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// A file that vanishes unless it is renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target)
      : path_(target + ".XXXXXX"),
        descriptor_(::mkstemp(path_.data())),
        error_(descriptor_ < 0 ? errno : 0),
        unless_interrupted_(path_) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (named_) ::unlink(path_.c_str());
  }

  /// Each of these: 0, or the error number.
  int open(mode_t mode) {
    if (error_ != 0) return error_;
    named_ = true;
    return ::fchmod(descriptor_, mode) == 0 ? 0 : errno;
  }
  /// @pre open
  int write(std::string_view text) { return write_all(descriptor_, text); }
  int close() {
    if (::fsync(descriptor_) != 0) return errno;
    return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
  }
  int rename_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
    named_ = false;
    return 0;
  }

 private:
  std::string path_;
  int descriptor_;
  int error_;
  RemovedWhenInterrupted unless_interrupted_;
  bool named_ = false;
};

/// Whoever read our output wants no more of it.
struct ReaderGone {};

/// Where a document goes part by part: an open descriptor that is ours or standard output.
class DirectPlace {
 public:
  explicit DirectPlace(const std::string& path)
      : path_(path.empty() ? "standard output" : path),
        descriptor_(path.empty() ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CLOEXEC)),
        owned_(!path.empty()) {
    if (descriptor_ < 0) fail(path_, errno);
  }
  DirectPlace(const DirectPlace&) = delete;
  DirectPlace& operator=(const DirectPlace&) = delete;
  ~DirectPlace() {
    if (owned_) ::close(descriptor_);
  }

  /// @throws ReaderGone, Error
  void write(std::string_view text) {
    const int code = write_all(descriptor_, text);
    if (code == EPIPE) throw ReaderGone{};
    if (code != 0) fail(path_, code);
  }
  void close() {
    if (std::exchange(owned_, false) && ::close(descriptor_) != 0) fail(path_, errno);
  }

 private:
  std::string path_;
  int descriptor_;
  bool owned_;
};

void write_direct(const std::string& path, const std::function<void(const Sink&)>& make) {
  DirectPlace place(path);
  try {
    make([&place](std::string_view part) { place.write(part); });
  } catch (const ReaderGone&) {
  }
  place.close();
}

/// A regular file to be: checked and written next to its place, then put there.
class StagedFile {
 public:
  StagedFile(const std::string& path, std::span<const std::string> inputs) : path_(path) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (!exists && errno != ENOENT) fail(path, errno);
    if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
    special_ = exists && !S_ISREG(old.st_mode);
    for (const std::string& input : inputs) {
      if (exists && !special_ && same_file(input, path)) throw Error(path, "cannot write: it is one of the models");
    }
    // Renaming over a link would replace the link.
    std::error_code ignored;
    const std::filesystem::path real = std::filesystem::canonical(path, ignored);
    target_ = ignored ? path : real.string();
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode_ = exists ? old.st_mode & 07777U : 0666U & ~mask;
  }
  /// A pipe, a terminal, /dev/null: there is nothing to replace.
  [[nodiscard]] bool is_special() const noexcept { return special_; }

  void write(const std::function<void(const Sink&)>& make) {
    file_.emplace(target_);
    check(file_->open(mode_));
    make([this](std::string_view part) { check(file_->write(part)); });
    check(file_->close());
  }
  void put() { check(file_->rename_to(target_)); }

 private:
  void check(int code) const {
    if (code != 0) fail(path_, code);
  }

  std::string path_;
  std::string target_;
  mode_t mode_ = 0;
  bool special_ = false;
  std::optional<TemporaryFile> file_;
};

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  struct stat one {};
  struct stat other {};
  if (::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino && S_ISREG(one.st_mode);
  }
  // At least one of them is yet to be made.
  std::error_code ignored;
  const auto whole = [&ignored](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return whole(a) == whole(b);
}

void reserve_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Read-only on purpose: writing to a stream that the caller closed stays an error.
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDONLY);
  }
}

void write_outputs(std::span<const Output> outputs, std::span<const std::string> inputs) {
  std::list<StagedFile> staged;
  std::vector<const Output*> direct;
  const auto whole = [](const Output& output) { return [&output](const Sink& sink) { sink(output.text); }; };
  for (const Output& output : outputs) {
    if (output.request.file.empty()) {
      direct.push_back(&output);
      continue;
    }
    StagedFile& file = staged.emplace_back(output.request.file, inputs);
    if (file.is_special()) {
      staged.pop_back();
      direct.push_back(&output);
    } else {
      file.write(whole(output));
    }
  }
  for (StagedFile& file : staged) file.put();
  for (const Output* output : direct) write_direct(output->request.file, whole(*output));
}

void write_output(const OutputRequest& request, std::string text, std::span<const std::string> inputs) {
  const Output output{request, std::move(text)};
  write_outputs({&output, 1}, inputs);
}

void write_output(const OutputRequest& request, const std::function<void(const Sink&)>& make,
                  std::span<const std::string> inputs) {
  if (!request.file.empty()) {
    StagedFile file(request.file, inputs);
    if (!file.is_special()) {
      file.write(make);
      return file.put();
    }
  }
  write_direct(request.file, make);
}

void write_standard_error(std::string_view text) {
  // Nobody is left to hear about a failure here.
  static_cast<void>(write_all(STDERR_FILENO, text));
}

void complain(std::string_view message) { write_standard_error("trtcheck: " + report::printable(message) + "\n"); }

}  // namespace trtcheck::cli
