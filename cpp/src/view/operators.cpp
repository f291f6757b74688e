#include "view/operators.hpp"

#include <algorithm>
#include <functional>
#include <memory_resource>
#include <unordered_map>

#include "target/tables.hpp"

namespace trtcheck {
namespace {

/// What operators are told apart by.
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

/// What the answer of a release depends on. A file of a few megabytes can name 200,000 operators that no table has.
Key key_of_answer(const Node& node, const Target& target) {
  const bool is_known =
      is_in_tables(node.op_type) || std::ranges::find(target.plugins, node.op_type) != target.plugins.end();
  return {is_known ? node.op_type : std::string_view(),
          {},
          0,
          static_cast<bool>(node.call()),
          node.attribute("plugin_namespace") != nullptr};
}

}  // namespace

Operators::Operators(const Model& model, const Target& target, std::span<const TrtVersion> releases,
                     std::span<const NodeId> nodes)
    : index_(model.node_count()) {
  std::pmr::monotonic_buffer_resource memory;  // freed in one go, however many there are
  std::pmr::unordered_map<Key, std::uint32_t, HashOfKey> known(&memory);
  std::pmr::unordered_map<Key, std::uint32_t, HashOfKey> slots(&memory);
  std::vector<NodeId> first;  // of each answer
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
    const auto [slot, is_new_slot] =
        slots.try_emplace(key_of_answer(node, target), static_cast<std::uint32_t>(first.size()));
    slot_.push_back(slot->second);
    if (is_new_slot) first.push_back(id);
  }
  ask(model, target, releases, first);
}

void Operators::ask(const Model& model, const Target& target, std::span<const TrtVersion> releases,
                    std::span<const NodeId> first) {
  slots_ = first.size();
  answers_.reserve(slots_ * releases.size());
  Target asked = target;
  for (const TrtVersion release : releases) {
    asked.release = release;
    for (const NodeId id : first) {
      answers_.push_back({trtcheck::handler_of(model.node(id), asked), op_support(model.node(id).op_type, release)});
    }
    const auto row = [&](std::size_t at) { return std::span(answers_).subspan(at * slots_, slots_); };
    const auto own = row(groups_.size());
    std::size_t group = 0;
    while (group < groups_.size() && !std::ranges::equal(row(group), own, [](const Answer& a, const Answer& b) {
             return a.handler == b.handler && a.support.support == b.support.support;
           })) {
      ++group;
    }
    groups_.push_back(group);
  }
}

}  // namespace trtcheck
