#include "facts/operators.hpp"

#include <functional>
#include <unordered_map>

namespace trtcheck {
namespace {

/// What an answer may depend on.
struct Key {
  std::string_view op_type;
  std::string_view domain;
  std::int64_t opset;
  bool is_call;
  bool names_plugin;
  bool operator==(const Key&) const = default;
};

struct HashOfKey {
  std::size_t operator()(const Key& key) const noexcept {
    return std::hash<std::string_view>()(key.op_type) + static_cast<std::size_t>(key.opset);
  }
};

}  // namespace

Operators::Operators(const Model& model, const Target& target, std::span<const NodeId> nodes)
    : index_(model.node_count()) {
  std::unordered_map<Key, std::uint32_t, HashOfKey> known;
  GraphId graph;
  std::int64_t opset = 0;
  for (const NodeId id : nodes) {
    const Node& node = model.node(id);
    if (node.graph != graph) {
      graph = node.graph;
      opset = model.opset(graph).value_or(0);
    }
    const Key key{node.op_type, node.domain, opset, static_cast<bool>(node.call),
                  node.attribute("plugin_namespace") != nullptr};
    const auto [found, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(all_.size()));
    index_[id.index] = found->second;
    if (!is_new) continue;
    all_.push_back(
        {node.domain, node.op_type, opset, handler_of(node, target), op_support(node.op_type, target.release),
         opset == 0 || !node.domain.empty() || node.call ? nullptr
                                                         : schema::schema_facts(node.domain, node.op_type, opset)});
  }
}

}  // namespace trtcheck
