// Convolution and pooling of ONNX Runtime: channels last, channels in blocks, pads that are computed.
#include <algorithm>
#include <span>

#include "shapes/ops/contrib.hpp"
#include "shapes/ops/helpers.hpp"
#include "shapes/ops/window.hpp"

namespace trtcheck::shapes {

void infer_batch_normalization(OpContext& op);
void infer_conv(OpContext& op);
void infer_conv_transpose(OpContext& op);
void infer_depth_to_space(OpContext& op);
void infer_global_pool(OpContext& op);
void infer_grid_sample(OpContext& op);
void infer_max_pool(OpContext& op);
void infer_pool(OpContext& op);
void infer_qlinear_conv(OpContext& op);
void infer_space_to_depth(OpContext& op);

namespace {

/// Channels are filled up to a multiple of a block, which is of 4, 8 or 16 as the processor likes it.
constexpr std::int64_t kLargestBlock = 16;

bool has_channels_last(const OpContext& op) { return op.attr_int("channels_last", 0) != 0; }

void infer_by_layout(OpContext& op, void (*infer)(OpContext&)) {
  return has_channels_last(op) ? infer_channels_last(op, infer) : infer(op);
}

}  // namespace

void infer_nhwc_batch_normalization(OpContext& op) { infer_channels_last(op, infer_batch_normalization); }
void infer_nhwc_conv(OpContext& op) { infer_channels_last(op, infer_conv); }
void infer_nhwc_conv_transpose(OpContext& op) { infer_channels_last(op, infer_conv_transpose); }
void infer_nhwc_depth_to_space(OpContext& op) { infer_channels_last(op, infer_depth_to_space); }
void infer_nhwc_global_pool(OpContext& op) { infer_channels_last(op, infer_global_pool); }
void infer_nhwc_grid_sample(OpContext& op) { infer_channels_last(op, infer_grid_sample); }
void infer_nhwc_max_pool(OpContext& op) { infer_channels_last(op, infer_max_pool); }
void infer_nhwc_pool(OpContext& op) { infer_channels_last(op, infer_pool); }
void infer_nhwc_qlinear_conv(OpContext& op) { infer_channels_last(op, infer_qlinear_conv); }
void infer_nhwc_space_to_depth(OpContext& op) { infer_channels_last(op, infer_space_to_depth); }

void infer_contrib_qlinear_conv(OpContext& op) { infer_by_layout(op, infer_qlinear_conv); }
void infer_qlinear_pool(OpContext& op) { infer_by_layout(op, infer_pool); }
void infer_qlinear_global_pool(OpContext& op) { infer_by_layout(op, infer_global_pool); }

/// The weight was filled up to blocks as the data was, so nothing is said of its channels.
void infer_nchwc_conv(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0) || !op.has_rank(1)) return op.set_type(0, type, {});
  if (op.rank(0) != op.rank(1) || op.rank(0) < 3) return op.set_type(0, type, "data and weight do not fit");
  const auto window = read_window(op, op.in(1).dims.subspan(2));
  op.set(0, type,
         window ? slide(op, *window, op.dim(0, 0), op.dim(1, 0))
                : unknown_extents(op, op.dim(0, 0), op.dim(1, 0), op.rank(0) - 2));
}

void infer_reorder_input(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) < 2) return op.set_type(0, op.type(0), {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  if (has_channels_last(op)) {
    std::ranges::rotate(out.begin() + 1, out.end() - 1, out.end());
  }
  const bool fills_blocks = op.dims().divides(op.literal(kLargestBlock), out[1]) == Truth::yes;
  if (!fills_blocks) {
    out[1] = op.unknown("channels are filled up to a block that depends on the processor", 1,
                        {op.dims().bounds(out[1]).low, Interval::kMax});
  }
  op.set(0, op.type(0), out);
}

void infer_reorder_output(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) < 2) return op.set_type(0, op.type(0), {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  const auto channels = size_attribute(op, "channels");
  out[1] = channels ? *channels : op.unknown("the attribute `channels` is missing", 1);
  if (has_channels_last(op)) {
    std::ranges::rotate(out.begin() + 1, out.begin() + 2, out.end());
  }
  op.set(0, op.type(0), out);
}

void infer_nchwc_upsample(OpContext& op) {
  const auto scales = op.attr_ints("scales");
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  if (!scales || scales->size() != op.rank(0)) return op.set_type(0, op.type(0), "the scales do not fit the input");
  DimVector out;
  for (std::size_t axis = 0; axis < op.rank(0); ++axis) {
    out.push_back(op.dims().mul(op.dim(0, axis), op.literal((*scales)[axis])));
  }
  op.set(0, op.type(0), out);
}

/// ConvTranspose whose pads are the contents of input 2.
void infer_conv_transpose_with_dynamic_pads(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0) || !op.has_rank(1)) return op.set_type(0, type, {});
  const std::size_t rank = op.rank(0);
  if (rank != op.rank(1) || rank < 3) return op.set_type(0, type, "data and weight do not fit");
  const std::size_t spatial = rank - 2;
  const auto window = read_window(op, op.in(1).dims.subspan(2));
  std::span<const Dim> pads;
  if (op.has_input(2)) pads = op.known(2).value_or(pads);
  const auto padding = op.attr_ints("output_padding");
  DimTable& t = op.dims();
  DimVector out{op.dim(0, 0), t.mul(op.dim(1, 1), op.literal(op.attr_int("group", 1)))};
  const bool is_known = window && pads.size() == 2 * spatial && op.attr_string("auto_pad", "NOTSET") == "NOTSET";
  for (std::size_t i = 0; i < spatial; ++i) {
    const auto axis = static_cast<std::int32_t>(i + 2);
    if (!is_known) {
      out.push_back(op.unknown("the pads are computed", axis));
      continue;
    }
    const WindowAxis& along = window->axes[i];
    const Dim last = t.mul(t.sub(op.dim(0, i + 2), op.literal(1)), op.literal(along.stride));
    const Dim more = op.literal(padding && i < padding->size() ? (*padding)[i] : 0);
    const Dim covered = t.add(t.add(last, extent_of(op, along)), more);
    out.push_back(t.sub(covered, t.add(pads[i], pads[i + spatial])));
  }
  op.set(0, type, out);
}

}  // namespace trtcheck::shapes
