#include "cli/open_model.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/python_child.hpp"
#include "model/fetch.hpp"

namespace trtcheck::cli {
namespace {

// As the package `onnx` has them; python/trtcheck/_text_forms.py has the same.
constexpr std::array<std::string_view, 7> kEndings{".onnxtxt", ".onnxtext", ".textproto", ".prototxt",
                                                   ".pbtxt",   ".onnxjson", ".json"};

constexpr std::string_view kNeed = "reads text forms through the Python package onnx: `pip install onnx`";

Bytes bytes_of(const std::string& path, std::string_view text) {
  Bytes bytes = Bytes::reserve(path, text.size());
  if (!text.empty()) std::memcpy(bytes.writable().data(), text.data(), text.size());
  return bytes;
}

}  // namespace

bool is_text_form(const std::string& path) {
  return std::ranges::find(kEndings, std::filesystem::path(path).extension().string()) != kEndings.end();
}

Bytes as_binary(const std::string& path) {
  (void)File::open(path);  // what is missing is said as of any other file
  return told_of(path, [&] { return bytes_of(path, run_python("_text_forms", {path}, kNeed)); });
}

Model open_model(const std::string& path, const Limits& limits) {
  return is_text_form(path) ? read_model(as_binary(path), path, limits) : read_model(path, limits);
}

}  // namespace trtcheck::cli
