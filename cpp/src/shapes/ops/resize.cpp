// Resize and Upsample. Scales are float32, and so is the runtime's product with a size: floor(d * p/q) in
// exact arithmetic would be another number now and then.
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

namespace {

constexpr float kLargestSize = 9.0e15F;

// ONNX Runtime: static_cast<int64_t>(scale * size), in float32.
std::optional<std::int64_t> scaled_size(std::int64_t size, float scale) {
  const float product = scale * static_cast<float>(size);
  if (!(product >= 0.0F) || product > kLargestSize) return std::nullopt;
  return static_cast<std::int64_t>(product);
}

// A scale p/2^n with a small p is exact in float32 for every size below 2^16, and then floor is floor.
Dim scaled_dim(OpContext& op, Dim size, float scale, std::size_t axis) {
  constexpr float kLargestFactor = 256.0F;
  DimTable& t = op.dims();
  const auto at = static_cast<std::int32_t>(axis);
  if (!(scale > 0.0F) || std::isinf(scale)) return op.unknown("the scale is not a positive number", at);
  // TensorRT leaves such an axis alone, while the product in float32 would round sizes above 2^24 (measured:
  // TensorRT-RTX 1.7.1; all other scales are multiplied in float32 there, too).
  if (scale == 1.0F) return size;
  if (size.is_literal()) {
    const auto value = scaled_size(size.value(), scale);
    return value ? t.literal(*value) : op.unknown("the scaled size is too large", at);
  }
  float factor = scale;
  std::int64_t divisor = 1;
  while (std::floor(factor) != factor && divisor < 256) {
    factor *= 2.0F;
    divisor *= 2;
  }
  if (std::floor(factor) == factor && factor <= kLargestFactor) {
    return t.floor_div(t.mul(size, t.literal(static_cast<std::int64_t>(factor))), t.literal(divisor));
  }
  const Interval range = t.bounds(size);
  Interval scaled{0, Interval::kMax};
  if (range.low >= 0) scaled.low = scaled_size(range.low, scale).value_or(0);
  if (range.high != Interval::kMax && range.high >= 0)
    scaled.high = scaled_size(range.high, scale).value_or(Interval::kMax);
  return op.unknown("a size times a scale that is no simple fraction", at, scaled);
}

/// The axes that scales and sizes speak of: all, or those of the attribute `axes` (opset 18).
std::optional<std::vector<std::size_t>> resized_axes(OpContext& op, std::size_t rank) {
  std::vector<std::size_t> out;
  const auto listed = op.attr_ints("axes");
  if (!listed) {
    for (std::size_t i = 0; i < rank; ++i) out.push_back(i);
    return out;
  }
  for (const std::int64_t axis : *listed) {
    if (axis == static_cast<std::int64_t>(rank)) {
      op.onnx_forbids(fmt::format("axis {} is outside of [-{}, {}]", axis, rank, axis - 1), "the axis is overlooked");
      return std::nullopt;
    }
    const auto found = op.axis(axis, rank);
    if (!found) return std::nullopt;
    out.push_back(*found);
  }
  return out;
}

bool counts_agree(OpContext& op, std::string_view what, std::size_t count, std::size_t axes) {
  if (count == axes) return true;
  op.conflict(fmt::format("`{}` has {} values, {} axes are resized", what, count, axes));
  return false;
}

// keep_aspect_ratio_policy: one scale for all axes, round half up, as ONNX Runtime does in float32.
DimVector with_aspect(OpContext& op, DimVector out, std::span<const std::size_t> axes, std::span<const Dim> sizes,
                      bool is_not_larger) {
  float common = is_not_larger ? std::numeric_limits<float>::max() : 0.0F;
  bool is_known = true;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    is_known = is_known && out[axes[i]].is_literal() && out[axes[i]].value() > 0;
    // ONNX Runtime overlooks an axis whose size is -1, and refuses 0.
    is_known = is_known && sizes[i].is_literal() && sizes[i].value() > 0;
    if (!is_known) break;
    const float scale =
        static_cast<float>(sizes[i].value()) / static_cast<float>(out[axes[i]].value());  // real division
    common = is_not_larger ? std::min(common, scale) : std::max(common, scale);
  }
  for (const std::size_t axis : axes) {
    const auto at = static_cast<std::int32_t>(axis);
    const float exact = is_known ? std::round(common * static_cast<float>(out[axis].value())) : -1.0F;
    out[axis] = exact >= 0.0F && exact < kLargestSize ? op.literal(static_cast<std::int64_t>(exact))
                                                      : op.unknown("the aspect ratio is kept", at);
  }
  return out;
}

DimVector unknown_axes(OpContext& op, DimVector out, std::span<const std::size_t> axes, std::string_view reason) {
  for (const std::size_t axis : axes) out[axis] = op.unknown(reason, static_cast<std::int32_t>(axis));
  return out;
}

DimVector by_scales(OpContext& op, DimVector out, std::span<const std::size_t> axes, std::size_t input) {
  const auto scales = op.constant_floats(input);
  // The specification lets the region of interest change the size, ONNX Runtime does not.
  const bool is_cropped = op.attr_string("coordinate_transformation_mode", "") == "tf_crop_and_resize";
  if (!scales) return unknown_axes(op, std::move(out), axes, "the scales are computed");
  if (is_cropped) return unknown_axes(op, std::move(out), axes, "the size depends on the region of interest");
  if (!counts_agree(op, "scales", scales->size(), axes.size())) {
    return unknown_axes(op, std::move(out), axes, "scales do not fit the axes");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    out[axes[i]] = scaled_dim(op, out[axes[i]], static_cast<float>((*scales)[i]), axes[i]);
  }
  return out;
}

DimVector by_sizes(OpContext& op, DimVector out, std::span<const std::size_t> axes) {
  const auto sizes = op.known(3);
  if (!sizes) return unknown_axes(op, std::move(out), axes, "the sizes are computed");
  if (!counts_agree(op, "sizes", sizes->size(), axes.size())) {
    return unknown_axes(op, std::move(out), axes, "sizes do not fit the axes");
  }
  const std::string_view policy = op.attr_string("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") return with_aspect(op, std::move(out), axes, *sizes, policy == "not_larger");
  for (std::size_t i = 0; i < axes.size(); ++i) out[axes[i]] = (*sizes)[i];
  return out;
}

// An empty tensor stands for an input that is not there: opset 11 has no other way to say it.
bool is_given(OpContext& op, std::size_t input) {
  return op.has_input(input) && !(op.has_rank(input) && op.rank(input) == 1 && op.dim(input, 0).is(0));
}

}  // namespace

void infer_resize(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0)) return op.set_type(0, type, {});
  const auto axes = resized_axes(op, op.rank(0));
  if (!axes) return op.set_type(0, type, "an axis is outside of the input");
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  if (op.opset() < 11) return op.set(0, type, by_scales(op, std::move(out), *axes, 1));
  if (is_given(op, 3)) return op.set(0, type, by_sizes(op, std::move(out), *axes));
  if (is_given(op, 2)) return op.set(0, type, by_scales(op, std::move(out), *axes, 2));
  op.conflict("neither `scales` nor `sizes` is given");
  op.set(0, type, unknown_axes(op, std::move(out), *axes, "neither scales nor sizes are given"));
}

void infer_upsample(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0)) return op.set_type(0, type, {});
  const std::size_t rank = op.rank(0);
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < rank; ++i) axes.push_back(i);
  if (op.opset() >= 9) return op.set(0, type, by_scales(op, std::move(out), axes, 1));
  if (op.opset() >= 7) {
    const Attribute* scales = op.attr("scales");
    if (scales == nullptr || !counts_agree(op, "scales", scales->floats().size(), rank)) {
      return op.set(0, type, unknown_axes(op, std::move(out), axes, "scales do not fit the axes"));
    }
    for (std::size_t i = 0; i < rank; ++i) out[i] = scaled_dim(op, out[i], scales->floats()[i], i);
    return op.set(0, type, out);
  }
  if (rank == 4) {
    out[2] = scaled_dim(op, out[2], op.attr_float("height_scale", 0.0F), 2);
    out[3] = scaled_dim(op, out[3], op.attr_float("width_scale", 0.0F), 3);
  }
  op.set(0, type, out);
}

}  // namespace trtcheck::shapes
