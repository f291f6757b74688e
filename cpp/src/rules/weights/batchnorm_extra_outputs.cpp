#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/weights/batchnorm_words.hpp"

namespace trtcheck::rules::batchnorm_extra_outputs {
namespace {

void check(RuleContext& context) {
  const Node& node = context.node();
  const std::size_t counted = counted_outputs(node, context.release());
  if (counted <= 1) return;
  FindingBuilder finding = context.add(fmt::format(
      "BatchNormalization has {} outputs, TensorRT accepts 1 (the running statistics belong to training)", counted));
  finding.caused_by(first_in_training(context));
  if (!node.output(1)) finding.note("the further outputs have no name; releases up to 10.5 count them all the same");
  const bool trains = int_attribute(node, "training_mode", 0) != 0;
  finding.fix(trains ? training_remedy(context) : training_remedy(context) + "; or remove the outputs after the first");
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt ModelImporter.cpp parseNode, 10.1: `Node has more output tensors than TRT expected`",
    "onnx-tensorrt onnxOpCheckers.cpp BatchNormalization, 11.0",
};
constexpr std::string_view kMessages[] = {"Node has more output tensors than TRT expected",
                                          "doesn't support mode than 1 outputs"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT204",
    .name = "batchnorm-extra-outputs",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "BatchNormalization with the outputs of its training form",
    .docs = R"(## What it checks
BatchNormalization may have one output. Training exports have three (opset 14 and later) or five (before): the running statistics.

## Why TensorRT cares
`Node has more output tensors than TRT expected` up to 10.5, where an output without a name counts too; a checker with another text from
10.6 on, where it does not.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y, running_mean, running_var = BatchNormalization(x, s, b, m, v)
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
Call `model.eval()` before the export. That changes modules only: in a call of `torch.nn.functional.batch_norm` write
`training=self.training` (or False). Where `training_mode` is 0, the outputs after the first can be removed instead.

## Evidence
Parser source, 8.6 to 11.0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .check = check,
    .gates = {kOutputGates},
};

}  // namespace trtcheck::rules::batchnorm_extra_outputs
