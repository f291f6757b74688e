#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "layers/work.hpp"
#include "model/tensor_values.hpp"
#include "rules/rule_context.hpp"
#include "text/plural.hpp"
#include "view/qdq_view.hpp"
#include "view/weight_range.hpp"

namespace trtcheck::rules::scale_does_not_fit_weights {
namespace {

/// In one model so many weights are looked at: 64 MB of FLOAT, some 25 ms.
constexpr std::int64_t kMostWeights = std::int64_t{1} << 24;
/// Calibration cuts off a little on purpose, and rounds scales up: only what is far off is told.
constexpr float kCutOff = 2;
constexpr float kCoarse = 16;
/// Channels below a thousandth of the largest weight are dead: nothing is lost with them.
constexpr float kDead = 1.0F / 1024;
/// Smaller tensors are hardly weights, and cost nothing in FLOAT.
constexpr std::int64_t kFewest = 64;
/// Of so many channels, a fourth has to suffer.
constexpr std::size_t kFewChannels = 8;

float codes_of(DataType code) { return code == DataType::float8e4m3fn ? 448.0F : 127.0F; }

/// How far the weights reach in each slice, and how far the codes do.
struct Reach {
  ValueId weights;
  DataType code;
  bool one_scale = false;
  bool is_stored_as_codes = false;
  std::size_t axis = 0;
  NodeId layer;  ///< that multiplies with them; none: not found
  std::vector<float> weight;
  std::vector<float> end;  ///< the weight that the largest code stands for
};

std::size_t channel_axis(const Node& layer, std::size_t rank) {
  if (layer.op_type == "ConvTranspose") return 1;
  if (layer.op_type == "Gemm") return int_attribute(layer, "transB", 0) != 0 ? 0 : 1;
  return layer.op_type == "MatMul" ? rank - 1 : 0;
}

/// The Conv, ConvTranspose, Gemm or MatMul whose weights come out of that DequantizeLinear.
NodeId layer_behind(const RuleContext& context, const Node& dequantize) {
  for (const Use& use : readers_of(context.model(), dequantize.output(0))) {
    if (use.input == 1 && layers_of::multiplies(context.model().node(use.node))) return use.node;
  }
  return {};
}

NodeId layer_of(const RuleContext& context, const Node& node) {
  if (is_dequantize(node)) return layer_behind(context, node);
  for (const Use& use : readers_of(context.model(), node.output(0))) {
    if (is_dequantize(context.model().node(use.node))) return layer_behind(context, context.model().node(use.node));
  }
  return {};
}

/// Nothing where it is not a matter of stored weights and stored scales.
std::optional<Reach> reach_of(const RuleContext& context, const Node& node, std::int64_t& left) {
  const TensorId data = node.input(0) ? context.model().constant(node.input(0)) : TensorId{};
  const TensorId scale = node.input(1) ? context.model().constant(node.input(1)) : TensorId{};
  if (!data || !scale) return std::nullopt;
  const Tensor& tensor = context.model().tensor(data);
  const ScaleView view = scale_view(context.view(), node);
  DataType code = code_type(context.view(), node);
  if (code == DataType::undefined) code = DataType::int8;
  const std::size_t rank = tensor.dims.size();
  if ((code != DataType::int8 && code != DataType::float8e4m3fn) || rank < 2 || !view.count || *view.count < 1) {
    return std::nullopt;
  }
  Reach reach{.weights = node.input(0),
              .code = code,
              .one_scale = *view.count == 1,
              .is_stored_as_codes = is_dequantize(node),
              .axis = 0,
              .layer = layer_of(context, node),
              .weight = {},
              .end = {}};
  if (reach.one_scale) {
    if (reach.layer) reach.axis = channel_axis(context.model().node(reach.layer), rank);
  } else if (view.per_axis() && view.axis >= 0 && static_cast<std::size_t>(view.axis) < rank &&
             tensor.dims[static_cast<std::size_t>(view.axis)] == *view.count) {
    reach.axis = static_cast<std::size_t>(view.axis);
  } else {
    return std::nullopt;
  }
  const auto scales = context.tensors().floats(scale, kMostElements);
  const bool is_usable = scales && std::ranges::all_of(*scales, [](double s) { return s > 0 && std::isfinite(s); });
  const std::int64_t count = tensor.element_count().value_or(0);
  if (!is_usable || count < kFewest) return std::nullopt;
  left -= count;
  if (left < 0) return std::nullopt;
  auto largest = largest_along(context.model(), tensor, reach.axis);
  if (!largest) return std::nullopt;
  reach.weight = std::move(*largest);
  for (std::size_t i = 0; i < reach.weight.size(); ++i) {
    const auto step = static_cast<float>((*scales)[reach.one_scale ? 0 : i]);
    if (reach.is_stored_as_codes) reach.weight[i] *= step;
    reach.end.push_back(step * codes_of(code));
  }
  const bool is_finite = std::ranges::all_of(reach.weight, [](float value) { return std::isfinite(value); });
  return is_finite ? std::optional(std::move(reach)) : std::nullopt;
}

/// The slice that is worst off, and how many are.
struct Misfit {
  std::size_t worst = 0;
  std::size_t count = 0;
};

Misfit cut_off(const Reach& reach) {
  Misfit found;
  for (std::size_t i = 0; i < reach.weight.size(); ++i) {
    if (reach.weight[i] <= kCutOff * reach.end[i]) continue;
    if (found.count++ == 0 || reach.weight[i] * reach.end[found.worst] > reach.weight[found.worst] * reach.end[i]) {
      found.worst = i;
    }
  }
  return found;
}

/// Slices that are alive and use few codes. @param alive  counts the former
Misfit coarse(const Reach& reach, std::size_t& alive) {
  Misfit found;
  const float largest = *std::ranges::max_element(reach.weight);
  for (std::size_t i = 0; i < reach.weight.size(); ++i) {
    if (reach.weight[i] <= 0 || reach.weight[i] < kDead * largest) continue;
    ++alive;
    if (reach.end[i] <= kCoarse * reach.weight[i]) continue;
    if (found.count++ == 0 || reach.weight[i] * reach.end[found.worst] < reach.weight[found.worst] * reach.end[i]) {
      found.worst = i;
    }
  }
  return found;
}

/// "at index 3 of axis 0, one of 2" of scales for each slice.
std::string place_of(const Reach& reach, const Misfit& misfit) {
  if (reach.one_scale) return "";
  const std::string others = misfit.count > 1 ? fmt::format(", one of {}", misfit.count) : "";
  return fmt::format(" at index {} of axis {}{}", misfit.worst, reach.axis, others);
}

int codes_used(const Reach& reach, std::size_t slice) {
  return static_cast<int>(std::lround(reach.weight[slice] / reach.end[slice] * codes_of(reach.code)));
}

void tell(RuleContext& context, NodeId id, const Reach& reach) {
  const std::string_view name = context.name(reach.weights);
  if (const Misfit cut = cut_off(reach); cut.count > 0) {
    context
        .add(id, fmt::format("weights `{}` reach {:.3g}, their scale ends at {:.3g}{}: larger ones are cut off", name,
                             reach.weight[cut.worst], reach.end[cut.worst], place_of(reach, cut)))
        .value(name)
        .reason("weights beyond their scale")
        .fix(fmt::format("calibrate the weights again: largest magnitude / {:.0f} is the usual scale",
                         codes_of(reach.code)));
    return;
  }
  if (reach.code != DataType::int8) return;  // floating point codes are as fine near 0
  std::size_t alive = 0;
  const Misfit few = coarse(reach, alive);
  const std::size_t largest = static_cast<std::size_t>(std::ranges::max_element(reach.weight) - reach.weight.begin());
  if (few.count == 0) return;
  if (!reach.one_scale || reach.end[largest] > kCoarse * reach.weight[largest]) {
    const std::size_t slice = reach.one_scale ? largest : few.worst;
    context
        .add(id, fmt::format("weights `{}` reach {:.3g}, their scale ends at {:.3g}{}: {} of 127 codes are used", name,
                             reach.weight[slice], reach.end[slice], place_of(reach, few), codes_used(reach, slice)))
        .value(name)
        .reason("weights with few codes")
        .fix("calibrate the weights again: largest magnitude / 127 is the usual scale");
    return;
  }
  if (!reach.layer || alive < kFewChannels || few.count * 4 < alive) return;
  context
      .add(id, fmt::format(
                   "{} of {} output channels of weights `{}` use {} of 127 codes or less, because all have one scale",
                   few.count, alive, name, static_cast<int>(codes_of(reach.code) / kCoarse)))
      .value(name)
      .reason("uneven channels with one scale")
      .fix("quantize the weights with a scale for each output channel");
}

void check(RuleContext& context) {
  if (!context.view().read_weights) return;
  std::int64_t left = kMostWeights;
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (!is_quantize(node) && !is_dequantize(node)) continue;
    if (const auto reach = reach_of(context, node, left)) tell(context, id, *reach);
    if (left < 0) return;
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-explicit-quantization.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/quantized-types-schemes.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "QDQ227",
    .name = "scale-does-not-fit-weights",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "stored weights that are cut off by their scale, or use few of its codes",
    .docs = R"(## What it checks
With `--read-weights`: stored weights with a stored scale, for the whole tensor or along one axis, as INT8 or FP8. Reported are weights of more than twice what the largest code stands for, and, of INT8,
weights that reach less than a sixteenth of it: 7 of 127 codes. With one scale for a tensor, a fourth of the output channels of the layer has to be so; channels below a
thousandth of the largest weight are dead and do not count. Tensors below 64 elements are left out, and at most 17 million weights of a model are looked at.

## Why TensorRT cares
It does not: it computes with the codes that it is given. What is cut off or rounded away costs accuracy. NVIDIA recommends a scale for each channel of weights, which
costs no time.

## Example
```onnx weights=read
agraph (float[1,8] x) => (float[1,8] y)
<float[8,8] w = {5, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1}, float s = {0.01}, float a = {0.05}, int8 z = {0}> {
  q = QuantizeLinear(w, s, z)
  d = DequantizeLinear(q, s, z)
  xq = QuantizeLinear(x, a, z)
  xd = DequantizeLinear(xq, a, z)
  y = MatMul(xd, d)
}
```

## Instead
```onnx weights=read
agraph (float[1,8] x) => (float[1,8] y)
<float[8,8] w = {5, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1}, float s = {0.04}, float a = {0.05}, int8 z = {0}> {
  q = QuantizeLinear(w, s, z)
  d = DequantizeLinear(q, s, z)
  xq = QuantizeLinear(x, a, z)
  xd = DequantizeLinear(xq, a, z)
  y = MatMul(xd, d)
}
```

## Fix
Calibrate the weights again, with a scale for each output channel where they differ much.

## Evidence
Arithmetic; NVIDIA's guide on quantization of weights. How much accuracy it costs, only running the model tells.
)",
    .evidence = kEvidence,
    .quantized_only = true,
    .check = check,
    .gates = {kScaleGates},
};

}  // namespace trtcheck::rules::scale_does_not_fit_weights
