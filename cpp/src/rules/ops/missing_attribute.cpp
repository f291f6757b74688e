#include <fmt/core.h>

#include "rules/ops/node_schema.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::missing_attribute {
namespace {

void check(RuleContext& context) {
  for (NodeId id : context.nodes()) {
    const schema::SchemaFacts* facts = node_schema(context, id);
    if (facts == nullptr) continue;
    const Node& node = context.model().node(id);
    for (const schema::AttributeFacts& attribute : facts->attributes) {
      if (!attribute.required || node.attribute(attribute.name) != nullptr) continue;
      context.add(id, fmt::format("{} `{}` lacks the attribute `{}`", node.op_type, context.label(id), attribute.name))
          .fix(fmt::format("set the attribute `{}`", attribute.name));
    }
  }
}

constexpr std::string_view kEvidence[] = {"ONNX operator schemas", "onnx-tensorrt OnnxAttrs.cpp get, 10.10"};
constexpr std::string_view kMessages[] = {"Attribute not found: *", "Attribute * is missing"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS302",
    .name = "missing-attribute",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a node without an attribute that its operator demands",
    .docs = R"(## What it checks
Every attribute that the operator's schema demands is set.

## Why TensorRT cares
Importers read such attributes without a default. What happens then is an exception without the name of the attribute.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Cast (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float16[N,3] y) {
  y = Cast <to = 10> (x)
}
```

## Fix
Set the attribute.

## Evidence
Schemas of the onnx library; onnx-tensorrt `OnnxAttrs.cpp`, `get` (8.0 to 10.10).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::missing_attribute
