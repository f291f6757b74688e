#include "provenance/python_stack.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "text/trimmed.hpp"

namespace trtcheck::rules {
namespace {

// No path is longer (PATH_MAX of Linux), and no line that somebody wrote.
constexpr std::size_t kMaxText = 4096;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::optional<std::int64_t> line_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::string cut(std::string_view text) { return std::string(text.substr(0, kMaxText)); }

/// Whose code a frame is.
enum class Owner : std::uint8_t {
  user,
  package,    ///< installed, but not PyTorch
  framework,  ///< PyTorch, Python itself, and code that never was in a file ("<eval_with_key>.3")
  exporter,   ///< the part of PyTorch that calls the model: whoever called that is not the model
};

/// What follows "/torch/" in a file of PyTorch; "" = it is none. @pre `path` starts with a slash
std::string_view inside_torch(std::string_view path) {
  static constexpr std::array<std::string_view, 2> kInstalled{"/site-packages/torch/", "/dist-packages/torch/"};
  // Built from its sources, or named relative to them, as the exporter of 2.13 does.
  static constexpr std::array<std::string_view, 10> kFolders{
      "nn/", "jit/", "fx/", "_", "export/", "onnx/", "utils/", "ao/", "functional.py", "autograd/"};
  for (const std::string_view folder : kInstalled) {
    if (const std::size_t at = path.find(folder); at != std::string_view::npos) return path.substr(at + folder.size());
  }
  const std::size_t torch = path.find("/torch/");
  if (torch == std::string_view::npos) return {};
  const std::string_view rest = path.substr(torch + 7);
  const bool known = std::ranges::any_of(kFolders, [&](std::string_view part) { return rest.starts_with(part); });
  return known ? rest : std::string_view{};
}

/// ".../lib/python3.11/contextlib.py", "C:/Python311/Lib/contextlib.py", "C:/miniconda3/envs/a/Lib/contextlib.py"
bool is_standard_library(std::string_view path) {
  for (const std::string_view folder : {"/lib/python3.", "/lib64/python3."}) {
    if (path.find(folder) != std::string_view::npos) return true;
  }
  const std::size_t lib = path.find("/Lib/");
  if (lib == std::string_view::npos) return false;
  const std::string_view before = path.substr(0, lib);
  return before.find("/Python3") != std::string_view::npos || before.find("conda3") != std::string_view::npos;
}

Owner owner_of(std::string_view file) {
  if (file.starts_with('<')) return Owner::framework;
  std::string path = "/" + std::string(file);
  std::ranges::replace(path, '\\', '/');
  if (const std::string_view torch = inside_torch(path); !torch.empty()) {
    const bool calls = torch.starts_with("onnx/") || torch.starts_with("export/") || torch.starts_with("jit/_trace.py");
    return calls ? Owner::exporter : Owner::framework;
  }
  for (const std::string_view folder : {"/site-packages/", "/dist-packages/"}) {
    if (path.find(folder) != std::string::npos) return Owner::package;
  }
  return is_standard_library(path) ? Owner::framework : Owner::user;
}

/// Takes the frames of a stack, innermost first, and keeps those that count.
class Innermost {
 public:
  /// False when the frames behind it no longer count.
  bool take(SourceLocation frame) {
    switch (owner_of(frame.file)) {
      case Owner::framework:
        return true;
      case Owner::exporter:
        return false;
      case Owner::package:
        if (!lines_.library) lines_.library = std::move(frame);
        return true;
      case Owner::user:
        lines_.source = std::move(frame);
        return false;
    }
    return true;
  }
  [[nodiscard]] RecordedLines lines() && {
    if (!lines_.source) std::swap(lines_.source, lines_.library);
    return std::move(lines_);
  }

 private:
  RecordedLines lines_;
};

/// `File "x.py", line 3, in forward`
std::optional<SourceLocation> python_frame(std::string_view line) {
  static constexpr std::string_view kStart = "File \"", kLine = "\", line ", kIn = ", in ";
  line = trimmed(line);
  if (!line.starts_with(kStart)) return std::nullopt;
  const std::size_t at = line.rfind(kLine);
  if (at == std::string_view::npos || at < kStart.size()) return std::nullopt;
  SourceLocation source;
  source.file = cut(line.substr(kStart.size(), at - kStart.size()));
  std::string_view rest = line.substr(at + kLine.size());
  const std::size_t in = rest.find(kIn);
  if (in != std::string_view::npos) source.function = cut(rest.substr(in + kIn.size()));
  const auto number = line_number(rest.substr(0, in));
  if (!number) return std::nullopt;
  source.line = *number;
  return source;
}

/// `x.py(3): forward`
std::optional<SourceLocation> trace_frame(std::string_view line) {
  line = trimmed(line);
  const std::size_t close = line.rfind("): ");
  const std::size_t open = close == std::string_view::npos ? close : line.rfind('(', close);
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  const auto number = line_number(line.substr(open + 1, close - open - 1));
  if (!number) return std::nullopt;
  return SourceLocation{cut(line.substr(0, open)), *number, cut(line.substr(close + 3)), {}};
}

/// `# x.py:3:0`
std::optional<SourceLocation> comment_frame(std::string_view line) {
  const std::size_t hash = line.rfind("# ");
  if (hash == std::string_view::npos) return std::nullopt;
  const std::string_view place = trimmed(line.substr(hash + 2));
  const std::size_t column = place.rfind(':');
  if (column == std::string_view::npos || column == 0) return std::nullopt;
  const std::size_t row = place.rfind(':', column - 1);
  if (row == std::string_view::npos || row == 0) return std::nullopt;
  const auto number = line_number(place.substr(row + 1, column - row - 1));
  if (!number) return std::nullopt;
  return SourceLocation{cut(place.substr(0, row)), *number, {}, {}};
}

}  // namespace

RecordedLines lines_from_stack(std::string_view stack) {
  const std::vector<std::string_view> lines = split(stack, '\n');
  Innermost innermost;
  for (std::size_t i = lines.size(); i-- > 0;) {
    auto frame = python_frame(lines[i]);
    if (!frame) continue;
    if (i + 1 < lines.size() && !python_frame(lines[i + 1])) frame->code = cut(trimmed(lines[i + 1]));
    if (!innermost.take(std::move(*frame))) break;
  }
  return std::move(innermost).lines();
}

RecordedLines lines_from_doc_string(std::string_view doc) {
  Innermost innermost;
  for (std::string_view line : split(doc, '\n')) {
    auto frame = trace_frame(line);
    if (!frame) frame = comment_frame(line);
    if (frame && !innermost.take(std::move(*frame))) break;
  }
  return std::move(innermost).lines();
}

}  // namespace trtcheck::rules
