#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "rules/listing.hpp"
#include "rules/ops/kinds.hpp"
#include "rules/ops/onnx_runtime.hpp"
#include "rules/ops/rest_on.hpp"
#include "rules/rule_context.hpp"
#include "text/suggest.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::op_unknown {
namespace {

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
    if (!node.domain().empty() || node.call() || is_onnx_operator(node)) continue;
    if (functions.serve(node) || first.is_repeat(id, certainty)) continue;
    if (is_beyond_listing(context)) {
      context.add(id, {});
      continue;
    }
    const std::string name = told_name(node);
    const auto near = ++kinds <= kMostSuggestions ? nearest_word(node.op_type, known_operators()) : std::nullopt;
    FindingBuilder finding = context.add(
        id, fmt::format("`{}` is no operator of ONNX{}", name, near ? fmt::format(", did you mean `{}`?", *near) : ""));
    if (auto elsewhere = onnx_runtime_remedy(node)) {
      finding.fix(*std::move(elsewhere));
    } else if (near) {
      finding.fix(fmt::format("write {} instead of {}", *near, name));
    } else {
      finding.fix(fmt::format("provide a plugin named {} and pass --plugin {}", name, name));
    }
    rest_on(context, finding, evidence::read_up_to(newest_read_release()));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp FallbackPluginImporter, 10.10: `Plugin not found`"};
constexpr std::string_view kMessages[] = {"Plugin not found, are the plugin name, version, and namespace correct?",
                                          "No importer registered for op: *",
                                          "getPluginCreator could not find plugin: *"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS102",
    .name = "op-unknown",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an operator of the ONNX domain that does not exist",
    .docs = R"(## What it checks
A node of the ONNX domain whose operator is in no version of the standard, in no TensorRT release, is no model-local
function and no plugin.

## Why TensorRT cares
The parser finds no importer, looks for a plugin of that name and reports `Plugin not found, are the plugin name,
version, and namespace correct?`, which does not say that the name is merely misspelt.

## Example
```onnx
agraph (float[1,3] x, float[3,4] w) => (float[1,4] y) {
  y = Matmul (x, w)
}
```

## Instead
```onnx
agraph (float[1,3] x, float[3,4] w) => (float[1,4] y) {
  y = MatMul (x, w)
}
```

## Fix
Correct the name. SimplifiedLayerNormalization is ONNX Runtime's: use the model from before its optimizer. Or, when it is your own operator, give it a domain of its own, write a plugin and tell trtcheck
with `--plugin`.

## Evidence
onnx-tensorrt `onnxOpImporters.cpp`, `FallbackPluginImporter` (8.0 to 11.0); names from the ONNX schemas.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::local_functions},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::op_unknown
