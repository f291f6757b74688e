#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules::bf16_needs_newer_gpu {
namespace {

constexpr ComputeCapability kAmpere{8, 0};

void check(RuleContext& context) {
  const Target& target = context.target();
  if (!target.compute_capability || *target.compute_capability >= kAmpere) return;
  const auto is_bf16 = [&](ValueId value) { return value && context.shape(value).type == DataType::bfloat16; };
  const auto reads_it = [&](NodeId id) { return std::ranges::any_of(context.model().node(id).inputs, is_bf16); };
  const auto first = std::ranges::find_if(context.nodes(), reads_it);
  const bool is_in_file = first != context.nodes().end();
  if (!is_in_file && !target.asks_for(Precision::bf16)) return;
  const std::string gpu =
      fmt::format("needs a GPU of compute capability 8.0 (Ampere), this is {}.{}",
                  target.compute_capability->major_version, target.compute_capability->minor_version);
  FindingBuilder finding =
      is_in_file ? context.add(*first, "BF16 " + gpu) : context.add_model("precision `bf16` " + gpu);
  finding.fix("use FP16, or FP32 where its range does not do");
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, 9.3 and 10.0",
    "https://docs.nvidia.com/deeplearning/tensorrt-rtx/latest/getting-started/support-matrix.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD303",
    .name = "bf16-needs-newer-gpu",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "BF16 on a GPU before Ampere",
    .docs = R"(## What it checks
BF16 among the precisions of the target (`--precision bf16`), or a node that reads BF16, for a GPU before Ampere (`--compute-capability` below 8.0). Told once for each model.

## Why TensorRT cares
GPUs before Ampere do not compute in BF16. In the file the build ends there; a flag of the builder is passed over or ends it.

## Example
```onnx opset=17 target=10.3 cc=7.5
agraph (bfloat16[1,4] x) => (bfloat16[1,4] y) {
  y = Relu(x)
}
```

## Instead
```onnx opset=17 target=10.3 cc=8.6
agraph (bfloat16[1,4] x) => (bfloat16[1,4] y) {
  y = Relu(x)
}
```

## Fix
FP16 where the range allows it, else FP32.

## Evidence
NVIDIA/TensorRT `NvInfer.h` (BF16: from Ampere on) and the support matrices; that the build ends was not seen.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::bf16_needs_newer_gpu
