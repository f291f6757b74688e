#include "settings/places.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>

#include <trtcheck/error.hpp>

#include "bytes/real_path.hpp"
#include "text/system_error.hpp"

namespace trtcheck::settings {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what, int code) {
  throw Error(shown_path(path), what + ": " + system_error_text(code));
}

std::string working_folder() {
  std::error_code failed;
  const fs::path folder = fs::current_path(failed);
  if (failed) throw Error("", "the working folder cannot be found: " + system_error_text(failed.value()));
  return folder.string();
}

class File {
 public:
  explicit File(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail(path, "cannot be opened", errno);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(descriptor_); }
  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// Absolute, and without anything to be taken out of it. Hidden files go the long way.
bool is_plain(std::string_view path) {
  return path.starts_with('/') && !path.ends_with('/') && path.find("//") == std::string_view::npos &&
         path.find("/.") == std::string_view::npos;
}

}  // namespace

std::string absolute_path(const std::string& path) {
  if (path.find('\0') != std::string::npos) throw Error(path, "the path contains a NUL byte");
  if (path.size() >= PATH_MAX) throw Error(path, "cannot be opened: " + system_error_text(ENAMETOOLONG));
  if (is_plain(path)) return path;
  const fs::path whole(path.starts_with('/') ? path : working_folder() + "/" + path);
  bool climbs = false;
  for (const fs::path& part : whole) climbs = climbs || part == "..";
  if (climbs) {
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(whole, failed);
    if (!failed) return without_slash_at_end(real.string());
  }
  const std::string made = whole.lexically_normal().string();
  return without_slash_at_end(made.starts_with("//") ? made.substr(1) : made);
}

std::string parent_of(const std::string& absolute) {
  const std::size_t slash = absolute.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : absolute.substr(0, slash);
}

std::string shown_path(const std::string& absolute) {
  std::error_code failed;
  const std::string folder = fs::current_path(failed).string();
  if (failed) return absolute;
  const std::string_view rest = below(folder, absolute);
  return rest.empty() ? absolute : std::string(rest);
}

std::string_view below(std::string_view folder, std::string_view path) noexcept {
  if (folder == "/") folder = "";
  if (!path.starts_with(folder)) return {};
  path.remove_prefix(folder.size());
  return path.starts_with('/') ? path.substr(1) : std::string_view{};
}

bool is_file(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return false;  // not there, or in a folder that we may not look into
  // A link that leads nowhere is somebody's mistake, not the absence of settings.
  if (S_ISLNK(info.st_mode) && ::stat(path.c_str(), &info) != 0) fail(path, "cannot be opened", errno);
  if (S_ISDIR(info.st_mode)) return false;
  if (!S_ISREG(info.st_mode)) throw Error(shown_path(path), "is no regular file");
  return true;
}

std::string read_file(const std::string& path) {
  const File file(path);
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) throw Error(shown_path(path), "is a directory");
  std::string text;
  while (text.size() <= kMostBytes) {
    const std::size_t used = text.size();
    text.resize(used + (std::size_t{1} << 14));
    const ssize_t got = ::read(file.get(), text.data() + used, text.size() - used);
    if (got < 0 && errno != EINTR) fail(path, "cannot be read", errno);
    text.resize(used + static_cast<std::size_t>(got < 0 ? 0 : got));
    if (got == 0) return text;
  }
  throw Error(shown_path(path), "is longer than 1 MiB, which no configuration file is");
}

}  // namespace trtcheck::settings
