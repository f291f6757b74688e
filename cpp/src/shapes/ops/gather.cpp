// Picking elements by index, and putting them back.
#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

void gather_contents(OpContext& op) {
  if (!op.in(0).is_known || op.rank(0) != 1 || op.rank(1) > 1) return;
  const auto indices = op.constant_ints(1);
  if (!indices) return;
  const auto known = op.in(0).known;
  const auto size = static_cast<std::int64_t>(known.size());
  DimVector out;
  for (const std::int64_t index : *indices) {
    if (index < -size || index >= size) return;
    out.push_back(known[static_cast<std::size_t>(index < 0 ? index + size : index)]);
  }
  op.set_known(0, out);
}

/// Inputs that TensorRT evaluates when it builds.
bool is_shape_input(std::string_view op, std::uint32_t input) {
  if (op == "Reshape" || op == "Expand" || op == "Tile" || op == "TopK" || op == "Pad") return input == 1;
  if (op == "Slice" || op == "Resize") return input > 0;
  return op == "ConstantOfShape" || op == "Range";
}

/// The result is a size for some later node, through the operators that exporters compute sizes with.
bool feeds_a_shape(const OpContext& op) {
  constexpr std::size_t kEnough = 64;
  const Walked end = walk<kEnough>(op.node().output(0), [&](ValueId id, auto& onward) {
    for (const Use& use : op.model().value(id).users) {
      const Node& user = op.model().node(use.node);
      if (is_shape_input(user.op_type, use.input)) return true;
      if (is_a(user.op_type, kinds::rounds_sizes)) onward.add(user.output(0));
    }
    return false;
  });
  return end == Walked::found;
}

/// Constant indices outside of a fixed axis. TensorRT reads zeros (NvInfer.h IGatherLayer), and stops where it needs
/// the number while it builds.
void check_indices(OpContext& op, std::size_t axis) {
  if (!op.dim(0, axis).is_literal()) return;
  const auto indices = op.in(1).is_known ? op.constant_ints(1) : std::nullopt;
  if (!indices) return;
  const std::int64_t size = op.dim(0, axis).value();
  for (const std::int64_t index : *indices) {
    if (index >= -size && index < size) continue;
    return op.onnx_forbids(fmt::format("index {} of Gather is outside of axis {} with size {}", index, axis, size),
                           feeds_a_shape(op) ? std::string_view{} : "the element reads as 0", op.node().input(1),
                           static_cast<int>(axis));
  }
}

}  // namespace

void infer_gather(OpContext& op) {
  if (!op.has_rank(0) || !op.has_rank(1)) return op.set_type(0, op.type(0), {});
  const auto axis = op.axis(op.attr_int("axis", 0), op.rank(0));
  if (!axis) return op.set_type(0, op.type(0), "the axis is wrong");
  check_indices(op, *axis);
  const auto data = op.in(0).dims;
  DimVector out(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(*axis));
  out.insert(out.end(), op.in(1).dims.begin(), op.in(1).dims.end());
  out.insert(out.end(), data.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, data.end());
  op.set(0, op.type(0), out);
  gather_contents(op);
}

void infer_gather_elements(OpContext& op) {
  if (!op.has_rank(1)) return op.set_type(0, op.type(0), {});
  if (op.has_rank(0) && op.rank(0) != op.rank(1)) {
    op.conflict(fmt::format("the indices have {} axes, the data has {}", op.rank(1), op.rank(0)), op.node().input(1));
  }
  op.set(0, op.type(0), op.in(1).dims);
}

void infer_gather_nd(OpContext& op) {
  if (!op.has_rank(0) || !op.has_rank(1)) return op.set_type(0, op.type(0), {});
  if (op.rank(0) == 0 || op.rank(1) == 0) return op.conflict("GatherND needs data and indices of rank 1 and more");
  const auto data = op.in(0).dims;
  const auto indices = op.in(1).dims;
  const std::int64_t batch = op.attr_int("batch_dims", 0);
  const auto smaller = static_cast<std::int64_t>(std::min(data.size(), indices.size()));
  if (batch < 0 || batch >= smaller) {
    op.conflict(fmt::format("batch_dims is {}, the smaller rank is {}", batch, smaller));
    return op.set_type(0, op.type(0), "batch_dims is wrong");
  }
  const auto batched = static_cast<std::size_t>(batch);
  DimVector out;
  for (std::size_t i = 0; i < batched; ++i)
    out.push_back(agreed(op, data[i], indices[i], "batch axes of GatherND agree"));
  const Dim depth = indices.back();
  if (!depth.is_literal()) return op.set_type(0, op.type(0), "the length of the index vectors is not known");
  if (depth.is(0))
    op.onnx_forbids("index vectors without a number", "each one gives all of the data", op.node().input(1));
  if (depth.value() < 0 || depth.value() > static_cast<std::int64_t>(data.size() - batched)) {
    op.conflict(fmt::format("index vectors of {} numbers for data with {} axes", depth.value(), data.size() - batched),
                op.node().input(1));
    return op.set_type(0, op.type(0), "the index vectors do not fit the data");
  }
  out.insert(out.end(), indices.begin() + batch, indices.end() - 1);
  out.insert(out.end(), data.begin() + batch + depth.value(), data.end());
  op.set(0, op.type(0), out);
}

/// ScatterElements, ScatterND, Scatter, TensorScatter: a changed copy of the data.
void infer_scatter(OpContext& op) { op.set_like(0, 0); }

}  // namespace trtcheck::shapes
