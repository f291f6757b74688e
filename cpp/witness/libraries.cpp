#include "libraries.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

namespace trtcheck::witness {
namespace {

namespace fs = std::filesystem;

/// By name, for the loader to find: library and parser of one product.
constexpr std::array kNames = {std::pair{"libnvinfer.so.11", "libnvonnxparser.so.11"},
                               std::pair{"libnvinfer.so.10", "libnvonnxparser.so.10"},
                               std::pair{"libtensorrt_rtx.so.1", "libtensorrt_onnxparser_rtx.so.1"}};
constexpr std::array<std::string_view, 2> kParsers = {"libtensorrt_onnxparser_rtx.so", "libnvonnxparser.so"};

std::string loader_says() {
  const char* const text = dlerror();
  return text == nullptr ? "cannot be loaded" : text;
}

/// Global: the parser asks for the library by a name that need not exist as a file.
void* load(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL); }

template <class Function>
Function symbol(void* library, const std::string& path, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw Fatal(path + ": has no " + name + ", it is not the library that was expected");
  return reinterpret_cast<Function>(found);
}

/// `name`, with or without a version behind it.
bool is_named(const std::string& file, std::string_view name) {
  return file.starts_with(name) && file.find_first_not_of(".0123456789", name.size()) == std::string::npos;
}

/// The one that came with the library; the newest where there are several.
std::string parser_beside(const std::string& library) {
  std::error_code failed;
  const fs::path folder = fs::path(library).parent_path();
  for (const std::string_view name : kParsers) {
    std::string found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, failed)) {
      if (is_named(entry.path().filename().string(), name)) found = std::max(found, entry.path().string());
    }
    if (!found.empty()) return found;
  }
  throw Fatal(library + ": no ONNX parser beside it; name it with --parser");
}

struct Open {
  void* library = nullptr;
  void* parser = nullptr;
  Library names;
};

Open open_named(const Request& request) {
  Open open;
  open.names.path = request.library;
  open.library = load(request.library);
  if (open.library == nullptr) throw Fatal(loader_says());
  open.names.parser = request.parser.empty() ? parser_beside(request.library) : request.parser;
  open.parser = load(open.names.parser);
  if (open.parser == nullptr) throw Fatal(loader_says());
  return open;
}

Open open_by_name() {
  for (const auto& [library, parser] : kNames) {
    Open open{load(library), nullptr, {}};
    if (open.library == nullptr) continue;
    open.parser = load(parser);
    if (open.parser == nullptr) continue;
    open.names.path = library;
    open.names.parser = parser;
    return open;
  }
  throw Fatal("no TensorRT on the library path; name its library with --library");
}

/// @returns "" for a version whose places of functions nobody has read.
std::string product_of(int number) {
  const int minor = number / 100;
  if (minor >= 104 && minor <= 107) return "rtx";
  return number / 10000 == 10 || number / 10000 == 11 ? "tensorrt" : "";
}

}  // namespace

Libraries open_libraries(const Request& request) {
  Open open = request.library.empty() ? open_by_name() : open_named(request);
  Libraries made;
  made.names = std::move(open.names);
  Library& names = made.names;
  names.number = symbol<int (*)()>(open.library, names.path, "getInferLibVersion")();
  names.product = product_of(names.number);
  if (names.product.empty()) {
    throw Fatal(names.path + ": is version " + names.release() +
                ", which is not known; known are TensorRT-RTX 1.4 to 1.7, TensorRT 10 and 11");
  }
  made.make_builder = symbol<MakeBuilder>(open.library, names.path, "createInferBuilder_INTERNAL");
  made.make_parser = symbol<MakeParser>(open.parser, names.parser, "createNvOnnxParser_INTERNAL");
  made.parser_version = symbol<int (*)()>(open.parser, names.parser, "getNvOnnxParserVersion")();
  return made;
}

bool has_driver() { return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr; }

}  // namespace trtcheck::witness
