#include "view/operators.hpp"

#include <algorithm>
#include <functional>
#include <memory_resource>
#include <unordered_map>

#include "target/tables.hpp"

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

void ask(OperatorView& op, const Node& node, const Target& target) {
  op.same = {};
  const Listening listening(op.same, target.release);
  op.handler = handler_of(node, target);
  op.support = op_support(node.op_type, target.release);
}

/// No question about the node is answered by more than that its name is in no table.
bool is_unheard_of(const Node& node, const Target& target) {
  return !node.call() && node.attribute("plugin_namespace") == nullptr && !is_in_tables(node.op_type) &&
         std::ranges::find(target.plugins, node.op_type) == target.plugins.end();
}

}  // namespace

Operators::Operators(const Model& model, const Target& target, std::span<const NodeId> nodes)
    : model_(&model), index_(model.node_count()) {
  std::pmr::monotonic_buffer_resource memory;  // freed in one go, however many there are
  std::pmr::unordered_map<Key, std::uint32_t, HashOfKey> known(&memory);
  GraphId graph;
  std::int64_t opset = 0;
  for (const NodeId id : nodes) {
    const Node& node = model.node(id);
    if (node.graph != graph) {
      graph = node.graph;
      opset = model.opset(graph).value_or(0);
    }
    const Key key{node.op_type, node.domain(), opset, static_cast<bool>(node.call()),
                  node.attribute("plugin_namespace") != nullptr};
    const auto [found, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(all_.size()));
    index_[id.index] = found->second;
    if (!is_new) continue;
    OperatorView& made = all_.emplace_back();
    made.domain = node.domain();
    made.op_type = node.op_type;
    made.opset = opset;
    const bool has_schema = opset != 0 && node.domain().empty() && !node.call();
    if (has_schema) made.schema = schema::schema_facts(node.domain(), node.op_type, opset);
    first_.push_back(id);
    is_unheard_of_.push_back(is_unheard_of(node, target));
    ask(made, node, target);
  }
}

void Operators::turn_to(const Target& target) {
  const OperatorView* unheard_of = nullptr;  // the first one: a file of a few megabytes can name 200,000 of them
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (unheard_of == nullptr || !is_unheard_of_[i]) {
      ask(all_[i], model_->node(first_[i]), target);
      if (is_unheard_of_[i]) unheard_of = &all_[i];
      continue;
    }
    all_[i].handler = unheard_of->handler;
    all_[i].support = unheard_of->support;
    all_[i].same = unheard_of->same;
  }
}

}  // namespace trtcheck
