// ConvTranspose and MaxUnpool: windows the other way round.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/ops/agree.hpp"
#include "shapes/ops/computed_sizes.hpp"
#include "shapes/ops/helpers.hpp"
#include "shapes/ops/window.hpp"

namespace trtcheck::shapes {

namespace {

// (extent - 1)*stride + output_padding + window - pads. With auto_pad SAME the pads are whatever brings the
// size down to extent*stride; they are never negative (ONNX Runtime: ConvTransposeAttributes).
Dim spread(OpContext& op, const Window& window, const WindowAxis& along, Dim extent, std::int64_t output_padding) {
  DimTable& t = op.dims();
  const Dim covered = t.add(extent_of(op, along), t.literal(output_padding));
  const Dim last = t.mul(t.sub(extent, t.literal(1)), t.literal(along.stride));
  if (window.auto_pad == AutoPad::same) return t.add(last, t.min(covered, t.literal(along.stride)));
  return t.sub(t.add(last, covered), t.literal(along.pad_begin + along.pad_end));
}

void check_channels(OpContext& op) {
  op.speak_of(ConflictId::conv_channels);
  DimTable& t = op.dims();
  const Dim given = op.dim(0, 1);
  const Dim needed = op.dim(1, 0);
  agree(op, given, needed, "data channels are weight channels", op.node().input(0), 1,
        [&] { return fmt::format("input 0 has {} channels, weight expects {}", t.text(given), t.text(needed)); });
}

void check_bias(OpContext& op, Dim channels, std::int64_t group) {
  if (!op.has_input(2) || !op.has_rank(2)) return;
  op.speak_of(ConflictId::conv_bias);
  if (op.rank(2) != 1)
    return op.conflict(fmt::format("bias has {} axes, 1 is required", op.rank(2)), op.node().input(2));
  const Dim count = op.dim(2, 0);
  agree(op, count, channels, "bias has one value per output channel", op.node().input(2), 0, [&] {
    return fmt::format("bias has {} values, {} output channels need one each ({} x group {})", op.dims().text(count),
                       op.dims().text(channels), op.dims().text(op.dim(1, 1)), group);
  });
}

void forbid_negative(OpContext& op, std::string_view name, std::span<const std::int64_t> values) {
  const auto bad = std::ranges::find_if(values, [](std::int64_t v) { return v < 0; });
  if (bad != values.end()) op.standard_forbids(fmt::format("attribute `{}` holds {}", name, *bad));
}

/// Both say where the result is cut; the standard allows one.
void forbid_pads_beside_auto_pad(OpContext& op, const Window& window) {
  const auto pads = op.attr_ints("pads");
  if (window.auto_pad == AutoPad::notset || !pads) return;
  if (std::ranges::all_of(*pads, [](std::int64_t p) { return p == 0; })) return;
  op.standard_forbids("attribute `pads` stands beside `auto_pad`, one of them is allowed");
}

/// Says what does not fit.
void check_ranks(OpContext& op, bool is_widened) {
  for (const std::size_t input : {std::size_t{0}, std::size_t{1}}) {
    if (!op.has_rank(input) || op.rank(input) >= 3) continue;
    return op.conflict(fmt::format("input {} has {} axes, at least 3 are required", input, op.rank(input)),
                       op.node().input(input));
  }
  op.onnx_forbids(fmt::format("weight has {} axes, input 0 has {}", op.rank(1), op.rank(0)),
                  is_widened ? "the kernel gets a last axis of 1" : std::string_view{}, op.node().input(1));
}

std::optional<std::span<const std::int64_t>> stated_extents(OpContext& op, std::size_t spatial) {
  const auto stated = op.attr_ints("output_shape");
  if (!stated) return std::nullopt;
  forbid_negative(op, "output_shape", *stated);
  // Some files state batch and channels too.
  if (stated->size() == spatial + 2) return stated->subspan(2);
  if (stated->size() == spatial) return stated;
  const bool is_long = stated->size() > spatial;
  op.onnx_forbids(fmt::format("attribute `output_shape` has {} entries, {} are required", stated->size(), spatial),
                  is_long ? "the last entries count" : std::string_view{});
  if (is_long) return stated->last(spatial);
  return std::nullopt;
}

DimVector spread_all(OpContext& op, const Window& window, DimVector out) {
  const std::size_t spatial = window.axes.size();
  const auto stated = stated_extents(op, spatial);
  const auto padding = op.attr_ints("output_padding");
  if (padding) forbid_negative(op, "output_padding", *padding);
  forbid_pads_beside_auto_pad(op, window);
  if (padding && padding->size() != spatial) {
    op.onnx_forbids(
        fmt::format("attribute `output_padding` has {} entries, {} are required", padding->size(), spatial),
        padding->size() < spatial ? "the missing entries are 0" : "the entries after the last axis are ignored");
  }
  // Its importer reads output_padding without auto_pad alone (8.0 to 10.1).
  if (padding && window.auto_pad == AutoPad::valid &&
      std::ranges::any_of(*padding, [](std::int64_t p) { return p != 0; })) {
    op.differs_in_tensorrt();
  }
  for (std::size_t i = 0; i < spatial; ++i) {
    const auto axis = static_cast<std::int32_t>(i + 2);
    if (stated && (*stated)[i] > 0) {
      out.push_back(op.literal((*stated)[i]));
    } else if (!op.has_rank(0)) {
      out.push_back(op.unknown("the rank of an input is not known", axis));
    } else {
      out.push_back(
          spread(op, window, window.axes[i], op.dim(0, i + 2), padding && i < padding->size() ? (*padding)[i] : 0));
    }
  }
  return out;
}

}  // namespace

void infer_conv_transpose(OpContext& op) {
  const DataType type = common_type(op, 0, 2);
  const bool has_weight = op.has_rank(1);
  const std::size_t rank = has_weight ? op.rank(1) : op.has_rank(0) ? op.rank(0) : 0;
  if (rank < 3 || (op.has_rank(0) && op.rank(0) != rank)) {
    const bool is_widened = rank == 3 && op.rank(0) == 4;
    op.speak_of(ConflictId::conv_rank);
    if (has_weight || op.has_rank(0)) check_ranks(op, is_widened);
    return op.set_type(0, type, has_weight || op.has_rank(0) ? "data and weight do not fit" : "");
  }
  const std::int64_t group = op.attr_int("group", 1);
  const Dim batch = op.has_rank(0) ? op.dim(0, 0) : op.unknown("the rank of an input is not known", 0);
  if (!has_weight) {
    const Dim channels = op.unknown("the weight is not known", 1);
    const auto kernel = kernel_shape(op);
    const auto window = kernel && kernel->size() + 2 == rank ? read_window(op, *kernel) : std::nullopt;
    return op.set(0, type,
                  window ? spread_all(op, *window, {batch, channels}) : unknown_extents(op, batch, channels, rank - 2));
  }
  const Dim channels = op.dims().mul(op.dim(1, 1), op.literal(group));
  if (op.has_rank(0)) check_channels(op);
  if (check_group(op, group)) {
    op.require_divides(op.literal(group), op.dim(1, 0), "input channels are a multiple of group");
  }
  check_kernel_shape(op, 1);
  check_bias(op, channels, group);
  op.speak_of(ConflictId::other);
  check_size(op, channels, "the number of output channels");
  const auto window = read_window(op, weight_extents(op, 1));
  op.set(0, type, window ? spread_all(op, *window, {batch, channels}) : unknown_extents(op, batch, channels, rank - 2));
}

namespace {

/// False: nothing can be said of the result. onnx's reference evaluator runs what is only forbidden here: it reads the
/// indices as a list, and overlooks strides of 0.
bool fits_unpool(OpContext& op, std::size_t window) {
  if (op.has_rank(1) && op.rank(0) != op.rank(1)) {
    op.standard_forbids(fmt::format("indices have {} axes, input 0 has {}", op.rank(1), op.rank(0)),
                        op.node().input(1));
  }
  if (window + 2 == op.rank(0)) return true;
  op.conflict(fmt::format("attribute `kernel_shape` has {} entries, input 0 has {} axes", window, op.rank(0)));
  return false;
}

/// The sizes that the third input states.
void set_stated_sizes(OpContext& op) {
  const DataType type = op.type(0);
  const auto sizes = op.known(2);
  if (sizes && op.has_rank(0) && sizes->size() != op.rank(0)) {
    op.conflict(fmt::format("`output_shape` has {} values, input 0 has {} axes", sizes->size(), op.rank(0)),
                op.node().input(2));
    return op.set_type(0, type, "`output_shape` and input do not fit");
  }
  if (sizes) return op.set(0, type, *sizes);
  if (!op.has_rank(0)) return op.set_type(0, type, {});
  DimVector out;
  for (std::size_t i = 0; i < op.rank(0); ++i) {
    out.push_back(op.unknown("the output_shape input is computed", static_cast<std::int32_t>(i)));
  }
  op.set(0, type, out);
}

/// `read_window` calls it a conflict, which it is for a convolution.
bool has_stride_of_zero(OpContext& op) {
  const auto strides = op.attr_ints("strides");
  if (!strides || std::ranges::find(*strides, 0) == strides->end()) return false;
  op.standard_forbids("attribute `strides` holds 0");
  return true;
}

}  // namespace

void infer_max_unpool(OpContext& op) {
  const DataType type = op.type(0);
  const auto kernel = kernel_shape(op);
  const bool fits = !op.has_rank(0) || !kernel || fits_unpool(op, kernel->size());
  if (op.has_input(2)) return set_stated_sizes(op);
  if (!op.has_rank(0) || !kernel) return op.set_type(0, type, {});
  if (!fits) return op.set_type(0, type, "kernel and input do not fit");
  if (has_stride_of_zero(op)) return op.set(0, type, unknown_extents(op, op.dim(0, 0), op.dim(0, 1), kernel->size()));
  const auto window = read_window(op, *kernel);
  DimVector out{op.dim(0, 0), op.dim(0, 1)};
  if (!window) return op.set(0, type, unknown_extents(op, out[0], out[1], kernel->size()));
  for (std::size_t i = 0; i < kernel->size(); ++i) {
    out.push_back(spread(op, *window, window->axes[i], op.dim(0, i + 2), 0));
  }
  op.set(0, type, out);
}

}  // namespace trtcheck::shapes
