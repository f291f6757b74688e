#include <string>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "text/plural.hpp"
#include "view/norm_view.hpp"

namespace trtcheck::rules::batchnorm_parameters_disagree {
namespace {

std::string message(const RuleContext& context, const NormView& norm, const Conflict& conflict) {
  for (std::size_t i = 0; i < norm.parameters.size(); ++i) {
    const ValueShape& shape = context.shape(norm.parameters[i]);
    if (shape.has_rank && shape.rank() != 1) {
      return fmt::format("{} `{}` is {}, BatchNormalization needs a vector with one value per channel",
                         kNormParameters[i], context.name(norm.parameters[i]), context.shapes().text(shape));
    }
  }
  for (std::size_t i = 1; i < norm.parameters.size(); ++i) {
    if (!norm.counts[0] || !norm.counts[i] || *norm.counts[0] == *norm.counts[i]) continue;
    return fmt::format("{} `{}` has {}, scale `{}` has {}", kNormParameters[i], context.name(norm.parameters[i]),
                       counted(*norm.counts[i], "value"), context.name(norm.parameters[0]), *norm.counts[0]);
  }
  return conflict.message;
}

void check(RuleContext& context) {
  const Conflict* conflict = context.conflict(ConflictId::batchnorm_parameters);
  if (conflict == nullptr) return;
  const NormView norm = norm_view(context.view(), context.node());
  FindingBuilder finding = context.add(message(context, norm, *conflict));
  finding.fix("give scale, bias, mean and variance one value per channel each");
  bool vectors = true;
  for (ValueId value : norm.parameters) vectors = vectors && context.shape(value).rank() == 1;
  if (vectors && !context.has(gates::batchnorm_counts_compared)) {
    finding.severity(Severity::warning);
    finding.note("before 10.0 nothing compares the counts: vectors shorter than scale are read past their end");
  }
}

constexpr ConflictId kConflicts[] = {ConflictId::batchnorm_parameters};
constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp batchnormWeightHelper, 10.1: `Inputs to BatchNormalization must have the same "
    "shape!`",
    "onnx-tensorrt builtin_op_importers.cpp BatchNormalization, 8.6",
};
constexpr std::string_view kMessages[] = {"The shape of the * input must be (C, )",
                                          "Inputs to BatchNormalization must have the same shape!"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT202",
    .name = "batchnorm-parameters-disagree",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "the four parameters of BatchNormalization are not vectors of one length",
    .docs = R"(## What it checks
Scale, bias, mean and variance must be vectors, all of the same length.

## Why TensorRT cares
`The shape of the scale input must be (C, )` is what the parser says to a parameter of another rank, `Inputs to BatchNormalization must have the same
shape!` to unequal lengths from 10.0 on. Earlier releases do not compare the lengths and read past the end of the shorter ones: a warning there.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[3] v = {1,1,1}> {
  y = BatchNormalization(x, s, b, m, v)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y = BatchNormalization(x, s, b, m, v)
}
```

## Fix
Give each vector one value per channel.

## Evidence
Parser source, 8.6 to 11.0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .conflicts = kConflicts,
    .ops = kOps,
    .check = check,
    .gates = {gates::batchnorm_counts_compared},
};

}  // namespace trtcheck::rules::batchnorm_parameters_disagree
