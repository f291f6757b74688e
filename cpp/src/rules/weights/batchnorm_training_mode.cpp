#include "rules/rule_context.hpp"
#include "rules/weights/batchnorm_words.hpp"

namespace trtcheck::rules::batchnorm_training_mode {
namespace {

void check(RuleContext& context) {
  if (int_attribute(context.node(), "training_mode", 0) == 0) return;
  context.add("training_mode is 1, TensorRT accepts BatchNormalization only in inference mode")
      .caused_by(first_in_training(context))
      .fix(training_remedy(context));
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt onnxOpCheckers.cpp BatchNormalization, 10.1: `does not support training_mode == 1`"};
constexpr std::string_view kMessages[] = {"does not support training_mode == 1 in BatchNormalization"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT203",
    .name = "batchnorm-training-mode",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "BatchNormalization was exported in training mode",
    .docs = R"(## What it checks
The attribute `training_mode` (opset 14 and later) must be 0.

## Why TensorRT cares
In training mode the statistics are those of the batch. The parser refuses the node: `does not support training_mode == 1 in
BatchNormalization`.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y = BatchNormalization<training_mode=1>(x, s, b, m, v)
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
Call `model.eval()` before the export. That changes modules only: in a call of `torch.nn.functional.batch_norm` the flag is
an argument, write `training=self.training` (or False) there. Without running statistics (`track_running_stats=False`) the
exporter writes those of the batch out by ReduceMean: set `training_mode` to 0 in the file and remove the outputs after the
first, the results stay.

## Evidence
Parser source, 8.6 to 11.0.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .check = check,
    .gates = {kOutputGates},
};

}  // namespace trtcheck::rules::batchnorm_training_mode
