#include <algorithm>

#include "rules/rule_context.hpp"
#include "target/dla.hpp"
#include "target/gates.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::dla_with_pairs {
namespace {

void check(RuleContext& context) {
  if (!may_run_on_dla(context.target(), context.release()) || context.has(gates::dla_strongly_typed)) return;
  const auto pair =
      std::ranges::find_if(context.nodes(), [&](NodeId id) { return is_dequantize(context.model().node(id)); });
  if (pair == context.nodes().end()) return;
  context.add(*pair, "the model is quantized by Q/DQ: DLA accepts few layers between them, the others run on the GPU")
      .note("up to 10.7 DLA computes in INT8 with the ranges of a calibration")
      .fix("give the scales of Q/DQ to the builder as a calibration cache, and the model without Q/DQ");
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/dla-layer-restrictions.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/11.4.1/inference-library/dla-strongly-typed-networks.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD408",
    .name = "dla-with-pairs",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "with --dla, before 11.4: a model that is quantized by Q/DQ",
    .docs = R"(## What it checks
For a target with DLA (`--dla`) and a release before 11.4: whether the model has Q/DQ.

## Why TensorRT cares
NVIDIA's Deep Learning Accelerator of these releases runs INT8 with the ranges of a calibration (implicit quantization); Q/DQ turns that off, and what stands between
the pairs runs on the GPU for the most part.

## Example
```onnx dla=yes target=10.3 precision=int8
agraph (float[1,8,16,16] x) => (float[1,8,16,16] y) <float a = {0.05}, int8 zero = {0}> {
  q = QuantizeLinear(x, a, zero)
  d = DequantizeLinear(q, a, zero)
  y = Relu(d)
}
```

## Instead
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,8,16,16] x) => (float[1,8,16,16] y) {
  y = Relu(x)
}
```

## Fix
Hand the scales to the builder as a calibration cache, with the model before quantization.

## Evidence
NVIDIA's guide on DLA: explicit quantization is not supported there up to 10.7.
)",
    .evidence = kEvidence,
    .quantized_only = true,
    .check = check,
    .gates = {gates::dla_strongly_typed, kDlaGates},
};

}  // namespace trtcheck::rules::dla_with_pairs
