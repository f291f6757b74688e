#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>

#include "rules/extremes.hpp"
#include "rules/profile/profile_points.hpp"
#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "view/dispatch.hpp"
#include "view/profile_sizes.hpp"

namespace trtcheck::rules::too_many_elements {
namespace {

/// Saturates instead of leaving 64 bits.
std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

std::optional<std::int64_t> elements_at(const DimTable& dims, const ValueShape& shape, const ProfilePoint& point) {
  if (!shape.has_rank || shape.kind != ValueShape::Kind::tensor) return std::nullopt;
  std::int64_t count = 1;
  bool is_empty = false;
  for (const Dim dim : shape.dims) {
    const auto size = evaluate_at(dims, dim, point.symbols);
    if (!size || *size < 0) return std::nullopt;
    is_empty = is_empty || *size == 0;
    count = times(count, *size);
  }
  return is_empty ? 0 : count;
}

struct Excess {
  std::int64_t elements = 0;
  std::string_view point;  ///< of the profile; empty: at all sizes
};

// What 10.16 and later count to.
constexpr std::int64_t kCounted = std::int64_t{1} << 40;

class Limits {
 public:
  Limits(const RuleContext& context, std::int64_t most)
      : context_(&context), most_(most), points_(profile_points(context)), judged_(context.model().value_count()) {}

  /// Each value is judged once, however many nodes read it. nullptr: it is small enough, or nobody knows.
  [[nodiscard]] const Excess* excess(ValueId id) {
    if (!id || id.index >= judged_.size()) return nullptr;
    Judgement& judgement = judged_[id.index];
    if (judgement == Judgement::none) {
      const std::optional<Excess> found = compute(id);
      judgement = found ? Judgement::large : Judgement::fine;
      if (found) large_.emplace(id.index, *found);
    }
    return judgement == Judgement::large ? &large_.at(id.index) : nullptr;
  }
  [[nodiscard]] std::int64_t most() const noexcept { return most_; }

 private:
  [[nodiscard]] std::optional<Excess> compute(ValueId id) const {
    const ValueShape& shape = context_->shape(id);
    const std::int64_t fewest = fewest_elements(context_->dims(), shape);
    if (fewest > most_) return Excess{fewest, {}};
    for (const ProfilePoint& point : points_) {
      const auto count = elements_at(context_->dims(), shape, point);
      if (count && *count > most_) return Excess{*count, point.name};
    }
    return std::nullopt;
  }

  const RuleContext* context_;
  std::int64_t most_;
  std::vector<ProfilePoint> points_;
  enum class Judgement : std::uint8_t { none, fine, large };
  std::vector<Judgement> judged_;  ///< by value
  std::unordered_map<std::uint32_t, Excess> large_;
};

std::string excess_text(const RuleContext& context, ValueId id, const Limits& limits, const Excess& excess) {
  return fmt::format("`{}` is {}, {} elements{}, {} {} at most {}", context.name(id), context.shapes().text(id),
                     excess.elements,
                     excess.point.empty() ? "" : fmt::format(" at the {} sizes of the profile", excess.point),
                     context.release().name(), limits.most() == kCounted ? "accepts" : "documents", limits.most());
}

void finish(const RuleContext& context, FindingBuilder finding, ValueId id, const Limits& limits,
            const Excess& excess) {
  finding.value(context.name(id)).fix("make the largest sizes smaller, or compute the tensor in parts");
  const bool for_some_sizes = !excess.point.empty() || context.shape(id).assumed;
  const bool is_doubtful = limits.most() != kCounted && context.has(gates::most_layers_take_more);
  if (for_some_sizes || is_doubtful) finding.severity(Severity::warning);
}

/// The first tensor of a chain is reported.
void check_every_tensor(RuleContext& context, Limits& limits) {
  const Model& model = context.model();
  for (ValueId id : model.graph().inputs) {
    const Excess* excess = limits.excess(id);
    if (excess == nullptr || model.value(id).initializer) continue;
    finish(context, context.add_model("input " + excess_text(context, id, limits, *excess)), id, limits, *excess);
  }
  for (NodeId node_id : context.nodes()) {
    const Node& node = model.node(node_id);
    if (std::ranges::any_of(node.inputs, [&](ValueId id) { return limits.excess(id) != nullptr; })) continue;
    for (ValueId id : node.outputs) {
      const Excess* excess = limits.excess(id);
      if (excess == nullptr) continue;
      finish(context, context.add(node_id, "output " + excess_text(context, id, limits, *excess)), id, limits, *excess);
      break;
    }
  }
}

/// Layers that keep the limit in 10.11 and later by the documents of the operators and by maintainers.
void check_limited_layers(RuleContext& context, Limits& limits) {
  for (NodeId node_id : context.nodes()) {
    const Node& node = context.model().node(node_id);
    if (!is_a(node.op_type, kinds::limited_in_elements)) continue;
    if (context.view().handler(node_id) != Handler::importer) continue;
    for (ValueId id : {node.input(0), node.output(0)}) {
      const Excess* excess = limits.excess(id);
      if (excess == nullptr) continue;
      FindingBuilder finding =
          context.add(node_id, fmt::format("{} of {}", excess_text(context, id, limits, *excess), node.op_type));
      finding.certainty(Certainty::possible);
      finish(context, finding, id, limits, *excess);
      break;
    }
  }
}

bool may_exceed(const RuleContext& context, std::int64_t most) {
  return !context.target().profile.empty() || extremes(context).elements > most;
}

void check(RuleContext& context) {
  if (context.has(gates::elements_counted_in_40_bits) && may_exceed(context, kCounted)) {
    Limits counted(context, kCounted);
    check_every_tensor(context, counted);
  }
  if (context.has(gates::large_tensors_no_limit)) return;
  const std::int64_t most = (std::int64_t{1} << (context.has(gates::index_31_bits) ? 31 : 30)) - 1;
  if (!may_exceed(context, most)) return;
  Limits limits(context, most);
  context.has(gates::large_tensors_some_layers) ? check_limited_layers(context, limits)
                                                : check_every_tensor(context, limits);
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, 8.0 (2^30), 8.2 to 10.10 (2^31)",
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 (2^40)",
    "https://github.com/NVIDIA/TensorRT/issues/1948",
    "https://github.com/NVIDIA/TensorRT/issues/3324",
    "https://github.com/NVIDIA/TensorRT/issues/4123",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-10/10.10.0.html",
};
constexpr std::string_view kMessages[] = {
    "tensor size exceeds maximum element count",
    "exceeds the maximum supported element count of 1099511627776",
    "tensor volume exceeds 1099511627776",
};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD202",
    .name = "too-many-elements",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a tensor of more elements than the release can count",
    .docs = R"(## What it checks
Up to 10.10: every input and result has less than 2^31 elements (2^30 in 8.0), whatever the input sizes, and at the three points of the
profile. From 10.11 to 10.16: data and result of Conv, ConvTranspose, DequantizeLinear, GridSample, LRN, NonZero, NonMaxSuppression and
QuantizeLinear, which keep the limit. From 10.16 on every input and result has at most 2^40 elements. Dynamic sizes
without a profile count as small.

## Why TensorRT cares
Kernels of older releases count elements in 32 bits, those of 10.16 and later in 40. The builder stops with `tensor size exceeds maximum element count`, or finds no implementation.
It is an error up to 10.9 where no allowed size fits. It is a warning where only the large sizes of the profile do not fit, and in 10.10,
whose header keeps the sentence and whose notes say that most layers accept more.

## Example
```onnx target=10.3
agraph (float[65536,1] x, float[1,65536] y) => (float[65536,1] z)
<int64[1] axis = {1}> {
  p = Add(x, y)
  z = ReduceSum(p, axis)
}
```

## Instead
```onnx target=10.3
agraph (float[8192,1] x, float[1,65536] y) => (float[8192,1] z)
<int64[1] axis = {1}> {
  p = Add(x, y)
  z = ReduceSum(p, axis)
}
```

## Fix
Make the largest sizes of the profile smaller, or split the data and run the engine several times.

## Evidence
The headers, the notes of 10.10, and reports with the message. Measured with TensorRT-RTX 1.5.0 and 1.7.1 (of the branches 11.0 and 11.4):
Add, MatMul, Conv, MaxPool, LRN, GridSample and QuantizeLinear of 2^31 and more elements build. Expand, ConstantOfShape, Concat and Add of 2^40 build in 1.4.0 to 1.7.1, of 2^41
they are refused.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::most_layers_take_more, gates::elements_counted_in_40_bits, gates::large_tensors_no_limit,
              gates::index_31_bits, gates::large_tensors_some_layers},
    .asks = Asks::operators,
};

}  // namespace trtcheck::rules::too_many_elements
