// Pad: two numbers per axis, from attributes first and from inputs later.
#include <fmt/core.h>

#include "shapes/ops/computed_sizes.hpp"

namespace trtcheck::shapes {

namespace {

DimVector unknown_like_input(OpContext& op, std::string_view reason) {
  DimVector out;
  for (std::size_t i = 0; i < op.rank(0); ++i) out.push_back(op.unknown(reason, static_cast<std::int32_t>(i)));
  return out;
}

/// The padded axes; nothing when they are not known.
std::optional<std::vector<std::size_t>> padded_axes(OpContext& op) {
  std::vector<std::size_t> out;
  if (op.opset() < 18 || !op.has_input(3)) {
    for (std::size_t i = 0; i < op.rank(0); ++i) out.push_back(i);
    return out;
  }
  const auto listed = op.constant_ints(3);
  if (!listed) return std::nullopt;
  for (const std::int64_t axis : *listed) {
    const auto found = op.axis(axis, op.rank(0));
    if (!found) return std::nullopt;
    out.push_back(*found);
  }
  return out;
}

/// The numbers as dims: a pad may be computed from a size.
std::optional<DimVector> pads_of(OpContext& op) {
  DimVector out;
  if (op.opset() >= 11) {
    const auto contents = op.known(1);
    if (!contents) return std::nullopt;
    out.assign(contents->begin(), contents->end());
    return out;
  }
  const auto values = op.attr_ints(op.opset() >= 2 ? "pads" : "paddings");
  if (!values) return std::nullopt;
  for (const std::int64_t value : *values) out.push_back(op.literal(value));
  return out;
}

}  // namespace

void infer_pad(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0)) return op.set_type(0, type, {});
  const auto axes = padded_axes(op);
  const auto pads = pads_of(op);
  if (!axes) return op.set(0, type, unknown_like_input(op, "the padded axes are computed"));
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  if (!pads) {
    for (const std::size_t axis : *axes) {
      out[axis] = op.unknown("the pads are computed", static_cast<std::int32_t>(axis));
    }
    return op.set(0, type, out);
  }
  const std::size_t count = axes->size();
  if (pads->size() != 2 * count) {
    op.conflict(fmt::format("{} pads for {} axes, {} are required", pads->size(), count, 2 * count));
    return op.set(0, type, unknown_like_input(op, "the pads do not fit the axes"));
  }
  DimTable& t = op.dims();
  for (std::size_t i = 0; i < count; ++i) {
    Dim& size = out[(*axes)[i]];
    size = t.add(size, t.add((*pads)[i], (*pads)[i + count]));
  }
  check_sizes(op, out);
  op.set(0, type, out);
}

}  // namespace trtcheck::shapes
