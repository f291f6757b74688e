#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "rules/numerics/reached.hpp"

namespace trtcheck::rules::norm_in_half {
namespace {

/// The only reader of a value; nullptr: there are none, or several.
const Node* only_reader(const RuleContext& context, ValueId value) {
  const auto uses = readers_of(context.model(), value);
  return uses.size() == 1 ? &context.model().node(uses.front().node) : nullptr;
}

/// What a node squares, as Pow(d, 2) or Mul(d, d); none: it does not.
ValueId squared_by(const RuleContext& context, const Node& node) {
  if (node.op_type == "Mul" && node.inputs.size() == 2 && node.inputs[0] == node.inputs[1]) return node.inputs[0];
  if (node.op_type != "Pow" || !node.input(1)) return {};
  const TensorId exponent = context.model().constant(node.input(1));
  const auto value = context.view().tensors.floats(exponent, 1);
  return value && value->size() == 1 && value->front() == 2.0 ? node.input(0) : ValueId{};
}

/// d = x - mean(x)
bool is_centred(const RuleContext& context, ValueId d) {
  const Node* const sub = context.producer(d);
  if (sub == nullptr || sub->op_type != "Sub") return false;
  const Node* const mean = context.producer(sub->input(1));
  return mean != nullptr && mean->op_type == "ReduceMean" && mean->input(0) == sub->input(0);
}

/// Behind the mean of squares: + epsilon, then a square root.
bool feeds_root(const RuleContext& context, const Node& mean) {
  const Node* const add = only_reader(context, mean.output(0));
  if (add == nullptr || add->op_type != "Add") return false;
  const Node* const root = only_reader(context, add->output(0));
  return root != nullptr && (root->op_type == "Sqrt" || root->op_type == "Pow");
}

void check(RuleContext& context) {
  const Node& mean = context.node();
  const Node* const square = context.producer(mean.input(0));
  if (square == nullptr || !runs_in_half(context, mean.output(0))) return;
  const ValueId d = squared_by(context, *square);
  if (!d || !feeds_root(context, mean)) return;
  const bool centred = is_centred(context, d);
  const bool in_file = context.shape(mean.output(0)).type == DataType::float16;
  context
      .add(fmt::format("{} spelt out in single operators {} FP16: the mean of squares passes 65,504 where the data "
                       "reach {}",
                       centred ? "a LayerNormalization" : "an RMSNormalization", in_file ? "computes in" : "may run in",
                       centred ? "256 from their mean" : "256"))
      .reason("a normalization spelt out in single operators in FP16")
      .fix(centred ? "export with opset 17 or later, which has LayerNormalization, or keep these nodes in FLOAT"
                   : "export with opset 23 or later, which has RMSNormalization, or keep these nodes in FLOAT");
}

constexpr std::string_view kOps[] = {"ReduceMean"};
constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/accuracy-considerations.html",
    "https://github.com/NVIDIA/TensorRT/issues/3565",
};
constexpr std::string_view kMessages[] = {
    "Detected layernorm nodes in FP16: *",
    "Running layernorm after self-attention in FP16 may cause overflow. Exporting the model to the latest available "
    "ONNX opset"};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM104",
    .name = "norm-in-half",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "a normalization spelt out in single operators that runs in FP16",
    .docs = R"(## What it checks
The pattern mean, difference, square, mean, epsilon, square root (LayerNormalization before opset 17), and the same without the difference (RMSNormalization),
whatever the order of the nodes, in FLOAT16, or in FLOAT with `--precision fp16` before 11.0.

## Why TensorRT cares
Squares of numbers beyond 256 pass 65,504, the largest number of FP16, and the result is 0 or NaN. Activations of transformers reach that. TensorRT sees the
pattern, too: it prints `Detected layernorm nodes in FP16` and asks for a newer opset, whose operator accumulates in FLOAT.

## Example
```onnx target=10.3 precision=fp16
agraph (float[N,64] x) => (float[N,64] y)
<float two = {2}, float epsilon = {1e-5}> {
  m = ReduceMean<axes=[-1]>(x)
  d = Sub(x, m)
  s = Pow(d, two)
  v = ReduceMean<axes=[-1]>(s)
  e = Add(v, epsilon)
  r = Sqrt(e)
  y = Div(d, r)
}
```

## Instead
```onnx target=10.3 precision=fp16
agraph (float[N,64] x) => (float[N,64] y)
<float[64] one = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}> {
  y = LayerNormalization(x, one)
}
```

## Fix
Export with opset 17 or later (23 for RMSNormalization), or cast to FLOAT in front of the pattern and back after it.

## Evidence
TensorRT's own warning; users report NaN that a newer opset cured. How large the data are the file does not say: *possible*.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .ops = kOps,
    .check = check,
    .gates = {kStrongTypingGates},
};

}  // namespace trtcheck::rules::norm_in_half
