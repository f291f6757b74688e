// Regions and sampling grids: RoiAlign, MaxRoiPool, GridSample, AffineGrid, NonMaxSuppression.
#include <fmt/core.h>

#include "shapes/ops/agree.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kNoRank = "the rank of an input is not known";

void set_regions(OpContext& op, Dim count, Dim height, Dim width) {
  const Dim channels = op.has_rank(0) && op.rank(0) > 1 ? op.dim(0, 1) : op.unknown(kNoRank, 1);
  op.set(0, op.type(0), {count, channels, height, width});
}

std::optional<Dim> first_size(OpContext& op, std::size_t input) {
  return op.has_rank(input) && op.rank(input) > 0 ? std::optional(op.dim(input, 0)) : std::nullopt;
}

}  // namespace

void infer_roi_align(OpContext& op) {
  const auto regions = first_size(op, 1);
  const auto batches = first_size(op, 2);
  const Dim count = regions && batches ? agreed(op, *regions, *batches, "every region has one batch index")
                    : regions          ? *regions
                    : batches          ? *batches
                                       : op.unknown(kNoRank, 0);
  set_regions(op, count, op.literal(op.attr_int("output_height", 1)), op.literal(op.attr_int("output_width", 1)));
}

void infer_max_roi_pool(OpContext& op) {
  const auto regions = first_size(op, 1);
  const Dim count = regions ? *regions : op.unknown(kNoRank, 0);
  const auto shape = op.attr_ints("pooled_shape");
  if (!shape || shape->size() != 2) {
    op.conflict("attribute `pooled_shape` needs 2 entries");
    return set_regions(op, count, op.unknown("pooled_shape is malformed", 2),
                       op.unknown("pooled_shape is malformed", 3));
  }
  set_regions(op, count, op.literal((*shape)[0]), op.literal((*shape)[1]));
}

// X [N, C, D1 ... Dk], grid [N, E1 ... Ek, k] -> [N, C, E1 ... Ek]
void infer_grid_sample(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0) && !op.has_rank(1)) return op.set_type(0, type, {});
  const std::size_t rank = op.rank(op.has_rank(0) ? 0 : 1);
  const auto data = dims_of_rank(op, 0, rank);
  const auto grid = dims_of_rank(op, 1, rank);
  if (!data || !grid || rank < 3) return op.set_type(0, type, "data and grid do not fit");
  if (op.has_rank(0) && op.has_rank(1)) {
    op.require_equal((*data)[0], (*grid)[0], "data and grid have the same batch");
    op.require_equal(grid->back(), op.literal(static_cast<std::int64_t>(rank) - 2),
                     "a grid point has one coordinate per spatial axis");
  }
  DimVector out{op.has_rank(0) ? (*data)[0] : (*grid)[0], (*data)[1]};
  out.insert(out.end(), grid->begin() + 1, grid->end() - 1);
  op.set(0, type, out);
}

// size [N, C, (D,) H, W] -> [N, (D,) H, W, 2 or 3]
void infer_affine_grid(OpContext& op) {
  const DataType type = op.type(0);
  const auto size = op.known(1);
  if (size && size->size() != 4 && size->size() != 5) {
    op.conflict(fmt::format("size has {} values, 4 or 5 are required", size->size()), op.node().input(1));
    return op.set_type(0, type, "the size has neither 4 nor 5 values");
  }
  if (size) {
    DimVector out{size->front()};
    out.insert(out.end(), size->begin() + 2, size->end());
    out.push_back(op.literal(static_cast<std::int64_t>(size->size()) - 2));
    return op.set(0, type, out);
  }
  if (!op.has_rank(1) || op.rank(1) != 1 || !(op.dim(1, 0).is(4) || op.dim(1, 0).is(5))) {
    return op.set_type(0, type, "the size is computed");
  }
  const Dim batch = op.has_rank(0) && op.rank(0) == 3 ? op.dim(0, 0) : op.unknown("the size is computed", 0);
  DimVector out{batch};
  const std::int64_t spatial = op.dim(1, 0).value() - 2;
  for (std::int32_t axis = 1; axis <= spatial; ++axis) out.push_back(op.unknown("the size is computed", axis));
  out.push_back(op.literal(spatial));
  op.set(0, type, out);
}

// One row [batch, class, box] per selected box: of boxes [batch, box, 4] and scores [batch, class, box], for each class
// at most as many as there are, and as input 2 allows.
void infer_non_max_suppression(OpContext& op) {
  DimTable& t = op.dims();
  Interval range{0, Interval::kMax};
  if (op.has_rank(1) && op.rank(1) == 3) {
    const auto most = op.known(2);
    const Dim boxes = op.dim(1, 2);
    const Dim selected = most && most->size() == 1 ? t.max(t.min(boxes, most->front()), op.literal(0)) : boxes;
    range.high = t.bounds(t.mul(t.mul(op.dim(1, 0), op.dim(1, 1)), selected)).high;
  }
  op.set(0, DataType::int64, {op.unknown("as many rows as boxes are selected", 0, range), op.literal(3)});
}

}  // namespace trtcheck::shapes
