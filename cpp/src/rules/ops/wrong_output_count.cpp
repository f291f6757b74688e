#include <cstddef>

#include <fmt/core.h>

#include "rules/ops/node_schema.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"
#include "view/norm_view.hpp"

namespace trtcheck::rules::wrong_output_count {
namespace {

void check(RuleContext& context) {
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (node.outputs.size() < 2) continue;
    const schema::SchemaFacts* facts = node_schema(context, id);
    const std::size_t count = counted_outputs(node, context.release());
    if (facts == nullptr || count <= facts->max_outputs) continue;
    FindingBuilder finding =
        context.add(id, fmt::format("{} `{}` has {}, opset {} of ONNX knows {}", node.op_type, context.label(id),
                                    counted(count, "output"), *context.model().opset(node.graph), facts->max_outputs));
    finding.reason("too many outputs").fix("export the model again, or correct the outputs of the node");
    if (!context.has(gates::outputs_counted)) finding.severity(Severity::warning).certainty(Certainty::likely);
  }
}

constexpr std::string_view kEvidence[] = {"ONNX operator schemas",
                                          "onnx-tensorrt ModelImporter.cpp parseNode, 8.6, 10.1, 10.10 and 10.16: "
                                          "outputs are counted; 8.5: they are not"};
constexpr std::string_view kMessages[] = {"Node has more output tensors than TRT expected"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS306",
    .name = "wrong-output-count",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a node with more outputs than its operator has",
    .docs = R"(## What it checks
The number of outputs of every node of the ONNX domain against the operator's schema at the opset of the model. Up to
10.5 outputs with an empty name count too, from 10.6 on only those with a name.

## Why TensorRT cares
The parser makes as many tensors as it knows outputs of the operator. From 8.6 on a node that lists more is refused:
`Node has more output tensors than TRT expected`. Up to 8.5 nothing counts them, and the parser ends with an exception of
C++ instead of an error: a warning. `onnx.checker` refuses such models.

## Example
```onnx
agraph (float[2,1,3] x, float[1,6,3] w, float[1,6,2] r) => (y) {
  y, h, c = GRU<hidden_size=2>(x, w, r)
}
```

## Instead
```onnx
agraph (float[2,1,3] x, float[1,6,3] w, float[1,6,2] r) => (y) {
  y, h = GRU<hidden_size=2>(x, w, r)
}
```

## Fix
Correct the node.

## Evidence
Schemas of the onnx library; onnx-tensorrt `ModelImporter.cpp`, `parseNode`: read in 8.5, 8.6, 10.1, 10.10 and
10.16.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::outputs_counted, kOutputGates},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::wrong_output_count
