// Sliding windows: what convolution and pooling share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

enum class AutoPad : std::uint8_t { notset, valid, same };

struct WindowAxis {
  Dim kernel;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_begin = 0;
  std::int64_t pad_end = 0;
};

struct Window {
  AutoPad auto_pad = AutoPad::notset;
  bool ceil_mode = false;
  bool may_be_empty = false;     ///< TensorRT builds it where the window is one too large: pooling
  std::vector<WindowAxis> axes;  ///< spatial axes only
};

/// Strides, dilations, pads and auto_pad of the node, one entry per extent of `kernel`. A list of another length is
/// a conflict and read as TensorRT reads it. Nothing (conflict recorded) when a stride or dilation is below 1.
std::optional<Window> read_window(OpContext& op, std::span<const Dim> kernel);

/// The attribute `kernel_shape` as dims; nothing when it is absent.
std::optional<DimVector> kernel_shape(OpContext& op);

/// The spatial extents of the weight, where they are not known those of `kernel_shape`.
DimVector weight_extents(OpContext& op, std::size_t weight);

/// `kernel_shape` against the spatial extents of the weight (an input with at least 2 axes).
void check_kernel_shape(OpContext& op, std::size_t weight);

/// A convolution has at least one group (else a conflict). What follows is about the group.
bool check_group(OpContext& op, std::int64_t group);

/// dilation * (kernel - 1) + 1
Dim extent_of(OpContext& op, const WindowAxis& axis);

/// Number of positions of the window over each of `extents`, the first of which is the tensor's axis `first`. One
/// conflict names all axes on which it does not fit.
DimVector positions(OpContext& op, const Window& window, std::span<const Dim> extents, std::size_t first);

/// `[batch, channels, positions...]` of input 0 under the window. @pre input 0 has no rank, or that of the window + 2
DimVector slide(OpContext& op, const Window& window, Dim batch, Dim channels);

/// An extent that the node's attributes do not determine.
DimVector unknown_extents(OpContext& op, Dim batch, Dim channels, std::size_t spatial);

}  // namespace trtcheck::shapes
