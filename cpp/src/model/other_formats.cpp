#include <algorithm>
#include <array>

#include "model/reader.hpp"

namespace trtcheck {
namespace {

struct Format {
  std::size_t offset;
  std::string_view magic;
  std::string_view name;
};

using namespace std::string_view_literals;
constexpr std::array kFormats{
    Format{0, "version https://git-lfs.github.com/spec/"sv,
           "a Git LFS pointer, the model itself was not downloaded: run `git lfs pull`"},
    Format{0, "PK\x03\x04"sv, "a ZIP archive (a PyTorch checkpoint or program, perhaps)"},
    Format{0, "\x80\x02"sv, "a Python pickle (a PyTorch checkpoint, perhaps)"},
    Format{0, "\x80\x04"sv, "a Python pickle"},
    Format{0, "\x89HDF\r\n"sv, "an HDF5 file"},
    Format{0, "\x1f\x8b"sv, "a gzip archive"},
    Format{0, "\x93NUMPY"sv, "a NumPy array"},
    Format{0, "GGUF"sv, "a GGUF model"},
    Format{0, "ftrt"sv, "a TensorRT engine"},
    Format{0, "ptrt"sv, "a TensorRT engine"},
    Format{4, "TFL3"sv, "a TensorFlow Lite model"},
    Format{4, "ORTM"sv, "a model in ONNX Runtime's own format"},
    Format{0, "<!DOCTYPE"sv, "an HTML page"},
    Format{0, "<html"sv, "an HTML page"},
};

bool is_text_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 ? byte != 0x7f : c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

std::string_view recognise_other_format(std::string_view file) {
  for (const Format& format : kFormats) {
    if (file.size() > format.offset && file.substr(format.offset).starts_with(format.magic)) return format.name;
  }
  const std::string_view head = file.substr(0, 256);
  // A model starts with field 1 as varint, byte 0x08, which no text contains.
  if (std::all_of(head.begin(), head.end(), is_text_byte)) return "a text file";
  return {};
}

}  // namespace trtcheck
