#include <string>
#include <utility>

#include <fmt/core.h>

#include "rules/listing.hpp"
#include "rules/ops/kinds.hpp"
#include "rules/ops/onnx_runtime.hpp"
#include "rules/ops/rest_on.hpp"
#include "rules/rule_context.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::plugin_missing {
namespace {

std::string remedy(const Node& node) {
  if (auto elsewhere = onnx_runtime_remedy(node)) return *std::move(elsewhere);
  // What PyTorch's exporter writes for an operator that it has no translation of, when it is asked to fall back.
  if (node.domain() == "org.pytorch.aten") {
    return "export again without the fallback to ATen operators: a newer opset or PyTorch may translate it";
  }
  return fmt::format("provide a plugin named {} and pass --plugin {}, or export the model without it", told_name(node),
                     told_name(node));
}

void check(RuleContext& context) {
  if (!context.view().has(Handler::none)) return;
  const LocalFunctions functions(context);
  const Certainty certainty =
      evidence::certainty_of(evidence::read_up_to(newest_read_release()), context.release().exact());
  FirstOfKind first(context);
  std::size_t kinds = 0;
  for (NodeId id : context.nodes()) {
    if (context.view().handler(id) != Handler::none) continue;
    const Node& node = context.model().node(id);
    if (node.domain().empty() || node.call() || is_onnx_operator(node)) continue;
    if (functions.serve(node) || first.is_repeat(id, certainty)) continue;
    if (is_beyond_listing(context)) {
      context.add(id, {});
      continue;
    }
    FindingBuilder finding = context.add(
        id, fmt::format("custom operator `{}` of domain `{}` has no plugin: none ships with {}, and none was "
                        "named",
                        told_name(node), shortened(node.domain(), kMaxKeptName), context.release().name()));
    finding.fix(remedy(node));
    const auto near = ++kinds <= kMostSuggestions ? nearest_word(node.op_type, builtin_plugin_names()) : std::nullopt;
    if (near) {
      finding.note(fmt::format("a plugin named `{}` ships with TensorRT", *near));
    }
    rest_on(context, finding, evidence::read_up_to(newest_read_release()));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp FallbackPluginImporter, 10.10: `Plugin not found, are the plugin name, version, "
    "and namespace correct?`"};
constexpr std::string_view kMessages[] = {"Plugin not found, are the plugin name, version, and namespace correct?",
                                          "No importer registered for op: *",
                                          "getPluginCreator could not find plugin: *"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS103",
    .name = "plugin-missing",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a custom operator that no plugin is known for",
    .docs = R"(## What it checks
A node outside of the ONNX domain needs a model-local function, a plugin that ships with the target release, or a plugin
of your own (named with `--plugin`). Operators of ONNX Runtime's `com.microsoft` domain are the usual ones.

## Why TensorRT cares
The parser does not look at the domain (up to 10.10), only at the operator's name: without an importer it asks the plugin
registry for exactly that name and gives up with `Plugin not found`.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "com.microsoft" : 1]>
agraph (float[1,8,64] x) => (float[1,8,64] y) {
  y = com.microsoft.FastGelu (x)
}
```

## Instead
```onnx
<ir_version: 10, opset_import: ["" : 20]>
agraph (float[1,8,64] x) => (float[1,8,64] y) {
  y = Gelu <approximate = "tanh"> (x)
}
```

## Fix
Most operators of `com.microsoft` (FusedConv, FusedMatMul, BiasGelu, SkipLayerNormalization, NhwcConv, ...) were made from ONNX
operators by ONNX Runtime: by the optimizer of a session that has `optimized_model_filepath` set, or by
`onnxruntime.transformers.optimizer`. Take the model from before that; what the model builder of onnxruntime-genai wrote has no
such form, export it from its framework. Where a session writes the file,
`graph_optimization_level = ORT_ENABLE_BASIC` leaves ONNX operators; `ORT_ENABLE_EXTENDED` and above fuse. Quantized ones
(QLinearAdd, QGemm, DynamicQuantizeMatMul, MatMulNBits, ...) come from its quantizer: choose `QuantFormat.QDQ`.

For an operator of your own write a plugin of that name, or put its definition into the file as a model-local function
(from 9.0).

## Evidence
onnx-tensorrt `onnxOpImporters.cpp`, `FallbackPluginImporter`; list of plugins from the TensorRT open source tree, release
branches 8.0 to 11.1; for later releases it is likely. ONNX Runtime: `docs/ContribOperators.md`,
<https://onnxruntime.ai/docs/performance/model-optimizations/graph-optimizations.html>; what each level writes was measured
with 1.31.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::local_functions},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::plugin_missing
