#include "rules/provenance.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace trtcheck::rules {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

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

/// PyTorch's own files, and code that never was in a file ("<eval_with_key>.3").
bool is_framework_file(std::string_view file) {
  static constexpr std::array<std::string_view, 3> kInstalled{"site-packages/torch/", "dist-packages/torch/",
                                                              "torch/onnx/"};
  static constexpr std::array<std::string_view, 9> kTorchFolders{
      "nn/", "jit/", "fx/", "_", "export/", "utils/", "ao/", "functional.py", "autograd/"};
  if (file.starts_with('<')) return true;
  std::string path(file);
  std::ranges::replace(path, '\\', '/');
  const auto inside = [&](std::string_view part) { return path.find(part) != std::string::npos; };
  if (std::ranges::any_of(kInstalled, inside)) return true;
  const std::size_t torch = path.find("/torch/");
  if (torch == std::string::npos) return false;
  const std::string_view rest = std::string_view(path).substr(torch + 7);
  return std::ranges::any_of(kTorchFolders, [&](std::string_view part) { return rest.starts_with(part); });
}

/// `File "x.py", line 3, in forward`
std::optional<SourceLocation> python_frame(std::string_view line) {
  static constexpr std::string_view kStart = "File \"", kLine = "\", line ", kIn = ", in ";
  line = trimmed(line);
  if (!line.starts_with(kStart)) return std::nullopt;
  const std::size_t at = line.rfind(kLine);
  if (at == std::string_view::npos || at < kStart.size()) return std::nullopt;
  SourceLocation source;
  source.file = line.substr(kStart.size(), at - kStart.size());
  std::string_view rest = line.substr(at + kLine.size());
  const std::size_t in = rest.find(kIn);
  if (in != std::string_view::npos) source.function = rest.substr(in + kIn.size());
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
  return SourceLocation{std::string(line.substr(0, open)), *number, std::string(line.substr(close + 3)), {}};
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
  return SourceLocation{std::string(place.substr(0, row)), *number, {}, {}};
}

std::string_view metadata(const Node& node, std::string_view key) {
  const auto it = std::ranges::find(node.metadata, key, &StringPair::key);
  return it == node.metadata.end() ? std::string_view{} : it->value;
}

Provenance own_provenance(const Node& node) {
  Provenance own;
  own.source = source_from_stack(metadata(node, "pkg.torch.onnx.stack_trace"));
  if (!own.source) own.source = source_from_doc_string(node.doc_string);
  own.module = module_from_scopes(metadata(node, "pkg.torch.onnx.name_scopes"));
  if (own.module.empty()) own.module = module_from_namespace(metadata(node, "namespace"));
  if (own.module.empty()) own.module = module_from_node_name(node.name);
  return own;
}

}  // namespace

std::optional<SourceLocation> source_from_stack(std::string_view stack) {
  const std::vector<std::string_view> lines = split(stack, '\n');
  for (std::size_t i = lines.size(); i-- > 0;) {
    auto source = python_frame(lines[i]);
    if (!source || is_framework_file(source->file)) continue;
    if (i + 1 < lines.size() && !python_frame(lines[i + 1])) source->code = trimmed(lines[i + 1]);
    return source;
  }
  return std::nullopt;
}

std::optional<SourceLocation> source_from_doc_string(std::string_view doc) {
  for (std::string_view line : split(doc, '\n')) {
    auto source = trace_frame(line);
    if (!source) source = comment_frame(line);
    if (!source) continue;
    // Behind the exporter comes the line that called it: that is not where the model is written.
    if (source->file.find("torch/onnx/") != std::string::npos) return std::nullopt;
    if (!is_framework_file(source->file)) return source;
  }
  return std::nullopt;
}

std::string module_from_scopes(std::string_view scopes) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < scopes.size();) {
    const std::size_t open = scopes.find_first_of("'\"", at);
    if (open == std::string_view::npos) break;
    const std::size_t close = scopes.find(scopes[open], open + 1);
    if (close == std::string_view::npos) break;
    names.push_back(scopes.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return names.size() < 2 ? std::string{} : std::string(names[names.size() - 2]);
}

std::string module_from_namespace(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '/');
  if (parts.size() < 2) return {};
  const std::string_view part = parts[parts.size() - 2];
  const std::size_t colon = part.find(": ");
  return colon == std::string_view::npos ? std::string{} : std::string(part.substr(0, colon));
}

std::string module_from_node_name(std::string_view name) {
  if (!name.starts_with('/')) return {};
  std::vector<std::string_view> parts = split(name.substr(1), '/');
  parts.pop_back();
  std::vector<std::string_view> modules;
  for (std::string_view part : parts) {
    if (part.empty()) return {};
    // A child of a list or Sequential repeats its parent: "/layer1/layer1.0".
    const bool repeats = !modules.empty() && part.starts_with(modules.back()) && part.size() > modules.back().size() &&
                         part[modules.back().size()] == '.';
    if (repeats) modules.pop_back();
    modules.push_back(part);
  }
  std::string path;
  for (std::string_view module : modules) path.append(path.empty() ? "" : ".").append(module);
  return path;
}

Provenance provenance_of(const Model& model, NodeId node) {
  Provenance found;
  for (NodeId at = node; at; at = model.graph(model.node(at).graph).parent) {
    Provenance own = own_provenance(model.node(at));
    if (!found.source) found.source = std::move(own.source);
    if (found.module.empty()) found.module = std::move(own.module);
    if (found.source && !found.module.empty()) break;
  }
  return found;
}

}  // namespace trtcheck::rules
