#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "text/printable.hpp"

namespace trtcheck::rules::name_not_utf8 {
namespace {

void check(RuleContext& context) {
  const Model& model = context.model();
  for (NodeId id : context.nodes()) {
    if (is_utf8(model.node(id).name)) continue;
    context.add(id, fmt::format("the name of node {} is not UTF-8", model.node(id).position))
        .fix("give the node a name in UTF-8");
    return;
  }
  for (std::uint32_t i = 0, count = static_cast<std::uint32_t>(model.value_count()); i < count; ++i) {
    const Value& value = model.value(ValueId{i});
    if (is_utf8(value.name)) continue;
    const std::string place = value.producer
                                  ? fmt::format("output {} of `{}`", value.output, context.label(value.producer))
                                  : std::string("an input or initializer");
    context.add(value.producer, fmt::format("the name of {} is not UTF-8", place))
        .fix("give the tensor a name in UTF-8");
    return;
  }
}

constexpr std::string_view kEvidence[] = {"ONNX IR specification: names are UTF-8"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL302",
    .name = "name-not-utf8",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a name that is not UTF-8 text",
    .docs = R"(## What it checks
Names of nodes and tensors are UTF-8 text, as ONNX requires. The first one that is not is reported.

## Why TensorRT cares
TensorRT compares names as bytes and does not mind. Python's protobuf and with it most tools (`onnx`, Netron, Polygraphy)
refuse to read such a file.

## Example
```text
a node whose name is the single byte FF
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
ONNX IR specification, section on names; protobuf documentation on `string` fields.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::name_not_utf8
