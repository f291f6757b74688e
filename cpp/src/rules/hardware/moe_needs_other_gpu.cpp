#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

void check(RuleContext& context) {
  const auto gpu = context.target().compute_capability;
  if (!gpu || gpu->major_version == 10 || gpu->major_version == 11) return;
  context
      .add(fmt::format("TRT_MoE has kernels for compute capability 10.x and 11.x, this is {}.{}", gpu->major_version,
                       gpu->minor_version))
      .fix("build the experts of plain operators");
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, 11.0",
    "https://docs.nvidia.com/deeplearning/tensorrt/11.3.0/inference-library/work-with-transformers.html"};
constexpr std::string_view kOps[] = {"TRT_MoE"};

}  // namespace

extern constinit const Rule moe_needs_other_gpu{
    .code = "HWD306",
    .name = "moe-needs-other-gpu",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a mixture of experts layer on a GPU that has none",
    .docs = R"(## What it checks
TRT_MoE for a GPU other than those of compute capability 10.x and 11.x.

## Why TensorRT cares
The layer has kernels for Blackwell of data centres and for Thor only; GPUs of compute capability 12.x, Blackwell of PCs, are not among them.

## Example
```onnx opset=17 target=11.1 cc=12.0
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float16[1,2,32] x) => (y) {
  y = trt.TRT_MoE (x, x, x, x, x, x)
}
```

## Instead
```onnx opset=17 target=11.1 cc=10.0
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float16[1,2,32] x) => (y) {
  y = trt.TRT_MoE (x, x, x, x, x, x)
}
```

## Fix
Build the experts of plain operators.

## Evidence
NVIDIA/TensorRT `NvInfer.h` (11.0), and the guide of 11.3, which names 10.0, 10.3 and 11.0. That the build ends elsewhere was not seen.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules
