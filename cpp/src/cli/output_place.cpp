#include "cli/output_place.hpp"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkstemp is POSIX
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "bytes/real_path.hpp"
#include "report/format_rows.hpp"

namespace trtcheck::cli {
namespace {

void refuse_closed_standard_output() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY) fail_to_write("standard output", EBADF);
}

/// A new file is written next to its place: the folder has to take it, and the disk to have a block left.
void refuse_folder(const std::string& path) {
  const std::string place = real_path(path).parent_path().string();
  struct stat info {};
  if (::stat(place.c_str(), &info) != 0) fail_to_write(path, errno);
  if (!S_ISDIR(info.st_mode)) fail_to_write(path, ENOTDIR);
  // Nothing but trying tells about access lists, read-only disks and file systems that take no files.
  std::string probe = place + "/.trtcheck.XXXXXX";
  const int descriptor = ::mkstemp(probe.data());
  if (descriptor < 0) fail_to_write(path, errno);
  ::close(descriptor);
  ::unlink(probe.c_str());
  struct statvfs disk {};
  if (::statvfs(place.c_str(), &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail == 0) fail_to_write(path, ENOSPC);
}

}  // namespace

void refuse_unwritable(const OutputRequest& request, std::span<const std::string> inputs) {
  const std::string& path = request.file;
  if (path.empty()) return refuse_closed_standard_output();
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    if (errno != ENOENT) fail_to_write(path, errno);
    return refuse_folder(path);
  }
  if (S_ISDIR(info.st_mode)) fail_to_write(path, EISDIR);
  if (!S_ISREG(info.st_mode)) {
    if (::access(path.c_str(), W_OK) != 0) fail_to_write(path, errno);
    return;
  }
  refuse_inputs(path, inputs);
  refuse_folder(path);
}

bool is_said_already(const OutputRequest& request, bool is_without_results) {
  return is_without_results && report::row_of(request.format).is_text && request.file.empty();
}

}  // namespace trtcheck::cli
