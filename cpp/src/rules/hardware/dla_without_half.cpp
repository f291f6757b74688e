#include <algorithm>

#include <fmt/format.h>

#include "rules/hardware/dla_layers.hpp"
#include "rules/rule_context.hpp"
#include "target/dla.hpp"
#include "target/gates.hpp"
#include "view/node_view.hpp"

namespace trtcheck::rules::dla_without_half {
namespace {

bool reads_half(const RuleContext& context, NodeId id) {
  const auto is_half = [&](ValueId value) { return value && context.shape(value).type == DataType::float16; };
  return std::ranges::any_of(context.model().node(id).inputs, is_half);
}

bool may_have_half(const RuleContext& context) {
  // Types that are not known may be FP16.
  const auto is_open = [&](NodeId id) {
    const auto& inputs = context.model().node(id).inputs;
    return std::ranges::any_of(
        inputs, [&](ValueId value) { return value && context.shape(value).type == DataType::undefined; });
  };
  return std::ranges::any_of(context.nodes(), [&](NodeId id) { return reads_half(context, id) || is_open(id); });
}

void check(RuleContext& context) {
  const Target& target = context.target();
  if (!may_run_on_dla(target, context.release()) || !has_any_dla_layer(context)) return;
  if (context.has(gates::dla_strongly_typed)) {
    if (context.view().is_quantized || may_have_half(context)) return;
    context.add_model("nothing in the file is FP16 or quantized: DLA runs no layer of it")
        .note("from 11.4 on the types in the file decide, and DLA computes in FP16 and INT8")
        .fix("convert the model to FP16 (AutoCast of NVIDIA's ModelOpt, with --low_precision_type fp16)");
  } else if (!target.precisions.empty() && !target.asks_for(Precision::fp16) && !target.asks_for(Precision::int8)) {
    context.add_model("without FP16 and INT8 among the precisions DLA runs no layer")
        .note("it computes only in FP16 and INT8")
        .fix("build with FP16 (trtexec --fp16; here `--precision fp16`)");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/11.4.1/inference-library/dla-strongly-typed-networks.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/dla-layer-restrictions.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD407",
    .name = "dla-without-half",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "with --dla: nothing is FP16 or INT8, the only types that DLA computes in",
    .docs = R"(## What it checks
For a target with DLA (`--dla`): from 11.4 on, whether anything in the file is FP16 or quantized; before, whether FP16 or INT8 is among the precisions of the target, when some
are named (`--precision`).

## Why TensorRT cares
NVIDIA's Deep Learning Accelerator computes in FP16 and INT8. In FP32 every layer runs on the GPU, without a word, or the build ends where there is no fallback.

## Example
```onnx dla=yes target=11.4
agraph (float[1,8,16,16] x) => (float[1,8,16,16] y) {
  y = Relu(x)
}
```

## Instead
```onnx dla=yes target=11.4
agraph (float16[1,8,16,16] x) => (float16[1,8,16,16] y) {
  y = Relu(x)
}
```

## Fix
From 11.4 on convert the model to FP16; before, allow FP16.

## Evidence
NVIDIA's guide, Strongly typed networks for DLA (11.4.1), and DLA Supported Layers and Restrictions.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {gates::dla_strongly_typed, kDlaGates},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::dla_without_half
