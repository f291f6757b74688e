#include "bytes/own_file.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace trtcheck {

namespace fs = std::filesystem;

fs::path own_file() {
  Dl_info info{};
  link_map* map = nullptr;
  ::dladdr1(reinterpret_cast<const void*>(&own_file), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  // The loader knows the program itself by an empty name, or, where it is linked statically, not at all.
  const bool is_program = map == nullptr || *map->l_name == '\0';
  std::error_code ignored;
  return fs::canonical(is_program ? "/proc/self/exe" : map->l_name, ignored);
}

std::vector<fs::path> python_folders_in(const fs::path& lib) {
  std::vector<fs::path> found;
  std::error_code ignored;
  // An error is the end.
  for (fs::directory_iterator entry(lib, ignored), end; entry != end; entry.increment(ignored)) {
    if (!entry->path().filename().string().starts_with("python")) continue;
    for (const char* const packages : {"site-packages", "dist-packages"}) found.push_back(entry->path() / packages);
  }
  std::ranges::sort(found);
  return found;
}

bool is_trusted_file(const fs::path& file) {
  struct stat there {};
  if (::stat(file.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return false;
  // Root's where it cannot be told.
  struct stat own {};
  ::stat(own_file().c_str(), &own);
  const std::array trusted{uid_t{0}, ::geteuid(), own.st_uid};
  return std::ranges::find(trusted, there.st_uid) != trusted.end();
}

}  // namespace trtcheck
