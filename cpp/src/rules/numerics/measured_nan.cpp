#include <algorithm>

#include <fmt/format.h>

#include "rules/numerics/reached.hpp"
#include "text/plural.hpp"
#include "text/readable.hpp"

namespace trtcheck::rules::measured_nan {
namespace {

void check(RuleContext& context) {
  for (const Reached& reached : reached_tensors(context)) {
    const MeasuredTensor& tensor = *reached.tensor;
    const bool is_handed_on =
        std::ranges::any_of(reached.sources, [](const MeasuredTensor* source) { return source->nans > 0; });
    if (tensor.nans == 0 || is_handed_on) continue;
    const bool is_input = context.model().value(reached.value).is_input;
    context
        .add(reached.node, fmt::format("{}`{}` holds NaN with these samples, {} of {}", is_input ? "input " : "",
                                       context.name(reached.value), readable(static_cast<double>(tensor.nans)),
                                       counted(readable(static_cast<double>(tensor.elements)), "element")))
        .value(context.name(reached.value))
        .fix(is_input ? "measure with samples that are numbers"
                      : "look at what this node reads: 0/0, infinity minus infinity, or a root or logarithm of a "
                        "negative number");
  }
}

constexpr std::string_view kEvidence[] = {
    "measured: ONNX Runtime ran the model on the samples of `trtcheck ranges`",
    "IEEE 754: what is computed from NaN is NaN",
};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM304",
    .name = "measured-nan",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a tensor that held NaN on the user's samples",
    .docs = R"(## What it checks
Tensors of the main graph, with what was measured on samples (`--ranges`, which `trtcheck ranges` measures), whatever the precision: the first ones that hold NaN,
not those that only read it.

## Why TensorRT cares
It does not: the engine computes NaN as ONNX Runtime does. But whoever looks for NaN in an engine should know that the model gives them without TensorRT.

## Example
```onnx ranges=y:0:1:nan=3
agraph (float[N,4] x) => (float[N,4] y) {
  y = Sqrt(x)
}
```

## Instead
```onnx ranges=y:0:1
agraph (float[N,4] x) => (float[N,4] y) {
  y = Sqrt(x)
}
```

## Fix
Find out what the node reads; samples that the model is not meant for give NaN, too.

## Evidence
The samples themselves.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::measured_nan
