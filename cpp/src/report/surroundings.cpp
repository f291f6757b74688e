#include "report/surroundings.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace trtcheck::report {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

Surroundings surroundings() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return {};
  for (const char* name : {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): read only
    if (value == nullptr || *value == '\0') continue;
    const fs::path root = fs::canonical(value, error);
    if (!error && is_below(here, root)) return {here.string(), root.string()};
  }
  return {here.string(), here.string()};
}

}  // namespace trtcheck::report
