// Operators of ONNX Runtime that move, pick and reduce elements.
#include <fmt/core.h>

#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"
#include "shapes/ops/contrib.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

void infer_range(OpContext& op);
void infer_reduce_attribute(OpContext& op);

namespace {

constexpr std::string_view kSizes = "the size is computed at run time";

DimVector dims_of(OpContext& op, std::size_t input) { return {op.in(input).dims.begin(), op.in(input).dims.end()}; }

/// How many values a number of packed bytes holds.
Dim unpacked(OpContext& op, Dim packed) {
  const std::int64_t bits = op.attr_int("bits", 4);
  const bool is_byte = op.type(0) == DataType::uint8;
  if (!is_byte || bits == 8) return packed;
  return bits == 2 || bits == 4 ? op.dims().mul(packed, op.literal(bits == 2 ? 4 : 2))
                                : op.unknown("the number of bits is none of 2, 4 and 8");
}

/// The numbers that an input holds, a row of a matrix among others.
std::optional<DimVector> pads_in(OpContext& op, std::size_t input) {
  if (const auto contents = op.contents(input)) return DimVector(contents->begin(), contents->end());
  const auto constant = op.constant_ints(input);
  if (!constant) return std::nullopt;
  DimVector out;
  for (const std::int64_t number : *constant) out.push_back(op.literal(number));
  return out;
}

}  // namespace

/// Two numbers per axis in input 1, which may be a row of a matrix.
void infer_contrib_pad(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  const auto pads = pads_in(op, 1);
  DimVector out = dims_of(op, 0);
  const std::size_t rank = out.size();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    out[axis] = pads && pads->size() == 2 * rank
                    ? op.dims().add(out[axis], op.dims().add((*pads)[axis], (*pads)[axis + rank]))
                    : op.unknown("the pads are computed", static_cast<std::int32_t>(axis));
  }
  op.set(0, op.type(0), out);
}

/// As ONNX has it, but the step may be left out.
void infer_contrib_range(OpContext& op) {
  if (op.has_input(2)) return infer_range(op);
  const auto start = number_in(op, 0);
  const auto limit = number_in(op, 1);
  if (!start || !limit) return op.set(0, op.type(0), {op.unknown("the length of Range is computed at run time", 0)});
  op.set(0, op.type(0), {op.dims().max(op.dims().sub(*limit, *start), op.literal(0))});
}

/// Of a vector: what differs, where each element went, and how often each was there.
void infer_contrib_unique(OpContext& op) {
  const Dim count = dim_or_unknown(op, 0, 1, 0, 0);
  const Dim kept = op.unknown("Unique keeps what differs", 0, {0, op.dims().bounds(count).high});
  op.set(0, op.type(0), {kept});
  op.set(1, DataType::int64, {count});
  op.set(2, DataType::int64, {kept});
}

void infer_expand_dims(OpContext& op) {
  const auto axis = op.constant_ints(1);
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  if (!axis || axis->size() != 1) return op.set_type(0, op.type(0), kAxesUnknown);
  const auto at = op.axis(axis->front(), op.rank(0) + 1);
  if (!at) return op.set_type(0, op.type(0), "the axis is wrong");
  DimVector out = dims_of(op, 0);
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(*at), op.literal(1));
  op.set(0, op.type(0), out);
}

/// n real numbers become n/2 + 1 complex ones.
void infer_rfft(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) == 0) return op.set_type(0, op.type(0), {});
  DimVector out = dims_of(op, 0);
  out.back() = op.dims().add(op.dims().floor_div(out.back(), op.literal(2)), op.literal(1));
  out.push_back(op.literal(2));
  op.set(0, op.type(0), out);
}

void infer_irfft(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) < 2) return op.set_type(0, op.type(0), {});
  DimVector out = dims_of(op, 0);
  out.pop_back();
  out.back() = op.dims().mul(op.dims().sub(out.back(), op.literal(1)), op.literal(2));
  op.set(0, op.type(0), out);
}

/// Slices along one axis; what a slice holds comes last.
void infer_unfold_tensor(OpContext& op) {
  if (!op.has_rank(0)) return op.set_type(0, op.type(0), {});
  const auto axis = op.axis(op.attr_int("dim", -1), op.rank(0));
  const auto size = size_attribute(op, "size");
  const std::int64_t step = op.attr_int("step", 1);
  if (!axis || !size || step < 1) return op.set_type(0, op.type(0), "the attributes contradict each other");
  DimVector out = dims_of(op, 0);
  DimTable& t = op.dims();
  out[*axis] = t.add(t.floor_div(t.sub(out[*axis], *size), op.literal(step)), op.literal(1));
  out.push_back(*size);
  op.set(0, op.type(0), out);
}

/// One crop per region, of the size that input 3 holds.
void infer_crop_and_resize(OpContext& op) {
  const auto size = op.known(3);
  const bool is_known = size && size->size() == 2;
  op.set(0, op.type(0),
         {dim_or_unknown(op, 1, 2, 0, 0), dim_or_unknown(op, 0, 4, 1, 1),
          is_known ? size->front() : op.unknown(kSizes, 2), is_known ? size->back() : op.unknown(kSizes, 3)});
}

/// Gather from a table in blocks; bytes hold several values each.
void infer_gather_block_quantized(OpContext& op) {
  const DataType type = op.type(2);
  if (!op.has_rank(0) || !op.has_rank(1)) return op.set_type(0, type, {});
  const auto gathered = op.axis(op.attr_int("gather_axis", 0), op.rank(0));
  const auto packed = op.axis(op.attr_int("quantize_axis", 1), op.rank(0));
  if (!gathered || !packed) return op.set_type(0, type, "the axis is wrong");
  DimVector out = dims_of(op, 0);
  out.back() = unpacked(op, out.back());
  const auto at = out.begin() + static_cast<std::ptrdiff_t>(*gathered);
  const auto indices = op.in(1).dims;
  out.insert(out.erase(at), indices.begin(), indices.end());
  op.set(0, type, out);
}

/// Rows of a table: the dims of the indices and one row.
void infer_torch_embedding(OpContext& op) {
  if (!op.has_rank(1)) return op.set_type(0, op.type(0), {});
  DimVector out = dims_of(op, 1);
  out.push_back(dim_or_unknown(op, 0, 2, 1, static_cast<std::int32_t>(out.size())));
  op.set(0, op.type(0), out);
}

void infer_reduce_sum_integer(OpContext& op) {
  infer_reduce_attribute(op);
  const DataType type = op.type(0) == DataType::int8    ? DataType::int32
                        : op.type(0) == DataType::uint8 ? DataType::uint32
                                                        : DataType::undefined;
  const ValueShape reduced = op.state().at(op.node().output(0));
  if (reduced.has_rank) return op.set(0, type, reduced.dims);
  op.set_type(0, type, reduced.reason);
}

/// After scale and zero point of the result three inputs per part: data, scale, zero point.
void infer_qlinear_concat(OpContext& op) {
  const DataType type = op.type(1);
  for (std::size_t i = 2; i < op.input_count(); i += 3) {
    if (!op.has_rank(i)) return op.set_type(0, type, {});
  }
  if (op.input_count() < 3) return op.set_type(0, type, "nothing is joined");
  const auto axis = op.axis(op.attr_int("axis", 0), op.rank(2));
  if (!axis) return op.set_type(0, type, "the axis is wrong");
  DimVector out = dims_of(op, 2);
  for (std::size_t i = 5; i < op.input_count(); i += 3) {
    if (op.rank(i) != out.size()) {
      op.conflict(fmt::format("input {} has {} axes, input 2 has {}", i, op.rank(i), out.size()), op.node().input(i));
      return op.set_type(0, type, "the parts have different ranks");
    }
    for (std::size_t at = 0; at < out.size(); ++at) {
      out[at] = at == *axis ? op.dims().add(out[at], op.dim(i, at))
                            : agreed(op, out[at], op.dim(i, at), "parts that are joined have the same other axes");
    }
  }
  op.set(0, type, out);
}

/// The cheapest path through a matrix of costs.
void infer_dynamic_time_warping(OpContext& op) {
  op.set(0, DataType::int32, {op.literal(2), op.unknown("the path is as long as the costs make it", 1)});
}

}  // namespace trtcheck::shapes
