#include <algorithm>

#include <fmt/format.h>

#include "rules/hardware/dla_layers.hpp"
#include "rules/rule_context.hpp"
#include "target/dla.hpp"

namespace trtcheck::rules::dla_size {
namespace {

constexpr std::int64_t kMostBatches = 4096;
constexpr std::int64_t kLargest = 8192;

struct TooLarge {
  ValueId value;
  std::size_t axis;
  std::int64_t size;
  std::int64_t limit;
};

/// The last three axes are channels, height and width.
std::optional<TooLarge> too_large(const RuleContext& context, ValueId value) {
  if (!value || !context.shape(value).has_rank || context.shape(value).rank() < 4) return std::nullopt;
  const auto dims = context.shape(value).dims;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const std::int64_t limit = axis + 3 < dims.size() ? kMostBatches : kLargest;
    if (dims[axis].is_literal() && dims[axis].value() > limit) {
      return TooLarge{value, axis, dims[axis].value(), limit};
    }
  }
  return std::nullopt;
}

std::optional<TooLarge> too_large(const RuleContext& context, const Node& node) {
  for (const auto& values : {node.inputs, node.outputs}) {
    for (const ValueId value : values) {
      if (value && context.shapes().folds_to_constant(value)) continue;
      if (const auto found = too_large(context, value)) return found;
    }
  }
  return std::nullopt;
}

void check(RuleContext& context) {
  if (!may_run_on_dla(context.target(), context.release())) return;
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    const auto found = too_large(context, node);
    if (!found || !is_float_layer(context, id) || !has_dla_layer(context, id)) continue;
    context
        .add(id, fmt::format("`{}` has {} on axis {}, DLA accepts up to {}: {} `{}` runs on the GPU",
                             context.name(found->value), found->size, found->axis, found->limit, node.op_type,
                             context.label(id)))
        .value(context.name(found->value))
        .reason("a tensor larger than DLA accepts")
        .fix("cut the tensor into parts");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/dla-layer-restrictions.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD405",
    .name = "dla-size",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "with --dla: a tensor with more channels, rows or columns than DLA accepts",
    .docs = R"(## What it checks
For a target with DLA (`--dla`): data of layers that NVIDIA's Deep Learning Accelerator has, up to 8,192 on each of the last three axes (channels, height, width) and 4,096
on each axis before them.

## Why TensorRT cares
With GPU fallback such a layer runs on the GPU; without it the build ends.

## Example
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,1,1,10000] x) => (float[1,1,1,10000] y) {
  y = Relu(x)
}
```

## Instead
```onnx dla=yes target=10.3 precision=fp16
agraph (float[1,1,1,8192] x) => (float[1,1,1,8192] y) {
  y = Relu(x)
}
```

## Fix
Cut the tensor into parts.

## Evidence
NVIDIA's guide, DLA Supported Layers and Restrictions. The limits of 1 GB for a tensor and 512 MB for weights are not looked at.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kDlaGates},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::dla_size
