#include <utility>

#include <fmt/core.h>

#include "rules/ops/kinds.hpp"
#include "rules/ops/onnx_runtime.hpp"
#include "rules/ops/rest_on.hpp"
#include "rules/ops/usual_remedy.hpp"
#include "rules/rule_context.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::op_unsupported {
namespace {

/// What the support table says of the releases around the target.
std::string history(const OpSupport& support, TrtVersion release) {
  if (!support.first_supported) return "no known release does";
  if (*support.first_supported > release) return "the first is " + to_string(*support.first_supported);
  return "the last was " + to_string(*support.last_supported);
}

void report(RuleContext& context, NodeId id, const OpSupport& support, bool refused) {
  const TrtVersion release = context.release().exact();
  const Node& node = context.model().node(id);
  FindingBuilder finding = context.add(id, fmt::format("{} does not support {} ({})", context.release().name(),
                                                       node.op_type, history(support, release)));
  if (!support.evidence.empty()) finding.evidence(support.evidence);
  if (refused) {
    finding.note("the parser refuses this operator by name, a plugin or a local function of that name does not help");
  }
  rest_on(context, finding, evidence::read_up_to(support.seen));
  if (support.first_supported && *support.first_supported > release) {
    finding.fix(fmt::format("use TensorRT {} or newer, or {}", to_string(*support.first_supported),
                            usual_remedy(node.op_type)
                                .value_or(fmt::format("replace {} with operators that {} supports", node.op_type,
                                                      context.release().name()))));
  } else if (auto elsewhere = onnx_runtime_remedy(node)) {
    finding.fix(*std::move(elsewhere));
  } else if (auto step = usual_remedy(node.op_type)) {
    finding.fix(*std::move(step));
  } else if (refused) {
    finding.fix(fmt::format("replace {} with supported operators", node.op_type));
  } else {
    finding.fix(fmt::format("replace {} with supported operators, or provide a plugin of that name", node.op_type));
  }
}

void check(RuleContext& context) {
  if (!context.view().has(Handler::none) && !context.view().has(Handler::refused)) return;
  const LocalFunctions functions(context);
  FirstOfKind kinds(context);
  for (NodeId id : context.nodes()) {
    const Handler handler = context.view().handler(id);
    if (handler != Handler::refused && handler != Handler::none) continue;
    const Node& node = context.model().node(id);
    if (handler == Handler::none && (node.call() || !is_onnx_operator(node) || functions.serve(node))) continue;
    const OpSupport& support = context.view().tables(id);
    if (kinds.is_repeat(id, evidence::certainty_of(evidence::read_up_to(support.seen), context.release().exact())))
      continue;
    report(context, id, support, handler == Handler::refused);
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp FallbackPluginImporter, 10.10: `Plugin not found`"};
constexpr std::string_view kMessages[] = {"Plugin not found, are the plugin name, version, and namespace correct?",
                                          "No importer registered for op: *",
                                          "getPluginCreator could not find plugin: *"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS101",
    .name = "op-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an ONNX operator that the target release has no importer for",
    .docs = R"(## What it checks
Every node needs an importer of the ONNX parser (picked by the operator's name only), a model-local function, or a
plugin of that name. The support tables of all releases since 8.0 are built in.

## Why TensorRT cares
A node that nobody imports ends the conversion: the parser looks for a plugin of the operator's name and reports
`Plugin not found`. From 9.1 on many operators are refused by name before plugins and local functions are even tried. The
function bodies of the ONNX standard are never expanded.

## Example
```onnx
agraph (float[N] x) => (float[K] y) {
  y = Unique (x)
}
```

## Instead
```onnx
agraph (float[N] x) => (float[N] y) {
  y = Relu (x)
}
```

## Fix
Replace the operator, choose a release that supports it, or (where the parser does not refuse it by name) write a
plugin of that name and tell trtcheck with `--plugin`. The finding names the usual way: what to write in the module in place of Det, Unique, Multinomial,
bit operations and lists of tensors; losses do not belong into an exported module; Bernoulli and CenterCropPad are expanded by `onnx.inliner`. For quantized operators (QLinearConv, QLinearMatMul, ConvInteger,
MatMulInteger, DynamicQuantizeLinear) quantize with Q/DQ nodes: in ONNX Runtime
`quantize_static(..., quant_format=QuantFormat.QDQ)`.

## Evidence
onnx-tensorrt `docs/operators.md` of each release, compared with the importers that its `onnxOpImporters.cpp` registers
and with the refusals in `onnxOpCheckers.cpp`. The tables of 10.11 to 10.13 were not read: their neighbours agree. Those after
11.1 were not read either: there the certainty is "likely", and DFT from 11.2 on is from the release notes.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::local_functions},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::op_unsupported
