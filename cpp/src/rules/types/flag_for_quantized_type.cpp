#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules::flag_for_quantized_type {
namespace {

struct Row {
  DataType code;
  Precision precision;
  std::string_view flag;  ///< of trtexec; "" = it has none
};
constexpr Row kRows[] = {
    {DataType::int8, Precision::int8, "--int8"},
    {DataType::float8e4m3fn, Precision::fp8, "--fp8"},
    {DataType::int4, Precision::int4, "--int4"},
    {DataType::float4e2m1, Precision::fp4, ""},
};

/// The pairs of one type of codes.
struct Pairs {
  NodeId first;
  std::size_t count = 0;
};

Pairs pairs_of(const RuleContext& context, DataType code) {
  Pairs found;
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (!is_dequantize(node)) continue;
    const DataType type = code_type(context.view(), node);
    // Codes that nobody names are INT8.
    if ((type == DataType::undefined || type == DataType::uint8 ? DataType::int8 : type) != code) continue;
    if (found.count++ == 0) found.first = id;
  }
  return found;
}

std::string first_of(const Pairs& pairs) {
  return fmt::format("the first of {}", counted(pairs.count, "DequantizeLinear node"));
}

void ask_for_flag(RuleContext& context, const Row& row, const Pairs& pairs) {
  const std::string word(to_string(row.precision));
  FindingBuilder finding = context.add_model(
      fmt::format("the model is quantized to {}, and `{}` is not among the precisions that the build allows",
                  to_string(row.code), word));
  finding.note(first_of(pairs), pairs.first);
  if (row.flag.empty()) {
    finding.fix(fmt::format("allow it (BuilderFlag; here `--precision {}`), or make the network strongly typed", word));
  } else {
    finding.fix(
        fmt::format("allow it (trtexec {}; here `--precision {}`), or make the network strongly typed (trtexec "
                    "--stronglyTyped; here `--strongly-typed`)",
                    row.flag, word));
  }
}

void advise_strong_typing(RuleContext& context, const Row& row, const Pairs& pairs) {
  FindingBuilder finding = context.add_model(
      fmt::format("the model is quantized to {} and the network weakly typed, which {} advises against",
                  to_string(row.code), context.release().name()));
  finding.severity(Severity::info).note(first_of(pairs), pairs.first);
  if (row.code == DataType::float8e4m3fn && !context.has(gates::fp8_conv_weakly_typed)) {
    finding.note("up to 10.2 no FP8 kernel of a convolution is tried there: it runs in float");
  }
  finding.fix("make the network strongly typed (trtexec --stronglyTyped; here `--strongly-typed`)");
}

void check(RuleContext& context) {
  const Target& target = context.target();
  // Without any precision nobody knows what flags the build will have, and whether it is strongly typed.
  if (!context.view().is_quantized || is_strongly_typed(context.release(), context.target().strongly_typed) ||
      target.precisions.empty())
    return;
  for (const Row& row : kRows) {
    const Pairs pairs = pairs_of(context, row.code);
    if (pairs.count == 0) continue;
    if (!target.asks_for(row.precision)) {
      ask_for_flag(context, row, pairs);
    } else if (row.code != DataType::int8 && context.has(gates::strongly_typed_on_request)) {
      advise_strong_typing(context, row, pairs);
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://github.com/NVIDIA/TensorRT/issues/2507",
    "https://github.com/NVIDIA/TensorRT/issues/3987",
};
constexpr std::string_view kMessages[] = {"int8 is not configured in the builder",
                                          "A strongly typed network is recommended for networks with"};

}  // namespace

extern constinit const Rule rule{
    .code = "STY202",
    .name = "flag-for-quantized-type",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "the model is quantized to a type that the build does not allow",
    .docs = R"(## What it checks
Weakly typed networks, that is up to 10.16 and without `--strongly-typed`, of models with Q/DQ: precisions are named, and the type that Q/DQ
quantize to is not among them. From 9.0 on, as an info: FP8, INT4 or FP4 that is among them, since such a network is better strongly typed.
Without any `precision` nobody knows which flags the build will have, and nothing is said.

## Why TensorRT cares
Q/DQ in the file demand a type, and the builder uses no type that its flags do not allow: it stops with `int8 is not configured in the builder`.
A strongly typed network needs no flag. For FP8, INT4 and FP4 the parser of 10.x recommends one; in 10.0 to 10.2 FP8 convolutions run in float
without it.

## Example
```onnx target=10.13 precision=fp16
agraph (float[2,4] x) => (float[2,4] y)
<float s = {0.5}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Instead
```onnx target=10.13 precision=fp16 precision=int8
agraph (float[2,4] x) => (float[2,4] y)
<float s = {0.5}, int8 z = {0}> {
  q = QuantizeLinear(x, s, z)
  y = DequantizeLinear(q, s, z)
}
```

## Fix
Allow the type: `trtexec --int8`, `config.set_flag(trt.BuilderFlag.INT8)`, here `--precision int8`. Or make the network strongly typed.

## Evidence
Guide on explicit quantization; a report of a QAT model built without the flag (issue 2507), a maintainer on FP8 in 10.2 (issue 3987).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::fp8_conv_weakly_typed, gates::strongly_typed_on_request, kStrongTypingGates},
};

}  // namespace trtcheck::rules::flag_for_quantized_type
