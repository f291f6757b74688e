#include <algorithm>

#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::precision_without_flag {
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

bool is_quantized_type(Precision precision) {
  return precision == Precision::fp8 || precision == Precision::int4 || precision == Precision::fp4;
}

/// Why a request for a type that the file does not have does nothing; "" = the flag does something.
std::string reason_for(const RuleContext& context, Precision precision) {
  const std::string release = context.release().name();
  if (is_strongly_typed(context.release(), false)) {
    return fmt::format("{} has no such flag, the types in the file decide", release);
  }
  if (is_strongly_typed(context.release(), context.target().strongly_typed))
    return "a strongly typed network accepts no such flag, the types in the file decide";
  if (is_quantized_type(precision)) return fmt::format("{} quantizes to it where Q/DQ in the file say so", release);
  return "";
}

/// The opset that ModelOpt's AutoCast raises the model to; nothing: it stays, or is not known.
std::optional<std::int64_t> opset_of_autocast(const RuleContext& context, DataType type) {
  if (type != DataType::float16 && type != DataType::bfloat16) return std::nullopt;
  const std::optional<std::int64_t> opset = context.model().opset(GraphId{0});
  const std::int64_t wanted = type == DataType::bfloat16 ? 22 : context.view().is_quantized ? 19 : 13;
  return opset && *opset < wanted ? std::optional(wanted) : std::nullopt;
}

void check_strong_typing(RuleContext& context) {
  const Target& target = context.target();
  if (!target.strongly_typed || is_strongly_typed(context.release(), context.target().strongly_typed)) return;
  context
      .add_model(fmt::format("strong typing is asked for: networks of {} cannot be made strongly typed",
                             context.release().name()))
      .note("it is checked as a weakly typed one")
      .fix("use TensorRT 9.0 or later");
}

void check(RuleContext& context) {
  check_strong_typing(context);
  const Target& target = context.target();
  for (const Row& row : kRows) {
    if (!target.asks_for(row.precision)) continue;
    const std::string reason = reason_for(context, row.precision);
    if (reason.empty() || is_anywhere(context, row.type)) continue;
    FindingBuilder finding = context.add_model(fmt::format("precision `{}` does nothing: {}, and it holds no {} tensor",
                                                           to_string(row.precision), reason, to_string(row.type)));
    if (context.view().is_quantized && (row.type == DataType::float16 || row.type == DataType::bfloat16)) {
      finding.note(
          "what is outside of Q/DQ pairs runs in FP32: the engine may be slower than an engine that is all FP16");
    }
    if (const auto wanted = opset_of_autocast(context, row.type)) {
      finding.note(fmt::format("AutoCast works on opset {} and later, and raises the file's {} to it", *wanted,
                               *context.model().opset(GraphId{0})));
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
    "NVIDIA/TensorRT samples/common/sampleOptions.cpp, 9.0 to 10.16",
    "https://github.com/NVIDIA/TensorRT/issues/4590",
};
constexpr std::string_view kMessages[] = {"Unknown option: --fp16", "Unknown option: --bf16", "Unknown option: --int8",
                                          "has no attribute 'FP16'",
                                          "Invalid usage, setting * mode is not allowed if graph is strongly typed"};

}  // namespace

extern constinit const Rule rule{
    .code = "STY201",
    .name = "precision-without-flag",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a precision or strong typing is asked for, and the request does nothing",
    .docs = R"(## What it checks
From 11.0 on, and before in networks that are made strongly typed (`--strongly-typed`): a precision other than FP32 and TF32 that is asked for
(`--precision fp16`, `precision` in the settings and in Python), and of which the model has no tensor. Where it has some, the request is met by
the file and nothing is said. In weakly typed networks, up to 10.16: FP8, INT4 and FP4 that no Q/DQ asks for. And strong typing up to 8.6, which
has none.

## Why TensorRT cares
These releases have no precision flags: every network is strongly typed, and the types in the file decide. `trtexec --fp16` stops
with `Unknown option: --fp16`, `config.set_flag(trt.BuilderFlag.FP16)` with an AttributeError; tools that ask first whether the flag exists
build an FP32 engine without a word. `trtexec --stronglyTyped --fp16` of 10.x warns and
drops the second flag. The flags for FP8, INT4 and FP4 allow what Q/DQ nodes ask for, and ask for nothing themselves. AutoCast raises a
file below opset 13 (19 with Q/DQ, 22 for BF16): the finding says so. In a model with Q/DQ everything outside of the pairs then runs in FP32. The conversion as such succeeds, so this is advice: it changes neither the verdict nor the
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
NVIDIA's guides for moving from 10.x to 11.x, and reports of engines that were FP32 unnoticed. Strong typing: NvInfer.h and the options of trtexec,
8.6 (none) and 9.0 to 10.16.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = kStrongTypingGates,
};

}  // namespace trtcheck::rules::precision_without_flag
