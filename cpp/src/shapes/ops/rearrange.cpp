// Values change place or are spread out: OneHot, DepthToSpace, SpaceToDepth, Col2Im, CenterCropPad.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/ops/agree.hpp"
#include "shapes/ops/computed_sizes.hpp"
#include "shapes/ops/float_arithmetic.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

void infer_one_hot(OpContext& op) {
  const DataType type = op.type(2);
  const auto indices = op.opset() < 11 ? op.contents(0) : std::nullopt;
  if (indices && std::ranges::any_of(*indices, [](Dim one) { return one.is_literal() && one.value() < 0; })) {
    op.standard_forbids("an index is below 0, which opset 11 is the first to allow", op.node().input(0));
  }
  if (!op.has_rank(0)) return op.set_type(0, type, {});
  const std::size_t rank = op.rank(0);
  const auto axis = op.axis(op.attr_int("axis", -1), rank + 1);
  if (!axis) return op.set_type(0, type, "the axis is outside of the output");
  const auto depth = op.known(1);
  const auto number = depth && depth->size() == 1 ? op.number(depth->front()) : std::nullopt;
  // Below 0 the runtime refuses it, but for an empty tensor, of which it makes an empty one.
  const auto size_of = [&op](Dim dim) {
    const bool is_refused = dim.is_literal() && std::ranges::none_of(op.in(0).dims, [](Dim one) { return one.is(0); });
    return is_refused ? dim : op.dims().max(dim, op.literal(0));
  };
  const Dim size = number ? size_of(float_to_whole(op, *number))
                          : op.unknown("the depth is computed", static_cast<std::int32_t>(*axis));
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(*axis), size);
  op.set(0, type, out);
}

void infer_depth_to_space(OpContext& op) {
  const auto in = dims_of_rank(op, 0, 4);
  if (!in) return op.set_type(0, op.type(0), "input 0 does not have 4 axes");
  DimTable& t = op.dims();
  const Dim block = t.literal(op.attr_int("blocksize", 1));
  const Dim area = t.mul(block, block);
  if (t.less_equal(block, t.literal(0)) != Truth::no) {
    op.conflict("attribute `blocksize` is below 1");
    return op.set_type(0, op.type(0), "the block size is below 1");
  }
  check_size(op, t.mul(block, block), "blocksize squared");
  if (op.has_rank(0)) op.require_divides(area, (*in)[1], "channels are a multiple of blocksize squared");
  op.set(0, op.type(0), {(*in)[0], t.floor_div((*in)[1], area), t.mul((*in)[2], block), t.mul((*in)[3], block)});
}

void infer_space_to_depth(OpContext& op) {
  const auto in = dims_of_rank(op, 0, 4);
  if (!in) return op.set_type(0, op.type(0), "input 0 does not have 4 axes");
  DimTable& t = op.dims();
  const Dim block = t.literal(op.attr_int("blocksize", 1));
  if (t.less_equal(block, t.literal(0)) != Truth::no) {
    op.conflict("attribute `blocksize` is below 1");
    return op.set_type(0, op.type(0), "the block size is below 1");
  }
  check_size(op, t.mul(block, block), "blocksize squared");
  if (op.has_rank(0)) {
    op.require_divides(block, (*in)[2], "height is a multiple of blocksize");
    op.require_divides(block, (*in)[3], "width is a multiple of blocksize");
  }
  op.set(0, op.type(0),
         {(*in)[0], t.mul((*in)[1], t.mul(block, block)), t.floor_div((*in)[2], block), t.floor_div((*in)[3], block)});
}

// [N, C * block area, L] -> [N, C, image...]
void infer_col2im(OpContext& op) {
  const DataType type = op.type(0);
  const auto image = sizes_from(op, 1, "the image shape is computed");
  const auto block = op.known(2);
  const auto in = dims_of_rank(op, 0, 3);
  if (!image || !in)
    return op.set_type(0, type, image ? "input 0 does not have 3 axes" : "the image shape is computed");
  DimTable& t = op.dims();
  Dim channels = op.unknown("the block shape is computed", 1);
  if (block) {
    Dim area = t.literal(1);
    for (const Dim size : *block) area = t.mul(area, size);
    check_size(op, area, "the block's area");
    if (op.has_rank(0)) op.require_divides(area, (*in)[1], "columns are a multiple of the block's area");
    channels = t.floor_div((*in)[1], area);
  }
  DimVector out{(*in)[0], channels};
  out.insert(out.end(), image->begin(), image->end());
  op.set(0, type, out);
}

void infer_center_crop_pad(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0)) return op.set_type(0, type, {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  std::vector<std::int64_t> axes;
  if (const auto listed = op.attr_ints("axes"))
    axes.assign(listed->begin(), listed->end());
  else
    for (std::size_t i = 0; i < out.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  const auto shape = op.known(1);
  if (shape && shape->size() != axes.size()) {
    op.conflict(fmt::format("`shape` has {} values for {} axes", shape->size(), axes.size()), op.node().input(1));
    return op.set_type(0, type, "shape and axes do not fit");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = op.axis(axes[i], out.size());
    if (!axis) return op.set_type(0, type, "an axis is outside of the input");
    // Below 0 it is as ONNX Runtime cuts it: nothing is left.
    out[*axis] = shape ? op.dims().max((*shape)[i], op.dims().literal(0))
                       : op.unknown("the shape is computed", static_cast<std::int32_t>(*axis));
  }
  op.set(0, type, out);
}

}  // namespace trtcheck::shapes
