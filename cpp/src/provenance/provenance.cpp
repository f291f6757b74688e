#include "provenance/provenance.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "provenance/python_stack.hpp"

namespace trtcheck::rules {
namespace {

std::string_view metadata(const Node& node, std::string_view key) {
  const auto it = std::ranges::find(node.metadata(), key, &StringPair::key);
  return it == node.metadata().end() ? std::string_view{} : it->value;
}

Provenance own_provenance(const Node& node) {
  Provenance own;
  own.lines = lines_from_stack(metadata(node, "pkg.torch.onnx.stack_trace"));
  if (!own.lines.source) own.lines = lines_from_doc_string(node.doc_string());
  own.module = module_from_scopes(metadata(node, "pkg.torch.onnx.name_scopes"));
  if (own.module.empty()) own.module = module_from_namespace(metadata(node, "namespace"));
  if (own.module.empty()) own.module = module_from_node_name(node.name);
  return own;
}

std::vector<std::string_view> split_path(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('/', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

}  // namespace

namespace {

/// What torch.export itself adds (`size()` of an input) has a hook of its own in place of a module.
std::string of_program(std::string_view module) {
  return std::string(module.starts_with("_empty_nn_module_stack") ? std::string_view{} : module);
}

}  // namespace

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
  return names.size() < 2 ? std::string{} : of_program(names[names.size() - 2]);
}

std::string module_from_namespace(std::string_view text) {
  const std::vector<std::string_view> parts = split_path(text);
  if (parts.size() < 2) return {};
  const std::string_view part = parts[parts.size() - 2];
  const std::size_t colon = part.find(": ");
  return colon == std::string_view::npos ? std::string{} : of_program(part.substr(0, colon));
}

std::string module_from_node_name(std::string_view name) {
  if (!name.starts_with('/')) return {};
  std::vector<std::string_view> parts = split_path(name.substr(1));
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

const Provenance& Provenances::of(NodeId node) {
  // Outwards until a node that was looked at before; nesting has a limit in the reader.
  std::vector<NodeId> way;
  for (NodeId at = node; at && !found_.contains(at.index); at = model_->graph(model_->node(at).graph).parent) {
    way.push_back(at);
  }
  for (auto it = way.rbegin(); it != way.rend(); ++it) {
    Provenance own = own_provenance(model_->node(*it));
    if (const NodeId around = model_->graph(model_->node(*it).graph).parent) {
      const Provenance& outer = found_.at(around.index);
      if (!own.lines.source) own.lines = outer.lines;
      if (own.module.empty()) own.module = outer.module;
    }
    found_.emplace(it->index, std::move(own));
  }
  return found_.at(node.index);
}

}  // namespace trtcheck::rules
