#include "picture/module_file.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <trtcheck/error.hpp>

namespace trtcheck::picture {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModule = "libtrtcheck_picture.so";

/// The program, extension or library that this code is part of, links resolved; "" = cannot be told.
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

/// The folder `trtcheck` of every Python whose library stands in `lib`.
std::vector<fs::path> packages_in(const fs::path& lib) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(lib, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with("python")) continue;
    for (const char* const packages : {"site-packages", "dist-packages"}) {
      found.push_back(entry->path() / packages / "trtcheck");
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::vector<std::string> module_places() {
  const fs::path own = own_file();
  if (own.empty()) return {};
  const fs::path folder = own.parent_path();
  const fs::path above = folder.parent_path();
  // In turn: the extension in its package, libtrtcheck.so, `pip install --target` and build trees, an installed
  // program, the program of a wheel.
  std::vector<fs::path> folders{folder, folder / "trtcheck", above / "trtcheck", above / TRTCHECK_LIBDIR / "trtcheck"};
  for (const char* const lib : {"lib", "lib64"}) {
    for (fs::path& package : packages_in(above / lib)) folders.push_back(std::move(package));
  }
  std::vector<std::string> places;
  for (const fs::path& place : folders) places.push_back((place / kModule).string());
  return places;
}

std::string find_module() {
  struct stat own {};
  const bool known = ::stat(own_file().c_str(), &own) == 0;
  const std::vector<std::string> places = module_places();
  for (const std::string& place : places) {
    struct stat file {};
    if (::stat(place.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) continue;
    if (file.st_uid == 0 || file.st_uid == ::geteuid() || (known && file.st_uid == own.st_uid)) return place;
  }
  const std::string where = places.empty() ? "" : " (it would be `" + places.front() + "`)";
  throw Error("picture", "the layout module is not installed" + where);
}

}  // namespace trtcheck::picture
