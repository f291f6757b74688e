#include "witness/locate.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <trtcheck/error.hpp>

#include "bytes/own_file.hpp"

namespace trtcheck::witness {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "trtcheck-witness";
constexpr std::string_view kWheel = "onnxruntime_ep_nv_tensorrt_rtx";

struct Pair {
  std::string_view library;
  std::string_view parser;
};
/// Beginnings of file names that belong together.
constexpr std::array kPairs = {Pair{"libtensorrt_rtx.so", "libtensorrt_onnxparser_rtx.so"},
                               Pair{"libnvinfer.so.11", "libnvonnxparser.so.11"},
                               Pair{"libnvinfer.so.10", "libnvonnxparser.so.10"}};

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    found.push_back(entry->path());
  }
  std::ranges::sort(found);
  return found;
}

/// `beginning`, with or without a version behind it.
bool is_named(const std::string& file, std::string_view beginning) {
  return file.starts_with(beginning) && file.find_first_not_of(".0123456789", beginning.size()) == std::string::npos;
}

/// The last file of that name: libx.so, libx.so.1, libx.so.1.7.1.
std::string file_in(const std::vector<fs::path>& entries, std::string_view beginning) {
  std::error_code failed;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (is_named(entry->filename().string(), beginning) && fs::is_regular_file(*entry, failed)) {
      return entry->string();
    }
  }
  return "";
}

std::optional<Libraries> pair_in(const fs::path& folder) {
  const std::vector<fs::path> entries = entries_of(folder);
  for (const Pair& pair : kPairs) {
    Libraries found{file_in(entries, pair.library), file_in(entries, pair.parser)};
    if (!found.library.empty() && !found.parser.empty()) return found;
  }
  return std::nullopt;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_library_name(const std::string& name) { return name.find(".so") != std::string::npos; }

Libraries libraries_with(const std::string& library) {
  const std::string name = fs::path(library).filename().string();
  const std::vector<fs::path> entries = entries_of(fs::absolute(library).parent_path());
  for (const Pair& pair : kPairs) {
    if (!is_named(name, pair.library)) continue;
    std::string parser = file_in(entries, pair.parser);
    if (parser.empty()) throw Error(library, "there is no ONNX parser beside it");
    return {library, std::move(parser)};
  }
  throw Error(library, "is no library of TensorRT-RTX, TensorRT 10 or TensorRT 11, by its name");
}

std::string program_or_ours(const WitnessSearch& search) {
  return search.program.empty() ? find_program() : search.program;
}

Witness with(const WitnessSearch& search, Libraries libraries) {
  return {program_or_ours(search), std::move(libraries.library), std::move(libraries.parser), {}, {}};
}

/// What the user named: a library, a folder, or a program.
Witness named(const WitnessSearch& search, const std::string& path, const std::string& by) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    if (std::optional<Libraries> found = libraries_in(path)) return with(search, std::move(*found));
    throw Error(path, by + ": holds neither TensorRT-RTX nor TensorRT 10 or 11 with an ONNX parser");
  }
  if (!fs::is_regular_file(path, failed)) throw Error(path, by + ": there is no such file or folder");
  const fs::path file = fs::absolute(path, failed);
  if (is_library_name(file.filename().string())) return with(search, libraries_with(file.string()));
  if (::access(file.c_str(), X_OK) != 0) throw Error(path, by + ": is neither a library nor a program");
  return {file.string(), {}, {}, {}, {}};
}

}  // namespace

std::optional<Libraries> libraries_in(const fs::path& folder) {
  std::vector<fs::path> places{folder, folder / kWheel, folder / "tensorrt_libs", folder / "lib"};
  for (const char* const lib : {"lib", "lib64"}) {
    for (const fs::path& packages : python_folders_in(folder / lib)) places.push_back(packages / kWheel);
  }
  for (const fs::path& place : places) {
    if (std::optional<Libraries> found = pair_in(place)) return found;
  }
  return std::nullopt;
}

std::string find_program() {
  const fs::path folder = own_file().parent_path();
  // In turn: the program, a shared library in `lib` or below it, the extension in a package of a wheel.
  const std::array places{folder / kProgram, folder.parent_path() / "bin" / kProgram,
                          folder.parent_path().parent_path() / "bin" / kProgram,
                          folder.parent_path().parent_path().parent_path().parent_path() / "bin" / kProgram};
  const auto found = std::ranges::find_if(places, is_trusted_file);
  if (found != places.end()) return found->string();
  throw Error("witness", "the program `trtcheck-witness` is not installed (it would be `" + places[0].string() + "`)");
}

std::vector<fs::path> usual_folders(const std::vector<std::string>& folders) {
  std::vector<fs::path> found(folders.begin(), folders.end());
  const fs::path own = own_file();
  if (!own.empty()) found.push_back(own.parent_path().parent_path());  // a program in the `bin` of an environment
  if (const std::string environment = variable("VIRTUAL_ENV"); !environment.empty()) found.emplace_back(environment);
  return found;
}

Witness locate(const WitnessSearch& search) {
  if (!search.path.empty()) return named(search, search.path, "--witness");
  for (const fs::path& folder : usual_folders(search.folders)) {
    if (std::optional<Libraries> found = libraries_in(folder)) return with(search, std::move(*found));
  }
  if (const std::string path = variable("TRTCHECK_WITNESS"); !path.empty()) {
    return named(search, path, "TRTCHECK_WITNESS");
  }
  return with(search, {});
}

}  // namespace trtcheck::witness
