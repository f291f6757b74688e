#include "rules/rule_context.hpp"
#include "rules/weights/batchnorm_facts.hpp"

namespace trtcheck::rules {
namespace {

constexpr TrtVersion kCountsCompared{10, 0};

void check(RuleContext& context) {
  const BatchNormFacts facts = batchnorm_facts(context, context.node());
  const auto message = parameters_disagree(context, facts);
  if (!message) return;
  FindingBuilder finding = context.add(*message);
  finding.fix("give scale, bias, mean and variance one value per channel each");
  bool vectors = true;
  for (ValueId value : facts.parameters) vectors = vectors && context.shape(value).rank() == 1;
  if (vectors && context.target().release < kCountsCompared) {
    finding.severity(Severity::warning);
    finding.note("before 10.0 nothing compares the counts: vectors shorter than scale are read past their end");
  }
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpImporters.cpp batchnormWeightHelper, 10.1: `Inputs to BatchNormalization must have the same "
    "shape!`",
    "onnx-tensorrt builtin_op_importers.cpp BatchNormalization, 8.6",
};
constexpr std::string_view kMessages[] = {"The shape of the * input must be (C, )",
                                          "Inputs to BatchNormalization must have the same shape!"};

}  // namespace

extern constinit const Rule batchnorm_parameters_disagree{
    .code = "WGT202",
    .name = "batchnorm-parameters-disagree",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
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
    .ops = kOps,
    .check = check};

}  // namespace trtcheck::rules
