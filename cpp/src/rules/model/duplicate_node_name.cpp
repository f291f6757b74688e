#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::duplicate_node_name {
namespace {

struct Named {
  std::uint32_t slot;
  std::uint32_t order;
  NodeId id;
};
struct Repeat {
  std::uint32_t order;
  NodeId id;
  NodeId first;
};

/// Clones of a function are renamed by TensorRT together with the call.
bool has_own_name(const Model& model, const Node& node) {
  return !node.name.empty() && model.graph(node.graph).kind != Graph::Kind::function_call;
}

/// Nodes whose names may be on another node, too: all that repeat, and few others. Sorting all names costs more.
std::vector<Named> candidates(const RuleContext& context) {
  const Model& model = context.model();
  const std::size_t count = std::bit_ceil(16 * context.nodes().size() + 64);
  const auto bit = [](std::uint32_t slot) { return std::uint64_t{1} << (slot % 64); };
  std::vector<std::uint64_t> once(count / 64), twice(count / 64);
  std::vector<std::uint32_t> slots;
  slots.reserve(context.nodes().size());
  for (const NodeId id : context.nodes()) {
    const Node& node = model.node(id);
    if (!has_own_name(model, node)) continue;
    const auto slot = static_cast<std::uint32_t>(std::hash<std::string_view>()(node.name) % count);
    slots.push_back(slot);
    twice[slot / 64] |= once[slot / 64] & bit(slot);
    once[slot / 64] |= bit(slot);
  }
  std::vector<Named> named;
  std::uint32_t order = 0;
  for (const NodeId id : context.nodes()) {
    if (!has_own_name(model, model.node(id))) continue;
    const std::uint32_t slot = slots[order];
    if ((twice[slot / 64] & bit(slot)) != 0) named.push_back({slot, order, id});
    ++order;
  }
  return named;
}

void check(RuleContext& context) {
  const Model& model = context.model();
  std::vector<Named> named = candidates(context);
  const auto key = [&](const Named& one) { return std::pair(model.node(one.id).graph, model.node(one.id).name); };
  std::ranges::sort(named, [&](const Named& a, const Named& b) {
    if (a.slot != b.slot) return a.slot < b.slot;
    return std::pair(key(a), a.order) < std::pair(key(b), b.order);
  });
  std::vector<Repeat> repeats;
  const Named* first = nullptr;
  for (const Named& one : named) {
    if (first != nullptr && first->slot == one.slot && key(*first) == key(one)) {
      repeats.push_back({one.order, one.id, first->id});
    } else {
      first = &one;
    }
  }
  std::ranges::sort(repeats, {}, &Repeat::order);
  for (const auto& [order, id, before] : repeats) {
    const Node& node = model.node(id);
    context
        .add(id,
             fmt::format("node {} of the graph has the name `{}` of node {}; TensorRT renames it, so layer names in "
                         "logs and per-layer settings do not tell which one is meant",
                         node.position, node.name, model.node(before).position))
        .fix("give every node a name of its own");
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt importerUtils.cpp getNodeName, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL102",
    .name = "duplicate-node-name",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "two nodes of one graph with the same name",
    .docs = R"(## What it checks
Node names are unique in their graph. Nodes without a name are fine.

## Why TensorRT cares
Layers are named after nodes. A second layer of one name gets a suffix, so that precision settings by layer name, profiles
and log lines no longer say which node is meant.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  [act] t = Relu (x)
  [act] y = Neg (t)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  [act_1] t = Relu (x)
  [act_2] y = Neg (t)
}
```

## Fix
Rename the nodes.

## Evidence
onnx-tensorrt `importerUtils.cpp`, `getNodeName` (read at 10.10).
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::duplicate_node_name
