#include <algorithm>

#include <fmt/core.h>

#include "model/walk.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules::output_size_from_data {
namespace {

constexpr std::size_t kMostValues = 256;

bool decides(const RuleContext& context, NodeId id) {
  return id && is_a(context.model().node(id).op_type, kinds::size_from_data);
}

/// The node whose data decide one of the dims; none: no such node is known. Behind a size that the file names itself
/// inference sees no further: there the inputs of the producer are asked.
NodeId deciding_node(const RuleContext& context, ValueId output) {
  const Model& model = context.model();
  NodeId found;
  walk<kMostValues>(output, [&](ValueId id, auto& onward) {
    const ValueShape& shape = context.shape(id);
    if (std::ranges::all_of(shape.dims, &Dim::is_literal)) return false;
    for (const Dim dim : shape.dims) {
      for (const Origin& origin : context.dims().origins(dim)) {
        if (origin.node != Origin::kNone && decides(context, NodeId{origin.node})) found = NodeId{origin.node};
        if (found) return true;
      }
    }
    const NodeId producer = model.value(id).producer;
    if (!shape.assumed || !producer) return false;
    if (decides(context, producer)) {
      found = producer;
      return true;
    }
    onward.add(model.node(producer).inputs);
    return false;
  });
  return found;
}

void check(RuleContext& context) {
  const Operators& operators = context.view().operators;
  if (std::ranges::none_of(kinds::size_from_data.operators, [&](std::string_view op) { return operators.has(op); }))
    return;
  for (const ValueId id : context.model().graph().outputs) {
    const NodeId node = deciding_node(context, id);
    if (!node || context.view().support(node) != Support::supported) continue;
    const std::string_view op = context.model().node(node).op_type;
    context
        .add(node, fmt::format("{} `{}` decides the size of output `{}`, which is not known before the engine runs", op,
                               context.label(node), context.name(id)))
        .value(context.name(id))
        .reason(op)
        .fix("give the execution context an output allocator for it (`IOutputAllocator`)");
  }
}

constexpr std::string_view kEvidence[] = {"NvInfer.h INonZeroLayer and INMSLayer, 8.6 to 11.1",
                                          "NvInferRuntime.h IOutputAllocator, 8.5 to 11.1"};

}  // namespace

extern constinit const Rule rule{
    .code = "SHP104",
    .name = "output-size-from-data",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an output whose size the data decide",
    .docs = R"(## What it checks
Outputs of the model whose size goes back to a NonZero or a NonMaxSuppression.

## Why TensorRT cares
The conversion goes through, but the size is known only when the engine has run: TensorRT plans memory for the largest case, and the application
cannot allocate the output beforehand. It hands over an allocator instead.

## Example
```onnx target=10.3
agraph (float[N,3] x) => (int64[2,K] y) {
  y = NonZero (x)
}
```

## Instead
```onnx target=10.3
agraph (float[N,3] x) => (float[N,3] y) {
  zero = Constant <value_float = 0.0> ()
  one = Constant <value_float = 1.0> ()
  is_zero = Equal (x, zero)
  y = Where (is_zero, zero, one)
}
```

## Fix
`IExecutionContext::setOutputAllocator`; ONNX Runtime and trtexec do it by themselves. Or cut the model before the node.

## Evidence
NvInfer.h, `INonZeroLayer` and `INMSLayer`; NvInferRuntime.h, `IOutputAllocator` (8.5 to 11.1).
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::output_size_from_data
