#include <algorithm>
#include <unordered_set>

#include <fmt/core.h>

#include "rules/claims.hpp"
#include "rules/extremes.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::too_many_dims {
namespace {

// NVIDIA/TensorRT NvInferRuntimeBase.h, Dims::MAX_DIMS, the same in 7.2 and 11.1.
constexpr std::size_t kMostDims = 8;

constexpr std::string_view kFix = "merge axes: split Reshape and Transpose into steps of at most 8 dims";

bool is_too_long(const RuleContext& context, ValueId id) {
  return id && context.shape(id).has_rank && context.shape(id).rank() > kMostDims;
}

/// Tells of inputs and initializers, each once, and of the nodes that are the first to make such a tensor.
class Reporter {
 public:
  explicit Reporter(RuleContext& context) noexcept : context_(&context) {}

  void graph_inputs() {
    for (ValueId id : context_->model().graph().inputs) {
      if (context_->model().value(id).initializer || !is_too_long(*context_, id) || !told_.insert(id.index).second)
        continue;
      report(context_->add_model(fmt::format("input `{}` {}", context_->name(id), count(id))), id);
    }
  }

  void initializer(NodeId reader, ValueId id) {
    if (!is_too_long(*context_, id) || !context_->model().value(id).initializer) return;
    if (!told_.insert(id.index).second) return;
    report(context_->add(reader, fmt::format("initializer `{}` {}", context_->name(id), count(id))), id);
  }

  void node(NodeId id) {
    const Node& node = context_->model().node(id);
    const auto too_long = [&](ValueId value) { return is_too_long(*context_, value); };
    for (ValueId input : node.inputs) {
      if (input) initializer(id, input);
    }
    if (std::ranges::any_of(node.inputs, too_long)) return;
    const auto output = std::ranges::find_if(node.outputs, too_long);
    if (output == node.outputs.end()) return;
    report(context_->add(id, fmt::format("output `{}` of {} `{}` {}", context_->name(*output), node.op_type,
                                         context_->label(id), count(*output))),
           *output);
  }

 private:
  [[nodiscard]] std::string count(ValueId id) const {
    return fmt::format("has {} dims, a tensor of TensorRT has at most {}", context_->shape(id).rank(), kMostDims);
  }
  void report(FindingBuilder finding, ValueId id) const {
    finding.value(context_->name(id)).fix(std::string(kFix));
    if (context_->shape(id).assumed) rests_on_claim(finding, "the rank");
  }

  RuleContext* context_;
  std::unordered_set<std::uint32_t> told_;
};

void check(RuleContext& context) {
  if (extremes(context).rank <= kMostDims) return;
  Reporter reporter(context);
  reporter.graph_inputs();
  for (NodeId id : context.nodes()) reporter.node(id);
  if (!context.has(gates::unread_initializers_converted)) return;
  const Model& model = context.model();
  for (std::uint32_t index = 0, count = static_cast<std::uint32_t>(model.value_count()); index < count; ++index) {
    const Value& value = model.value(ValueId{index});
    if (value.graph == GraphId{0} && value.users.empty()) reporter.initializer(NodeId{}, ValueId{index});
  }
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInferRuntimeBase.h, Dims::MAX_DIMS, 11.1 (NvInferRuntime.h in 8.6)",
    "onnx-tensorrt onnxProtoUtils.hpp convertOnnxDims, WeightsContext.cpp and ShapeTensor.cpp, 10.10",
    "measured: TensorRT-RTX 1.5.0 and 1.7.1",
};
constexpr std::string_view kMessages[] = {
    "Failed to convert ONNX dimensions to TensorRT dimensions",
    "Number of dimensions (*) is not in the valid range",
    "would produce a tensor with rank greater than Dims::MAX_DIMS",
};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD201",
    .name = "too-many-dims",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a tensor of more than 8 dims",
    .docs = R"(## What it checks
Inputs, initializers and results of nodes have at most 8 dims. Only the first node of a chain is reported.

## Why TensorRT cares
The type for dimensions holds 8 numbers, in every release. The parser refuses inputs and initializers, and every layer that would
make such a tensor. Window partitions and pixel shuffles that are written as one Reshape and one Transpose get there with batch,
three spatial axes and their parts.

## Example
```onnx
agraph (float[4,8] x) => (float[4,8] y)
<int64[9] parts = {1,2,2,1,2,1,2,1,2}, int64[2] back = {4,8}> {
  p = Reshape(x, parts)
  t = Transpose<perm = [0,2,1,3,4,5,6,7,8]>(p)
  y = Reshape(t, back)
}
```

## Instead
```onnx
agraph (float[4,8] x) => (float[4,8] y)
<int64[4] parts = {2,2,2,4}, int64[2] back = {4,8}> {
  p = Reshape(x, parts)
  t = Transpose<perm = [1,0,2,3]>(p)
  y = Reshape(t, back)
}
```

## Fix
Merge axes that stay together, and split the rearrangement into steps of at most 8 dims.

## Evidence
`Dims::MAX_DIMS` in the headers of 7.2 to 11.1, the parser's source of 10.10, and measured: TensorRT-RTX 1.5.0 and 1.7.1 accept 8 and
refuse 9 dims of inputs, initializers (also unused ones), Constant, Reshape, Unsqueeze, Expand and ConstantOfShape.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::unread_initializers_converted},
};

}  // namespace trtcheck::rules::too_many_dims
