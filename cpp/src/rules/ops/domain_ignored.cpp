#include <fmt/core.h>
#include <algorithm>

#include "rules/ops/kinds.hpp"
#include "rules/ops/onnx_runtime.hpp"
#include "rules/ops/rest_on.hpp"
#include "rules/rule_context.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::domain_ignored {
namespace {

void check(RuleContext& context) {
  const auto has_domain = [](const OperatorView& op) { return !op.domain.empty(); };
  if (std::ranges::none_of(context.view().operators.all(), has_domain)) return;
  FirstOfKind first(context);
  for (NodeId id : context.nodes()) {
    const OperatorView& op = context.operator_of(id);
    if (op.domain.empty() || context.view().handler(id) != Handler::importer) continue;
    const Node& node = context.model().node(id);
    // trt.* is TensorRT's own domain in exports of its tools: there the match is meant.
    if (node.domain().starts_with("ai.onnx") || node.domain().starts_with("trt")) continue;
    if (node.op_type.starts_with("TRT_")) continue;
    const auto seen = context.view().tables(id).seen;
    if (first.is_repeat(id, evidence::certainty_of(evidence::read_up_to(seen), context.release().exact()))) continue;
    FindingBuilder finding = context.add(
        id, fmt::format("`{}` of domain `{}` is imported as the ONNX operator {}: TensorRT does not look at "
                        "the domain",
                        node.op_type, node.domain(), node.op_type));
    finding.fix(onnx_runtime_remedy(node).value_or(
        fmt::format("replace it with the ONNX operator {}, or give your operator a name of its own", node.op_type)));
    if (node.call()) finding.note("the function of that name in the model is not used");
    rest_on(context, finding, evidence::read_up_to(seen));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp parseNode, 10.10"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS107",
    .name = "domain-ignored",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a custom operator that TensorRT treats as the ONNX operator of the same name",
    .docs = R"(## What it checks
A node of another domain (`com.microsoft`, your own) whose operator has the name of an ONNX operator that the target
imports. Also a model-local function of such a name.

## Why TensorRT cares
Importers are picked by the operator's name only. Attributes and inputs that the ONNX operator does not have are
overlooked without a word, so the engine may compute something else than the model.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
agraph (float[N,8] x) => (float[N,8] y) {
  y = com.microsoft.Gelu (x)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 20]>
agraph (float[N,8] x) => (float[N,8] y) {
  y = Gelu (x)
}
```

## Fix
Take the model from before ONNX Runtime's optimizer, which writes such nodes (`com.microsoft.Gelu`, and the data layouts of
`com.microsoft.nchwc`). Else use the ONNX operator where it computes the same (com.microsoft.Attention is another operator than
ONNX's), or give a custom operator a name that no ONNX operator has.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `parseNode` (read up to 10.10): importers are found by `op_type`.
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::domain_ignored
