#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "view/conv_view.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::int64_t kLongAxis = 1000;
constexpr std::int64_t kStretched = 32;

bool is_long_sequence(const RuleContext& context) {
  const auto dims = context.shape(context.conv().data).dims;
  return dims.size() == 3 && dims[2].is_literal() && dims[2].value() >= kLongAxis;
}

bool is_pointwise_3d(const RuleContext& context) {
  const auto dims = context.shape(context.conv().weight).dims;
  return dims.size() == 5 && context.conv().group == 1 && dims[2].is(1) && dims[3].is(1) && dims[4].is(1);
}

bool is_stretched_map(const RuleContext& context) {
  const auto dims = context.shape(context.conv().data).dims;
  if (dims.size() != 4 || !dims[2].is_literal() || !dims[3].is_literal()) return false;
  const std::int64_t height = dims[2].value();
  const std::int64_t width = dims[3].value();
  return height > 0 && width > 0 && (height / kStretched >= width || width / kStretched >= height);
}

bool moves_data(std::string_view op) { return op == "Reshape" || op == "Slice" || op == "Transpose"; }

/// A scale in FLOAT16, and data that is moved around it.
bool is_half_scale_beside_move(const RuleContext& context) {
  const Node& node = context.node();
  if (context.shape(node.input(1)).type != DataType::float16) return false;
  const Model& model = context.model();
  const auto moves = [&](NodeId id) { return moves_data(model.node(id).op_type); };
  return moves(model.value(node.input(0)).producer) ||
         std::ranges::any_of(readers_of(model, node.output(0)), [&](const Use& use) { return moves(use.node); });
}

bool is_int8(const RuleContext& context) {
  const Node& node = context.node();
  if (is_dequantize(node)) return code_type(context.view(), node) == DataType::int8;
  return layer_quantization(context.view(), node).int8();
}

/// Somebody's INT8 layer that no kernel was found for.
struct Report {
  std::string_view op;
  std::string_view what;
  TrtVersion first;  ///< releases, both included
  TrtVersion last;
  std::optional<ComputeCapability> gpu;  ///< nothing: any
  bool (*is_one)(const RuleContext&);
  std::string_view fix;
  std::string_view source;
};
constexpr std::string_view kSources[] = {
    "https://github.com/NVIDIA/TensorRT/issues/1768", "https://github.com/pytorch/TensorRT/issues/1445",
    "https://github.com/NVIDIA/TensorRT/issues/3638", "https://github.com/NVIDIA/TensorRT/issues/4832"};
constexpr Report kReports[] = {
    {"Conv",
     "over a sequence of 1,000 or more",
     {8, 2},
     {8, 2},
     ComputeCapability{7, 0},
     is_long_sequence,
     "leave the layer in float, or write it in two dimensions with the sequence along the last axis",
     kSources[0]},
    {"Conv",
     "of three dimensions with a kernel of 1x1x1",
     {8, 0},
     {8, 6},
     {},
     is_pointwise_3d,
     "leave the layer in float, or write it as MatMul",
     kSources[1]},
    {"Conv",
     "over a map with one long side",
     {8, 6},
     {8, 6},
     ComputeCapability{7, 5},
     is_stretched_map,
     "leave the layer in float",
     kSources[2]},
    {"DequantizeLinear",
     "with a FLOAT16 scale beside Reshape, Slice or Transpose",
     {10, 16},
     {10, 16},
     ComputeCapability{8, 7},
     is_half_scale_beside_move,
     "store the scales as FLOAT, or leave these tensors unquantized",
     kSources[3]},
};

void check(RuleContext& context) {
  const Target& target = context.target();
  const TrtVersion release = context.release().exact();
  for (const Report& report : kReports) {
    if (context.node().op_type != report.op || release < report.first || release > report.last) continue;
    if (report.gpu && target.compute_capability != report.gpu) continue;
    if (!is_int8(context) || !report.is_one(context)) continue;
    context
        .add(fmt::format("INT8 {} {}: such a layer was reported to have no kernel in {}", context.node().op_type,
                         report.what, context.release().name()))
        .reason(report.what)
        .evidence(report.source)
        .fix(std::string(report.fix));
  }
}

constexpr std::string_view kOps[] = {"Conv", "DequantizeLinear"};
constexpr std::string_view kMessages[] = {"CaskConvolution has no valid tactics for this config",
                                          "Could not infer output types for operation: * dequantize"};

}  // namespace

extern constinit const Rule kernel_reported_missing{
    .code = "HWD107",
    .name = "kernel-reported-missing",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "an INT8 layer like one that a release had no kernel for",
    .docs = R"(## What it checks
Conv with Q/DQ on data and weights, of the forms that users reported: over sequences of 1,000 or more in 8.2 on compute capability 7.0; with a
kernel of 1x1x1 in three dimensions up to 8.6; over maps with a side 32 times as long as the other, in 8.6 on 7.5. And DequantizeLinear of INT8
with a FLOAT16 scale beside Reshape, Slice or Transpose, in 10.16 on 8.7 (Orin).

## Why TensorRT cares
Q/DQ forces the layer into INT8, so that there is no way back to float when no kernel fits. Each of these is one report: others of the kind may build.

## Example
```onnx target=8.6
agraph (float[1,8,4,4,4] x) => (float[1,8,4,4,4] y)
<float[8,8,1,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, float a = {0.05}, int8 zero = {0}> {
  xq = QuantizeLinear(x, a, zero)
  xd = DequantizeLinear(xq, a, zero)
  wq = QuantizeLinear(w, a, zero)
  wd = DequantizeLinear(wq, a, zero)
  c = Conv<kernel_shape=[1,1,1]>(xd, wd)
  y = Relu(c)
}
```

## Instead
```onnx target=8.6
agraph (float[1,8,4,4,4] x) => (float[1,8,4,4,4] y)
<float[8,8,1,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}> {
  y = Conv<kernel_shape=[1,1,1]>(x, w)
}
```

## Fix
Build it; where no kernel is found, leave the layer in float.

## Evidence
NVIDIA/TensorRT issues 1768, 3638 and 4832, pytorch/TensorRT issue 1445.
)",
    .evidence = kSources,
    .messages = kMessages,
    .ops = kOps,
    .quantized_only = true,
    .check = check,
    .asks = Asks::release};

}  // namespace trtcheck::rules
