#include <algorithm>
#include <array>

#include "model/reader.hpp"

namespace trtcheck {
namespace {

struct KnownFormat {
  std::size_t offset;
  std::string_view magic;
  std::string_view name;
};

using namespace std::string_view_literals;
constexpr std::array kFormats{
    KnownFormat{0, "version https://git-lfs.github.com/spec/"sv,
                "a Git LFS pointer, the model itself was not downloaded: run `git lfs pull`"},
    KnownFormat{0, "\x89HDF\r\n"sv, "an HDF5 file (a Keras model, perhaps): export it with tf2onnx"},
    KnownFormat{0, "\x1f\x8b"sv, "a gzip archive: unpack it first"},
    KnownFormat{0, "BZh"sv, "a bzip2 archive: unpack it first"},
    KnownFormat{0, "\xfd\x37zXZ"sv, "an xz archive: unpack it first"},
    KnownFormat{0, "\x28\xb5\x2f\xfd"sv, "a Zstandard archive: unpack it first"},
    KnownFormat{0, "7z\xbc\xaf\x27\x1c"sv, "a 7z archive: unpack it first"},
    KnownFormat{257, "ustar"sv, "a tar archive: unpack it first"},
    KnownFormat{0, "\x93NUMPY"sv, "a NumPy array"},
    KnownFormat{0, "GGUF"sv, "a GGUF model"},
    KnownFormat{0, "ftrt"sv, "a TensorRT engine"},
    KnownFormat{0, "ptrt"sv, "a TensorRT engine"},
    KnownFormat{4, "TFL3"sv, "a TensorFlow Lite model: export it with tf2onnx"},
    KnownFormat{4, "ORTM"sv, "a model in ONNX Runtime's own format (.ort)"},
    KnownFormat{8, "{\""sv, "a safetensors file, weights without a graph"},
    KnownFormat{0, "\x89PNG\r\n"sv, "a PNG image"},
    KnownFormat{0, "\xff\xd8\xff"sv, "a JPEG image"},
    KnownFormat{0, "GIF8"sv, "a GIF image"},
    KnownFormat{8, "WEBP"sv, "a WebP image"},
    KnownFormat{0, "%PDF-"sv, "a PDF document"},
    KnownFormat{0, "\x7f\x45LF"sv, "a program or a shared library (ELF)"},
    KnownFormat{0, "MZ"sv, "a program or a shared library of Windows"},
    KnownFormat{0, "SQLite format 3"sv, "an SQLite database"},
};

bool is_text_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 ? byte != 0x7f : c == '\n' || c == '\r' || c == '\t';
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// By the names of the first files in it, which stand in front of their contents.
std::string_view kind_of_zip(std::string_view head) {
  if (has(head, "data.pkl") || has(head, "constants.pkl"))
    return "a PyTorch file (.pt): export the model with `torch.onnx.export`";
  if (has(head, "archive_format") || has(head, ".pt2")) return "a program of torch.export (.pt2): call its `.to_onnx`";
  if (has(head, "config.json") || has(head, "model.weights.h5"))
    return "a Keras model (.keras): export it with tf2onnx";
  if (has(head, ".npy")) return "an archive of NumPy arrays (.npz)";
  return "a ZIP archive (a PyTorch checkpoint or program, perhaps)";
}

/// Without blanks, and without the mark of UTF-8.
std::string_view trimmed(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

bool starts_with_tag(std::string_view text, std::string_view tag) {
  return text.size() >= tag.size() && std::ranges::equal(text.substr(0, tag.size()), tag, [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::string_view kind_of_text(std::string_view head) {
  const std::string_view text = trimmed(head);
  if (starts_with_tag(text, "<!doctype html") || starts_with_tag(text, "<html"))
    return "an HTML page (of a download that needs a login, perhaps)";
  if (text.starts_with("<?xml") || text.starts_with("<net ")) return "an XML file (an OpenVINO model, perhaps)";
  if (has(text, "ir_version:") || has(text, "\"irVersion\"")) {
    return "a text form of one: it is read from a file named .onnxtxt, .textproto or .json";
  }
  if (text.starts_with("{") || text.starts_with("[")) return "a JSON file";
  return "a text file";
}

}  // namespace

std::string_view recognise_other_format(std::string_view file) {
  const std::string_view head = file.substr(0, 4096);
  if (head.starts_with("PK\x03\x04"sv)) return kind_of_zip(head);
  if (head.size() > 1 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) {
    return "a Python pickle (a PyTorch checkpoint, perhaps)";
  }
  for (const KnownFormat& format : kFormats) {
    if (file.size() > format.offset && file.substr(format.offset).starts_with(format.magic)) return format.name;
  }
  // A model starts with field 1 as varint, byte 0x08, which no text contains.
  const std::string_view begin = trimmed(head).substr(0, 256);
  if (std::ranges::all_of(begin, is_text_byte)) return kind_of_text(head);
  return {};
}

}  // namespace trtcheck
