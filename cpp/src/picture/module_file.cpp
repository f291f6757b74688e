#include "picture/module_file.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/error.hpp>

#include "bytes/own_file.hpp"

namespace trtcheck::picture {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModule = "libtrtcheck_picture.so";

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
    for (const fs::path& packages : python_folders_in(above / lib)) folders.push_back(packages / "trtcheck");
  }
  std::vector<std::string> places;
  places.reserve(folders.size());
  for (const fs::path& place : folders) places.push_back((place / kModule).string());
  return places;
}

std::string find_module() {
  const std::vector<std::string> places = module_places();
  for (const std::string& place : places) {
    if (is_trusted_file(place)) return place;
  }
  const std::string where = places.empty() ? "" : " (it would be `" + places.front() + "`)";
  throw Error("picture", "the layout module is not installed" + where);
}

}  // namespace trtcheck::picture
