#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "text/printable.hpp"

namespace trtcheck::rules::name_too_long {
namespace {

constexpr std::size_t kLongest = 4095;
constexpr std::size_t kShown = 40;

bool is_too_long(std::string_view name) { return name.size() > kLongest; }

/// Nearly no model has one.
bool has_long_name(const Model& model) {
  for (std::uint32_t i = 0, count = static_cast<std::uint32_t>(model.value_count()); i < count; ++i) {
    if (is_too_long(model.value(ValueId{i}).name)) return true;
  }
  for (std::uint32_t i = 0, count = static_cast<std::uint32_t>(model.node_count()); i < count; ++i) {
    if (is_too_long(model.node(NodeId{i}).name)) return true;
  }
  return false;
}

void tell(RuleContext& context, NodeId node, std::string_view what, std::string_view name) {
  FindingBuilder finding = node ? context.add(node, fmt::format("the name of {} has {} bytes, TensorRT accepts {}",
                                                                what, name.size(), kLongest))
                                : context.add_model(fmt::format("the name of {} has {} bytes, TensorRT accepts {}",
                                                                what, name.size(), kLongest));
  finding.value(shortened(name, kShown)).fix("rename it");
}

void check(RuleContext& context) {
  if (!context.has(gates::name_limit)) return;
  const Model& model = context.model();
  for (const ValueId input : model.graph().inputs) {
    if (is_too_long(model.value(input).name)) tell(context, {}, "an input of the network", model.value(input).name);
  }
  if (!has_long_name(model)) return;
  for (const NodeId id : context.nodes()) {
    const Node& node = model.node(id);
    if (is_too_long(node.name)) {
      tell(context, id, "a node", node.name);
    } else {
      const auto found = std::ranges::find_if(
          node.outputs, [&](ValueId value) { return value && is_too_long(model.value(value).name); });
      if (found != node.outputs.end()) tell(context, id, "a tensor", model.value(*found).name);
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, INetworkDefinition::addInput, 8.6 and 11.1",
    "measured: TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1"};
constexpr std::string_view kMessages[] = {"The given name exceeds the limit (4096 characters)!"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL303",
    .name = "name-too-long",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a name that is longer than TensorRT accepts",
    .docs = R"(## What it checks
Names of network inputs, nodes and tensors have at most 4,095 bytes.

## Why TensorRT cares
Names of layers and tensors end up in the engine, in fields of 4,096 bytes with the zero at the end. Deeply nested modules, functions and expressions that were made a
name of pass that.

## Example
```text
a node whose name has 4,096 letters
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Rename it.

## Evidence
The documentation of `INetworkDefinition::addInput` and `ILayer::setName`; TensorRT-RTX refuses 4,096 bytes for inputs, tensors and nodes and accepts 4,095.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::name_limit},
};

}  // namespace trtcheck::rules::name_too_long
