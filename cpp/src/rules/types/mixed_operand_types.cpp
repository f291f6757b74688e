#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>

#include "facts/dispatch.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "target/network_types.hpp"

namespace trtcheck::rules {
namespace {

/// Who says what about a release that is not strongly typed.
enum class Weak {
  refused,   ///< NvInfer.h, addElementWise and others, 8.6 to 10.x: only FLOAT beside HALF is compatible
  possible,  ///< the layers' texts say it for INT32 and BF16, nobody saw it
};

struct Row {
  std::string_view op;
  std::size_t first;                    ///< operands from this input on have one type
  Weak weak;                            ///< of other pairs than FLOAT with FLOAT16
  bool floats_in_weak_refused = false;  ///< FLOAT beside FLOAT16 is refused without strong typing, too
};

// BatchNormalization, RMSNormalization and Pow take mixed types (measured: TensorRT-RTX 1.5.0 and 1.7.1).
// InstanceNormalization: onnx-tensorrt onnxOpImporters.cpp, 10.1, "Inputs must be either all FLOAT or all FLOAT16."
constexpr Row kRows[] = {
    {"Add", 0, Weak::refused},
    {"Concat", 0, Weak::refused},
    {"Conv", 0, Weak::possible},
    {"ConvTranspose", 0, Weak::possible},
    {"Div", 0, Weak::refused},
    {"Equal", 0, Weak::refused},
    {"Gemm", 0, Weak::possible},
    {"Greater", 0, Weak::refused},
    {"GreaterOrEqual", 0, Weak::refused},
    {"GroupNormalization", 0, Weak::possible},
    {"InstanceNormalization", 0, Weak::refused, true},
    {"LayerNormalization", 0, Weak::possible},
    {"Less", 0, Weak::refused},
    {"LessOrEqual", 0, Weak::refused},
    {"MatMul", 0, Weak::possible},
    {"Max", 0, Weak::refused},
    {"Mean", 0, Weak::refused},
    {"Min", 0, Weak::refused},
    {"Mod", 0, Weak::refused},
    {"Mul", 0, Weak::refused},
    {"PRelu", 0, Weak::possible},
    {"Sub", 0, Weak::refused},
    {"Sum", 0, Weak::refused},
    {"Where", 1, Weak::refused},
};

/// The type as the network has it; empty where nothing was measured (UINT8 constants change on reading).
std::string_view judged_type(const RuleContext& context, ValueId id) {
  constexpr std::string_view kJudged[] = {"FP32", "FP16", "BF16", "INT32", "INT64", "BOOL"};
  const ValueShape& shape = context.shape(id);
  if (shape.kind != ValueShape::Kind::tensor || shape.type_assumed) return {};
  const std::string_view name = network_type_name(shape.type, context.target().release);
  return std::ranges::find(kJudged, name) == std::end(kJudged) ? std::string_view{} : name;
}

struct Pair {
  ValueId first;
  ValueId other;
};

/// The first operand, and the first one of another type.
std::optional<Pair> mixed_pair(const RuleContext& context, const Node& node, std::size_t from) {
  ValueId first;
  std::string_view first_type;
  for (std::size_t i = from; i < node.inputs.size(); ++i) {
    const ValueId operand = node.input(i);
    const std::string_view type = operand ? judged_type(context, operand) : std::string_view();
    if (type.empty()) continue;
    if (!first) {
      first = operand;
      first_type = type;
    }
    if (type != first_type) return Pair{first, operand};
  }
  return std::nullopt;
}

bool are_float_and_half(const RuleContext& context, const Pair& pair) {
  const std::string_view a = judged_type(context, pair.first), b = judged_type(context, pair.other);
  return (a == "FP32" && b == "FP16") || (a == "FP16" && b == "FP32");
}

bool is_constant(const RuleContext& context, ValueId id) { return context.shapes().folds_to_constant(id); }

std::string fix_for(const RuleContext& context, const Pair& pair) {
  const bool change_first = is_constant(context, pair.first) && !is_constant(context, pair.other);
  const ValueId odd = change_first ? pair.first : pair.other;
  const ValueId data = change_first ? pair.other : pair.first;
  const std::string type(to_string(context.shape(data).type));
  if (is_constant(context, odd)) return fmt::format("store `{}` as {}", context.name(odd), type);
  return fmt::format("cast `{}` to {}, or convert the whole model to one type again", context.name(odd), type);
}

/// Walks the nodes in execution order. The type of what a mixed node computes is a guess: what follows from it is
/// folded into the node.
class Walk {
 public:
  explicit Walk(RuleContext& context) : context_(&context) {
    for (const OperatorFacts& op : context.facts().operators.all()) {
      const auto row = std::ranges::find(kRows, op.op_type, &Row::op);
      rows_.push_back(op.handler == Handler::importer && row != std::end(kRows) ? row : nullptr);
    }
  }

  void visit(NodeId id) {
    const Row* row = rows_[context_->facts().operators.index(id)];
    if (row == nullptr && roots_.empty()) return;
    const Node& node = context_->model().node(id);
    NodeId root = root_of(node);
    if (row != nullptr) {
      const auto pair = mixed_pair(*context_, node, row->first);
      if (pair && report(id, *row, *pair, root) && !root) root = id;
    }
    if (!root || node.op_type == "Cast" || node.op_type == "Shape") return;
    for (ValueId output : node.outputs) {
      if (output) roots_.emplace(output.index, root);
    }
  }

 private:
  [[nodiscard]] NodeId root_of(const Node& node) const {
    for (ValueId input : node.inputs) {
      const auto it = input ? roots_.find(input.index) : roots_.end();
      if (it != roots_.end()) return it->second;
    }
    return {};
  }

  bool report(NodeId id, const Row& row, const Pair& pair, NodeId root) {
    const TrtVersion release = context_->target().release;
    const bool strong = gates::strongly_typed.open_in(release);
    const bool floats = are_float_and_half(*context_, pair);
    if (!strong && floats && !(row.floats_in_weak_refused && gates::int64_network.open_in(release))) return false;
    const auto type = [&](ValueId value) { return to_string(context_->shape(value).type); };
    FindingBuilder finding = context_->add(
        id, fmt::format("operands of {} `{}` differ in type: `{}` is {}, `{}` is {}; TensorRT {} inserts no cast",
                        row.op, context_->label(id), context_->name(pair.first), type(pair.first),
                        context_->name(pair.other), type(pair.other), to_string(release)));
    finding.value(context_->name(pair.other)).fix(fix_for(*context_, pair)).caused_by(root);
    if (!strong && row.weak == Weak::possible) finding.severity(Severity::warning).certainty(Certainty::possible);
    if (strong && floats) finding.note("up to 10.16 a weakly typed network takes FLOAT beside FLOAT16");
    return true;
  }

  RuleContext* context_;
  std::vector<const Row*> rows_;  ///< by operator; nullptr: none
  std::unordered_map<std::uint32_t, NodeId> roots_;
};

void check(RuleContext& context) {
  Walk walk(context);
  for (NodeId id : context.nodes()) walk.visit(id);
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, addElementWise: two types are compatible if they are the same or FLOAT and "
    "HALF, 8.6 to "
    "11.1",
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

extern constinit const Rule mixed_operand_types{
    .code = "STY101",
    .name = "mixed-operand-types",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "operands of different element types where TensorRT inserts no cast",
    .docs = R"(## What it checks
Arithmetic and comparison (not Pow), Concat, Where, MatMul, Gemm, Conv, ConvTranspose, PRelu and LayerNormalization, GroupNormalization
and InstanceNormalization have operands of one type. DOUBLE counts as FLOAT, and up to 8.6 INT64 as INT32. BatchNormalization,
RMSNormalization and Pow may be mixed. Up to 10.16, where a weakly typed network takes them, FLOAT beside FLOAT16 passes (not in
InstanceNormalization from 9.0). What follows from a mixed node is folded into it.

## Why TensorRT cares
From 11.0 on every network is strongly typed: the types in the file decide, and no cast is inserted. `ElementWiseOperation SUM must have
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
Store the constant in the type of the data, cast one operand, or convert again with a tool that places the casts: ModelOpt AutoCast, or
an export of `model.half()`.

## Evidence
The header's comments, a maintainer on Concat (issue 4268), and measured: TensorRT-RTX 1.5.0 and 1.7.1 (nearest to 11.1 and 11.5) refuse
FLOAT, FLOAT16, BFLOAT16, INT32, INT64 and BOOL beside each other in all of these operators, as constants and as inputs, and take FLOAT
beside DOUBLE. For Conv, MatMul and the normalizations of older releases it is concluded from the layers' texts: a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules
