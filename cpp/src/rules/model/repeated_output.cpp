#include <cstddef>
#include <map>

#include <fmt/core.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::repeated_output {
namespace {

void check(RuleContext& context) {
  const auto outputs = context.model().graph().outputs;
  std::map<ValueId, std::size_t> seen;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto [first, is_new] = seen.try_emplace(outputs[i], i);
    if (is_new) continue;
    context
        .add_model(
            fmt::format("outputs {} and {} of the graph are both `{}`", first->second, i, context.name(outputs[i])))
        .value(context.name(outputs[i]))
        .fix(fmt::format("list `{}` once, or copy it with an Identity node", context.name(outputs[i])));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp importModel, 10.10",
                                          "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"as it was already set as network-level output"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL109",
    .name = "repeated-output",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "one tensor listed twice as graph output",
    .docs = R"(## What it checks
No tensor is listed twice among the outputs of the main graph.

## Why TensorRT cares
Each output is marked in the network; a tensor can be marked once. TensorRT logs an error for the second one (`Failed attempt
to set a tensor as network-level output as it was already set`) and builds an engine that has the output once: a program that
counts outputs finds one less.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y, float[N,3] y) {
  y = Relu (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y, float[N,3] z) {
  y = Relu (x)
  z = Identity (y)
}
```

## Fix
List it once, or insert an Identity.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `importModel` (read at 10.10). Measured with TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 (like
11.0 to 11.4): built.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::repeated_output
