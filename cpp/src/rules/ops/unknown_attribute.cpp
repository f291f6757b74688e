#include <algorithm>

#include <fmt/core.h>

#include "rules/ops/node_schema.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::unknown_attribute {
namespace {

/// The first opset after `opset` whose schema of the operator has it; 0: none has.
std::int32_t came_with(std::string_view op, std::string_view attribute, std::int64_t opset) {
  for (const schema::SchemaFacts& facts : schema::all_facts()) {
    if (!facts.domain.empty() || facts.op != op || facts.since <= opset) continue;
    if (std::ranges::find(facts.attributes, attribute, &schema::AttributeFacts::name) != facts.attributes.end()) {
      return facts.since;
    }
  }
  return 0;
}

void check(RuleContext& context) {
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (node.attributes().empty()) continue;
    const schema::SchemaFacts* facts = node_schema(context, id);
    if (facts == nullptr || !facts->domain.empty()) continue;
    const std::int64_t opset = *context.model().opset(node.graph);
    for (const Attribute& attribute : node.attributes()) {
      const auto known = std::ranges::find(facts->attributes, attribute.name, &schema::AttributeFacts::name);
      if (known != facts->attributes.end()) continue;
      const std::int32_t since = came_with(node.op_type, attribute.name, opset);
      FindingBuilder finding =
          context.add(id, fmt::format("{} `{}` has the attribute `{}`, which opset {} of ONNX does not know{}",
                                      node.op_type, context.label(id), attribute.name, opset,
                                      since == 0 ? "" : fmt::format(": it came with opset {}", since)));
      finding.reason("an attribute without meaning");
      if (since == 0) {
        // Nobody asks for it.
        finding.severity(Severity::info).fix("remove the attribute: `onnx.checker` refuses the model");
      } else {
        finding.fix(fmt::format("export the model with opset {}, or remove the attribute", since));
      }
    }
  }
}

constexpr std::string_view kEvidence[] = {"ONNX operator schemas", "onnx-tensorrt OnnxAttrs.cpp get, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS305",
    .name = "unknown-attribute",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "an attribute that the operator does not have at the opset of the model",
    .docs = R"(## What it checks
Every attribute of a node of the ONNX domain is one that the operator's schema has at the opset of the model.

## Why TensorRT cares
Importers ask for attributes by name. One that they do not ask for is overlooked, and one that they know from a newer opset is read, refused or
overlooked, as they test the opset or not: `select_last_index` of ArgMax below opset 12 is refused, `ceil_mode` of AveragePool below opset 10 is not read.
One that no opset knows is overlooked: an info. `onnx.checker` refuses such models.

## Example
```onnx opset=9
agraph (float[1,1,5,5] x) => (y) {
  y = AveragePool<kernel_shape=[2,2], strides=[2,2], ceil_mode=1>(x)
}
```

## Instead
```onnx opset=11
agraph (float[1,1,5,5] x) => (y) {
  y = AveragePool<kernel_shape=[2,2], strides=[2,2]>(x)
}
```

## Fix
Export the model with the opset that the attribute came with, or remove it.

## Evidence
Schemas of the onnx library; onnx-tensorrt `OnnxAttrs.cpp`, `get` (8.0 to 10.10).
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::unknown_attribute
