#include "request.hpp"

#include <charconv>
#include <stdexcept>

namespace trtcheck::witness {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// `1x3x224x224`; "" is a scalar.
Dims parse_dims(const std::string& text, const std::string& word) {
  Dims dims;
  if (text.empty()) return dims;
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() > dims.extents.size()) refuse("--profile " + word + ": more than 8 dims");
  for (const std::string& part : parts) {
    std::int64_t extent = 0;
    const char* const end = part.data() + part.size();
    const auto [last, failed] = std::from_chars(part.data(), end, extent);
    if (failed != std::errc{} || last != end || extent < 0)
      refuse(std::string("--profile ").append(word).append(": `").append(part).append("` is no extent"));
    dims.extents.at(static_cast<std::size_t>(dims.count++)) = extent;
  }
  return dims;
}

/// Names may hold `=` and `:`, dims do not.
InputRange parse_range(const std::string& word) {
  const std::size_t equals = word.rfind('=');
  if (equals == std::string::npos) refuse("--profile " + word + ": expected NAME=MIN:OPT:MAX");
  const std::vector<std::string> points = split(word.substr(equals + 1), ':');
  if (points.size() != 3) refuse("--profile " + word + ": expected NAME=MIN:OPT:MAX");
  InputRange range{word.substr(0, equals), {}};
  for (std::size_t i = 0; i < 3; ++i) range.points.at(i) = parse_dims(points[i], word);
  return range;
}

/// `8.6`, `12.0`: 86, 120.
int parse_capability(const std::string& word) {
  const std::vector<std::string> parts = split(word, '.');
  int major = 0, minor = 0;
  const auto read = [](const std::string& text, int& number) {
    const char* const end = text.data() + text.size();
    const auto [last, failed] = std::from_chars(text.data(), end, number);
    return failed == std::errc{} && last == end && number >= 0 && number < 100;
  };
  const bool is_right = parts.size() == 2 && read(parts[0], major) && read(parts[1], minor) && major > 0 && minor < 10;
  if (!is_right) refuse("--gpu " + word + ": expected a compute capability such as 8.6");
  return 10 * major + minor;
}

}  // namespace

const char* help_text() noexcept {
  return R"(trtcheck-witness: asks NVIDIA's own parser and builder about ONNX models

Usage: trtcheck-witness [OPTIONS] MODEL
       trtcheck-witness [OPTIONS] --batch
       trtcheck-witness [--library FILE] [--parser FILE] --self-test

Prints one line of JSON for each model. `trtcheck confirm` runs this program and compares the answer with what was
predicted: start there.

Options:
  --library FILE                 of the builder: libtensorrt_rtx.so.1, libnvinfer.so.10
  --parser FILE                  of the parser (default: beside the library)
  --profile NAME=MIN:OPT:MAX     sizes of a dynamic input, such as x=1x3:4x3:8x3; once for each input
  --gpu CAPABILITY               what TensorRT-RTX builds for, such as 8.6 (default: as it chooses)
  --parse-only                   the builder is not asked
  --batch                        reads paths of models from standard input, one a line
  --self-test                    builds a model of one Relu
  -h, --help                     prints this

Exit codes: 0 answered, 2 nothing could be asked (`{"format":1,"fatal":"..."}` says why).
)";
}

Request parse_request(const std::vector<std::string>& words) {
  Request request;
  bool only_paths = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) refuse(word + ": expected a value");
      return words[++i];
    };
    if (only_paths || !word.starts_with("-")) {
      if (!request.model.empty()) refuse("one model at a time, or --batch");
      request.model = word;
    } else if (word == "--help" || word == "-h") {
      request.help = true;
      return request;
    } else if (word == "--") {
      only_paths = true;
    } else if (word == "--library") {
      request.library = value();
    } else if (word == "--parser") {
      request.parser = value();
    } else if (word == "--profile") {
      request.profile.push_back(parse_range(value()));
    } else if (word == "--gpu") {
      request.capability = parse_capability(value());
    } else if (word == "--parse-only") {
      request.parse_only = true;
    } else if (word == "--batch") {
      request.batch = true;
    } else if (word == "--self-test") {
      request.self_test = true;
    } else {
      refuse("unknown option " + word);
    }
  }
  const int asked = (request.model.empty() ? 0 : 1) + (request.batch ? 1 : 0) + (request.self_test ? 1 : 0);
  if (asked != 1) refuse("expected one of MODEL, --batch and --self-test");
  return request;
}

}  // namespace trtcheck::witness
