#include "bytes/own_file.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace trtcheck {

namespace fs = std::filesystem;

fs::path own_file() {
  std::error_code failed;
  Dl_info info{};
  link_map* map = nullptr;
  const int known =
      ::dladdr1(reinterpret_cast<const void*>(&own_file), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  if (known == 0 || map == nullptr || map->l_name == nullptr) return {};
  // The loader knows the program itself by an empty name.
  const fs::path name = *map->l_name == '\0' ? "/proc/self/exe" : map->l_name;
  const fs::path real = fs::canonical(name, failed);
  return failed ? fs::path{} : real;
}

std::vector<fs::path> python_folders_in(const fs::path& lib) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(lib, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with("python")) continue;
    for (const char* const packages : {"site-packages", "dist-packages"}) found.push_back(entry->path() / packages);
  }
  std::ranges::sort(found);
  return found;
}

bool is_trusted_file(const fs::path& file) {
  struct stat own {};
  const bool known = ::stat(own_file().c_str(), &own) == 0;
  struct stat there {};
  if (::stat(file.c_str(), &there) != 0 || !S_ISREG(there.st_mode)) return false;
  return there.st_uid == 0 || there.st_uid == ::geteuid() || (known && there.st_uid == own.st_uid);
}

}  // namespace trtcheck
