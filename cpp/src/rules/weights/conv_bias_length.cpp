#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"
#include "view/extents.hpp"

namespace trtcheck::rules::conv_bias_length {
namespace {

std::string message(const RuleContext& context, const ConvView& view, const Conflict& conflict) {
  if (!view.out_channels) return conflict.message;
  const ValueShape& bias = context.shape(view.bias);
  const std::string_view op = context.node().op_type;
  if (bias.rank() > 1 || (bias.rank() == 0 && view.transposed)) {
    return fmt::format("bias `{}` has rank {}, {} needs a vector of {}", context.name(view.bias), bias.rank(), op,
                       counted(*view.out_channels, "value"));
  }
  const Dim length = bias.rank() == 0 ? context.dims().literal(1) : bias.dims[0];
  const std::string where = view.transposed ? fmt::format("axis 1 of weight `{}` is {}, group is {}",
                                                          context.name(view.weight), *view.weight1, view.group)
                                            : fmt::format("axis 0 of weight `{}`", context.name(view.weight));
  return fmt::format("bias `{}` has {}, {} with {} needs {} ({})", context.name(view.bias),
                     counted(context.dims().text(length), "value"), op, counted(*view.out_channels, "output channel"),
                     *view.out_channels, where);
}

void check(RuleContext& context) {
  const Conflict* conflict = context.conflict(ConflictId::conv_bias);
  if (conflict == nullptr) return;
  const ConvView& view = context.conv();
  // The parser lifts a scalar bias of Conv to one element, that of ConvTranspose not.
  if (!conflict->taken_as.empty()) return;
  FindingBuilder finding = context.add(message(context, view, *conflict));
  finding.value(context.name(view.bias));
  const ValueShape& bias = context.shape(view.bias);
  const bool sized_by_inputs = view.transposed && view.weight0 && bias.rank() == 1 && bias.dims[0].is(*view.weight0);
  if (sized_by_inputs) {
    finding.note(fmt::format("{} is axis 0 of weight `{}`, which for ConvTranspose counts the input channels",
                             *view.weight0, context.name(view.weight)));
  }
  const bool is_one_value = bias.rank() <= 1 && element_count(bias) == std::int64_t{1};
  const ParserView& parser = context.view().parser;
  if (!view.transposed && is_one_value && parser.is_constant(view.bias) == Truth::yes &&
      parser.is_constant(view.weight) != Truth::yes && context.has(gates::conflicts_measured)) {
    finding.severity(Severity::warning)
        .certainty(Certainty::likely)
        .note("ONNX forbids it, TensorRT-RTX builds it: what one value is for several channels is not documented");
  }
  if (view.out_channels) {
    finding.fix(fmt::format("give the bias {}, one for each output channel", counted(*view.out_channels, "value")));
  }
}

constexpr ConflictId kConflicts[] = {ConflictId::conv_bias};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp Conv and ConvTranspose, 10.1",
    "https://github.com/pytorch/TensorRT/issues/2723",
};
constexpr std::string_view kMessages[] = {"shape of the bias tensor misaligns with the weight tensor",
                                          "number of the bias weights does not align with the number",
                                          "The bias tensor is required to be 1D."};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT105",
    .name = "conv-bias-length",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "the bias of a convolution has not one value per output channel",
    .docs = R"(## What it checks
The bias must be a vector with one value per output channel: `W.shape[0]` for Conv, `W.shape[1] * group` for ConvTranspose, whose weights
are laid out as [C_in, C_out/group, k...].

## Why TensorRT cares
The parser compares the lengths (`shape of the bias tensor misaligns with the weight tensor`, `number of the bias weights does not
align with the number ...`). `onnx.checker` and strict shape inference look at neither.

## Example
```onnx
agraph (float[1,4,8,8] x) => (float[1,2,8,8] y)
<float[4,2,1,1] w = {1,1, 1,1, 1,1, 1,1}, float[4] b = {0,0,0,0}> {
  y = ConvTranspose<kernel_shape=[1,1]>(x, w, b)
}
```

## Instead
```onnx
agraph (float[1,4,8,8] x) => (float[1,2,8,8] y)
<float[4,2,1,1] w = {1,1, 1,1, 1,1, 1,1}, float[2] b = {0,0}> {
  y = ConvTranspose<kernel_shape=[1,1]>(x, w, b)
}
```

## Fix
Give the bias as many values as the layer has output channels.

## Evidence
Parser source, 8.6 to 11.0. Counting the outputs of a transposed convolution on axis 0 is also what Torch-TensorRT up to 2.3 did for
quantized layers (pytorch/TensorRT issue 2723, repaired by PR 2678 in 2.4).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kinds::convolution.operators,
    .check = check,
    .gates = {gates::conflicts_measured},
};

}  // namespace trtcheck::rules::conv_bias_length
