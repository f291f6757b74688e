#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::string_view kAutoCast =
    "convert the file: `python -m modelopt.onnx.autocast --onnx_path in.onnx --output_path out.onnx "
    "--low_precision_type {}`, "
    "or export the model in that type";
constexpr std::string_view kQuantize = "quantize the file with `python -m modelopt.onnx.quantization`";

struct Row {
  Precision precision;
  DataType type;  ///< of tensors that have it
  std::string_view fix;
};
constexpr Row kRows[] = {
    {Precision::fp16, DataType::float16, kAutoCast}, {Precision::bf16, DataType::bfloat16, kAutoCast},
    {Precision::int8, DataType::int8, kQuantize},    {Precision::fp8, DataType::float8e4m3fn, kQuantize},
    {Precision::int4, DataType::int4, kQuantize},    {Precision::fp4, DataType::float4e2m1, kQuantize},
};

bool is_anywhere(const RuleContext& context, DataType type) {
  const auto has_type = [&](ValueId id) { return id && context.shape(id).type == type; };
  const Model& model = context.model();
  if (std::ranges::any_of(model.graph().inputs, has_type)) return true;
  return std::ranges::any_of(context.nodes(), [&](NodeId id) {
    const Node& node = model.node(id);
    return std::ranges::any_of(node.inputs, has_type) || std::ranges::any_of(node.outputs, has_type);
  });
}

void check(RuleContext& context) {
  const Target& target = context.target();
  if (!gates::strongly_typed.open_in(target)) return;
  for (const Row& row : kRows) {
    if (!target.asks_for(row.precision)) continue;
    if (is_anywhere(context, row.type)) continue;
    FindingBuilder finding = context.add_model(
        fmt::format("precision `{0}` does nothing: TensorRT {1} has no such flag, the types in the file decide, "
                    "and it holds no {2} tensor",
                    to_string(row.precision), to_string(target.release), to_string(row.type)));
    if (context.facts().is_quantized && (row.type == DataType::float16 || row.type == DataType::bfloat16)) {
      finding.note("what stands outside of Q/DQ pairs runs in FP32: the engine may be slower than one in FP16 alone");
    }
    finding.fix(fmt::format(fmt::runtime(row.fix), to_string(row.precision)));
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/11.4.0/api/migration/tensorrt-10x-to-11x.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/11.4.1/api/migration/tensorrt-10x-to-11x-trtexec.html",
    "https://github.com/roboflow/rf-detr/issues/1453",
    "https://github.com/ultralytics/ultralytics/pull/26167",
    "https://nvidia.github.io/Model-Optimizer/guides/8_autocast.html",
};
constexpr std::string_view kMessages[] = {"Unknown option: --fp16", "Unknown option: --bf16", "Unknown option: --int8",
                                          "has no attribute 'FP16'"};

}  // namespace

extern constinit const Rule precision_without_flag{
    .code = "STY201",
    .name = "precision-without-flag",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a precision is asked for by a flag that the release does not have",
    .docs = R"(## What it checks
From 11.0 on: a precision other than FP32 and TF32 that is asked for (`--precision fp16`, `precision` in the settings and in Python), and
of which the model has no tensor. Where it has some, the request is met by the file and nothing is said.

## Why TensorRT cares
These releases have no precision flags: every network is strongly typed, and the types in the file decide. `trtexec --fp16` stops
with `Unknown option: --fp16`, `config.set_flag(trt.BuilderFlag.FP16)` with an AttributeError; tools that ask first whether the flag exists
build an FP32 engine without a word. In a model with Q/DQ everything outside of the pairs then runs in FP32. The conversion as such succeeds, so this is advice: it changes neither the verdict nor the
exit code.

## Example
```onnx target=11.0 precision=fp16
agraph (float[N,4] x) => (float[N,4] y) {
  y = Relu(x)
}
```

## Instead
```onnx target=11.0 precision=fp16
agraph (float16[N,4] x) => (float16[N,4] y) {
  y = Relu(x)
}
```

## Fix
Put the precision into the file. FP16 and BF16: ModelOpt AutoCast (`python -m modelopt.onnx.autocast`), or export `model.half()`. INT8, FP8,
INT4, FP4: quantize with Q/DQ nodes (`python -m modelopt.onnx.quantization`). Or stay with a 10.x release, which has the flags.

## Evidence
NVIDIA's guides for moving from 10.x to 11.x, and reports of engines that were FP32 unnoticed.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules
