#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <trtcheck/error.hpp>

#include "cli/interrupts.hpp"
#include "report/printable.hpp"

namespace trtcheck::cli {
namespace {

constexpr int kDefaultWidth = 100;
constexpr int kMaxWidth = 120;

std::string system_error(int code) {
  std::string text = std::generic_category().message(code);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

[[noreturn]] void fail(const std::string& path, int code) { throw Error(path, "cannot write: " + system_error(code)); }

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread, before any other
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

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

  /// 0, or the error number.
  int write(std::string_view text, mode_t mode) {
    if (error_ != 0) return error_;
    named_ = true;
    if (::fchmod(descriptor_, mode) != 0) return errno;
    if (const int code = write_all(descriptor_, text); code != 0) return code;
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

/// A pipe, a terminal, /dev/null: there is nothing to replace.
void write_special(const std::string& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  const int code = write_all(descriptor, text);
  const int closed = ::close(descriptor) == 0 ? 0 : errno;
  if (code != 0 && code != EPIPE) fail(path, code);
  if (closed != 0) fail(path, closed);
}

void write_file(const std::string& path, std::string_view text, std::span<const std::string> inputs) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail(path, errno);
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_special(path, text);
  for (const std::string& input : inputs) {
    struct stat model {};
    if (exists && ::stat(input.c_str(), &model) == 0 && model.st_dev == old.st_dev && model.st_ino == old.st_ino) {
      throw Error(path, "cannot write: it is one of the models");
    }
  }
  // Renaming over a link would replace the link.
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::canonical(path, ignored);
  const std::string target = ignored ? path : real.string();
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = exists ? old.st_mode & 07777U : 0666U & ~mask;
  TemporaryFile file(target);
  if (const int code = file.write(text, mode); code != 0) fail(path, code);
  if (const int code = file.rename_to(target); code != 0) fail(path, code);
}

}  // namespace

bool use_color(const OutputRequest& request) {
  if (request.no_color || !environment("NO_COLOR").empty() || !request.file.empty()) return false;
  if (const std::string_view force = environment("FORCE_COLOR"); !force.empty()) return force != "0";
  return ::isatty(STDOUT_FILENO) == 1 && environment("TERM") != "dumb";
}

int text_width() {
  const std::string_view columns = environment("COLUMNS");
  int width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  winsize size{};
  if (width <= 0 && ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    width = size.ws_col;
  }
  return width <= 0 ? kDefaultWidth : std::min(width, kMaxWidth);
}

void reserve_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Read-only on purpose: writing to a stream that the caller closed stays an error.
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDONLY);
  }
}

void write_output(const OutputRequest& request, std::string_view text, std::span<const std::string> inputs) {
  if (!request.file.empty()) return write_file(request.file, text, inputs);
  const int code = write_all(STDOUT_FILENO, text);
  if (code != 0 && code != EPIPE) fail("standard output", code);
}

void complain(std::string_view message) {
  // Nobody is left to hear about a failure here.
  static_cast<void>(write_all(STDERR_FILENO, "trtcheck: " + report::printable(message) + "\n"));
}

}  // namespace trtcheck::cli
