#include <algorithm>
#include <string_view>

#include <fmt/core.h>

#include "rules/ops/node_schema.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::wrong_attribute_type {
namespace {

/// As ONNX calls it; kinds that no operator of the standard has are left out.
std::string_view kind_name(AttributeType type) {
  switch (type) {
    case AttributeType::float_:
      return "FLOAT";
    case AttributeType::int_:
      return "INT";
    case AttributeType::string:
      return "STRING";
    case AttributeType::tensor:
      return "TENSOR";
    case AttributeType::graph:
      return "GRAPH";
    case AttributeType::floats:
      return "FLOATS";
    case AttributeType::ints:
      return "INTS";
    case AttributeType::strings:
      return "STRINGS";
    default:
      return "the kind that the schema states";
  }
}

void check(RuleContext& context) {
  for (NodeId id : context.nodes()) {
    const schema::SchemaFacts* facts = node_schema(context, id);
    if (facts == nullptr) continue;
    const Node& node = context.model().node(id);
    for (const Attribute& attribute : node.attributes()) {
      const auto it = std::ranges::find(facts->attributes, attribute.name, &schema::AttributeFacts::name);
      if (it == facts->attributes.end() || it->type == attribute.type) continue;
      if (attribute.type == AttributeType::undefined || !attribute.ref_attr_name.empty()) continue;
      context
          .add(id,
               fmt::format("attribute `{}` of {} `{}` is of another kind than the operator has: TensorRT reads 0 or an "
                           "empty value",
                           attribute.name, node.op_type, context.label(id)))
          .fix(fmt::format("store `{}` as {}", attribute.name, kind_name(it->type)));
    }
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt OnnxAttrs.cpp get, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS303",
    .name = "wrong-attribute-type",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an attribute of another kind than its operator has",
    .docs = R"(## What it checks
The kind (number, list, text, tensor, graph) of every attribute that the operator's schema knows.

## Why TensorRT cares
The parser reads the field of the kind that it expects. An attribute stored as another kind reads as 0 or empty, without a word.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Softmax <axis = 1.0> (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Softmax <axis = 1> (x)
}
```

## Fix
Write the attribute with the right kind.

## Evidence
onnx-tensorrt `OnnxAttrs.cpp`, `get` (8.0 to 10.10).
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::wrong_attribute_type
