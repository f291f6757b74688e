#include "witness/locate.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include <trtcheck/error.hpp>

#include "bytes/own_file.hpp"
#include "witness/remember.hpp"

namespace trtcheck::witness {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "trtcheck-witness";
/// Packages of wheels with the libraries: that of ONNX Runtime, of which there is no old one, and NVIDIA's own.
constexpr std::array<std::string_view, 2> kWheels = {"onnxruntime_ep_nv_tensorrt_rtx", "tensorrt_rtx_libs"};

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

/// The files of that name, the last first: libx.so.1.7.1, libx.so.1, libx.so.
std::vector<fs::path> files_in(const std::vector<fs::path>& entries, std::string_view beginning) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (is_named(entry->filename().string(), beginning) && fs::is_regular_file(*entry, failed)) found.push_back(*entry);
  }
  return found;
}

/// Of the parsers the one with the library's version; else the last.
std::string parser_for(const fs::path& library, const std::vector<fs::path>& entries, const Pair& pair) {
  const std::vector<fs::path> parsers = files_in(entries, pair.parser);
  if (parsers.empty()) return "";
  const std::string version = library.filename().string().substr(pair.library.size());
  const auto same = std::ranges::find(parsers, std::string(pair.parser) + version,
                                      [](const fs::path& parser) { return parser.filename().string(); });
  return (same == parsers.end() ? parsers.front() : *same).string();
}

/// A file that two names lead to is there once.
std::vector<Libraries> pairs_in(const fs::path& folder) {
  const std::vector<fs::path> entries = entries_of(folder);
  std::vector<Libraries> found;
  std::vector<fs::path> known;
  for (const Pair& pair : kPairs) {
    for (const fs::path& library : files_in(entries, pair.library)) {
      std::error_code failed;
      const fs::path file = fs::canonical(library, failed);
      if (std::ranges::find(known, file) != known.end()) continue;
      known.push_back(file);
      std::string parser = parser_for(library, entries, pair);
      if (!parser.empty()) found.push_back({library.string(), std::move(parser)});
    }
  }
  return found;
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
    std::string parser = parser_for(library, entries, pair);
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

std::vector<Witness> with_all(const WitnessSearch& search, std::vector<Libraries> libraries) {
  std::vector<Witness> made;
  for (Libraries& each : libraries) made.push_back(with(search, std::move(each)));
  return made;
}

/// What the user named: a library, a folder, or a program.
std::vector<Witness> named(const WitnessSearch& search, const std::string& path, const std::string& by) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    std::vector<Witness> found = with_all(search, all_libraries_in(path));
    if (found.empty()) throw Error(path, by + ": holds neither TensorRT-RTX nor TensorRT 10 or 11 with an ONNX parser");
    return found;
  }
  if (!fs::is_regular_file(path, failed)) throw Error(path, by + ": there is no such file or folder");
  const fs::path file = fs::absolute(path, failed);
  if (is_library_name(file.filename().string())) return {with(search, libraries_with(file.string()))};
  if (::access(file.c_str(), X_OK) != 0) throw Error(path, by + ": is neither a library nor a program");
  return {Witness{file.string(), {}, {}, {}, {}}};
}

/// The folders of `trtcheck/witness` in the user's cache folder: one for each release that was put there, by whatever
/// name.
std::vector<fs::path> kept_folders() {
  const std::string cache = cache_folder();
  if (cache.empty()) return {};
  return entries_of(fs::path(cache) / "witness");
}

std::vector<std::string> places_in(const std::string& text) {
  std::vector<std::string> places;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    if (end > at) places.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return places;
}

std::vector<Witness> first_of(std::vector<Witness> found) {
  if (!found.empty()) found.erase(found.begin() + 1, found.end());
  return found;
}

/// Goes from place to place until it has enough.
class Search {
 public:
  Search(const WitnessSearch& search, bool only_first) : search_(search), only_first_(only_first) {}

  void in_folders(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
      if (!is_done()) add_place(with_all(search_, all_libraries_in(folder)));
    }
  }
  void named_by_variable() {
    for (const std::string& place : places_in(variable("TRTCHECK_WITNESS"))) {
      if (!is_done()) add_place(named(search_, place, "TRTCHECK_WITNESS"));
    }
  }
  /// All folders of the cache, or none.
  void kept() {
    if (is_done()) return;
    for (const fs::path& folder : kept_folders()) add(with_all(search_, all_libraries_in(folder)));
  }
  void of_the_loader() {
    if (!is_done()) add({with(search_, {})});
  }
  [[nodiscard]] std::vector<Witness> found() && { return std::move(found_); }

 private:
  [[nodiscard]] bool is_done() const { return only_first_ && !found_.empty(); }
  void add_place(std::vector<Witness> more) { add(only_first_ ? first_of(std::move(more)) : std::move(more)); }
  void add(std::vector<Witness> more) { std::ranges::move(more, std::back_inserter(found_)); }

  const WitnessSearch& search_;
  bool only_first_;
  std::vector<Witness> found_;
};

std::vector<Witness> located(const WitnessSearch& search, bool only_first) {
  if (!search.path.empty()) return first_of(named(search, search.path, "--witness"));
  Search going(search, only_first);
  going.in_folders(usual_folders(search.folders));
  going.named_by_variable();
  going.kept();
  going.of_the_loader();
  return std::move(going).found();
}

}  // namespace

std::vector<Libraries> all_libraries_in(const fs::path& folder) {
  std::vector<fs::path> places{folder, folder / "tensorrt_libs", folder / "lib"};
  for (const std::string_view wheel : kWheels) places.push_back(folder / wheel);
  for (const char* const lib : {"lib", "lib64"}) {
    for (const fs::path& packages : python_folders_in(folder / lib)) {
      for (const std::string_view wheel : kWheels) places.push_back(packages / wheel);
    }
  }
  std::vector<Libraries> found;
  for (const fs::path& place : places) std::ranges::move(pairs_in(place), std::back_inserter(found));
  return found;
}

std::optional<Libraries> libraries_in(const fs::path& folder) {
  std::vector<Libraries> found = all_libraries_in(folder);
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::string find_program() {
  const fs::path own = own_file();
  // Without a folder a name would be that of another program.
  if (own.empty()) throw Error("witness", "the program `trtcheck-witness` is not installed");
  const fs::path folder = own.parent_path();
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

std::vector<Witness> locate(const WitnessSearch& search) { return located(search, true); }

std::vector<Witness> locate_all(const WitnessSearch& search) { return located(search, false); }

}  // namespace trtcheck::witness
