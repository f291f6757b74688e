#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/rule_context.hpp"
#include "rules/types/one_type.hpp"
#include "rules/types/roots.hpp"
#include "target/gates.hpp"
#include "view/dispatch.hpp"
#include "view/operand_types.hpp"
#include "view/type_origin.hpp"

namespace trtcheck::rules::mixed_operand_types {
namespace {

bool are_float_and_half(const RuleContext& context, const MixedPair& pair) {
  const std::string_view a = operand_type(context.view(), pair.first), b = operand_type(context.view(), pair.other);
  return (a == "FP32" && b == "FP16") || (a == "FP16" && b == "FP32");
}

bool has_int8(const RuleContext& context, const MixedPair& pair) {
  return operand_type(context.view(), pair.first) == "INT8" || operand_type(context.view(), pair.other) == "INT8";
}

bool is_constant(const RuleContext& context, ValueId id) { return context.shapes().folds_to_constant(id); }

/// What has to be changed so that all operands have the type of `data`: each by name, stored ones and computed ones.
std::string fix_for(const RuleContext& context, const MixedPair& pair, TypeOrigins& origins) {
  const bool change_first = is_constant(context, pair.first) && !is_constant(context, pair.other);
  const ValueId data = change_first ? pair.other : pair.first;
  const std::string_view wanted = operand_type(context.view(), data);
  std::vector<std::string> stored;
  std::vector<std::string> computed;
  for (const ValueId operand : pair.group) {
    if (operand_type(context.view(), operand) == wanted) continue;
    const ValueId origin = is_constant(context, operand) ? origins.of(operand).value : ValueId{};
    const bool is_stored = origin && static_cast<bool>(context.model().constant(origin));
    auto& names = is_constant(context, operand) ? stored : computed;
    std::string name = fmt::format("`{}`", context.name(is_stored ? origin : operand));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  const std::string type(to_string(context.shape(data).type));
  std::string fix;
  if (!stored.empty()) fix = fmt::format("store {} as {}", fmt::join(stored, ", "), type);
  if (computed.empty()) return fix;
  return fmt::format(
      "{}{}cast {} to {}, or convert the whole model to one type again; check again afterwards, what "
      "reads the result may need the same",
      fix, fix.empty() ? "" : " and ", fmt::join(computed, ", "), type);
}

/// Walks the nodes in execution order. The type of what a mixed node computes is a guess: what follows from it is
/// folded into the node.
class Walk {
 public:
  explicit Walk(RuleContext& context) : context_(&context), origins_(context.view()) {
    const std::span<const OperatorView> operators = context.view().operators.all();
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const OperatorView& op = operators[i];
      rows_.push_back(context.view().handler_of(i) == Handler::importer ? one_type(op.op_type) : nullptr);
    }
  }

  void visit(NodeId id) {
    const OneType* row = rows_[context_->view().operators.index(id)];
    if (row == nullptr && roots_.empty()) return;
    const Node& node = context_->model().node(id);
    NodeId root = roots_.of(node);
    if (row != nullptr) {
      const auto pair = mixed_pair(context_->view(), id);
      if (pair && report(id, *row, *pair, root) && !root) root = id;
    }
    roots_.hand_on(node, root);
  }

 private:
  bool report(NodeId id, const OneType& row, const MixedPair& pair, NodeId root) {
    const bool strong = is_strongly_typed(context_->release(), context_->target().strongly_typed);
    const bool floats = are_float_and_half(*context_, pair);
    // Quantized tensors in networks with dynamic ranges; nobody measured those.
    if (!strong && (has_int8(*context_, pair) || row.weak == Weak::told)) return false;
    if (!strong && floats && !(row.floats_in_weak_refused && context_->has(gates::int64_network))) return false;
    const auto type = [&](ValueId value) { return to_string(context_->shape(value).type); };
    FindingBuilder finding =
        context_->add(id, fmt::format("operands of {} `{}` differ in type: `{}` is {}, `{}` is {}; {} inserts no cast",
                                      row.op, context_->label(id), context_->name(pair.first), type(pair.first),
                                      context_->name(pair.other), type(pair.other), context_->release().name()));
    finding.value(context_->name(pair.other)).fix(fix_for(*context_, pair, origins_)).caused_by(root);
    for (const ValueId operand : {pair.first, pair.other}) {
      const TypeOrigin origin = origins_.of(operand);
      finding.note(fmt::format("{} comes from {}", type(operand), origins_.text(operand)),
                   origin.node ? origin.node : origin.first);
    }
    // However long the ways are: what is the same at several nodes is told once.
    finding.reason(fmt::format("{} {} {}", row.op, type(pair.first), type(pair.other)));
    if (!strong && row.weak == Weak::possible) finding.severity(Severity::warning).certainty(Certainty::possible);
    if (strong && floats) finding.note("up to 10.16 a weakly typed network accepts FLOAT together with FLOAT16");
    if (strong && !is_strongly_typed(context_->release(), false))
      finding.note("the network is strongly typed on request");
    return true;
  }

  RuleContext* context_;
  std::vector<const OneType*> rows_;  ///< by operator; nullptr: none
  Roots roots_;
  TypeOrigins origins_;
};

void check(RuleContext& context) {
  Walk walk(context);
  for (NodeId id : context.nodes()) walk.visit(id);
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, addElementWise: two types are compatible if they are the same or FLOAT and "
    "HALF, "
    "8.6 to 11.1",
    "measured: TensorRT-RTX 1.5.0 and 1.7.1",
    "https://github.com/NVIDIA/TensorRT/issues/4268",
    "https://github.com/NVIDIA/TensorRT/issues/1872",
    "https://docs.nvidia.com/deeplearning/tensorrt/11.4.0/api/migration/tensorrt-10x-to-11x.html",
};
constexpr std::string_view kMessages[] = {
    "must have same input types. But they are of types * and *",
    "must have `thenInput` and `elseInput` of same types",
    "concat input tensors * and * have incompatible types * and *",
    "has incompatible input types",
};

}  // namespace

extern constinit const Rule rule{
    .code = "STY101",
    .name = "mixed-operand-types",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "operands of different element types where TensorRT inserts no cast",
    .docs = R"(## What it checks
Operands that have one type by the operator's schema: of arithmetic and comparison (not Pow), Concat, Where, MatMul, Gemm, Einsum, Conv,
ConvTranspose, PRelu, LayerNormalization, GroupNormalization, InstanceNormalization, GRU, LSTM, RNN, Range, RotaryEmbedding, and data and
updates of the Scatter operators. DOUBLE counts as FLOAT, UINT8 constants as INT32, and up to 8.6 INT64 as INT32. BatchNormalization,
RMSNormalization and Pow may be mixed. Up to 10.16, where a weakly typed network accepts them, FLOAT together with FLOAT16 passes (not in
InstanceNormalization from 9.0), INT8 is not judged, and Range is left to the fact `range-types-differ`; with `--strongly-typed` they are judged as in 11.0, from 9.0 on. What follows from a mixed node is folded into it.

The finding says what decides each of the two types: the initializer, the graph input, or the node (a Cast, a Constant, a Shape ...), and the layers
that hand the type on from there.

## Why TensorRT cares
From 11.0 on every network is strongly typed, and from 9.0 on those that are made so (`trtexec --stronglyTyped`): the types in the file decide, and no cast is inserted. `ElementWiseOperation SUM must have
same input types. But they are of types Float and Half`. A conversion to half precision that forgot a constant, a bias, the weights
of a normalization or one end of an island in FLOAT is the usual reason. ONNX forbids such nodes as well, and
`onnx.checker.check_model(model, full_check=True)` refuses them.

## Example
```onnx
agraph (float16[N,4] x) => (float16[N,4] y)
<float[4] b = {1,2,3,4}> {
  y = Add(x, b)
}
```

## Instead
```onnx
agraph (float16[N,4] x) => (float16[N,4] y)
<float16[4] b = {1,2,3,4}> {
  y = Add(x, b)
}
```

## Fix
Start where the odd type comes from. Store the constant in the type of the data, cast one operand, or convert again with a tool that places the casts: ModelOpt AutoCast, or
an export of `model.half()`.

## Evidence
The header's comments, a maintainer on Concat (issue 4268), and measured: TensorRT-RTX 1.5.0 and 1.7.1 (of the branches 11.0 and 11.4) refuse
FLOAT, FLOAT16, BFLOAT16, INT8, INT32, INT64 and BOOL beside each other in all of these operators, as constants and as inputs, and accept
FLOAT beside DOUBLE. For Conv, MatMul, the normalizations and all from GRU on it is concluded from the layers' texts for older releases: a
warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::int64_network, gates::strongly_typed, kStrongTypingGates, kNetworkTypeGates},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::mixed_operand_types
