#include "shapes/known_values.hpp"

#include <cmath>

#include "model/asked.hpp"
#include "model/tensor_values.hpp"
#include "shapes/infer.hpp"

namespace trtcheck::shapes {

namespace {

static_assert(kMaxKnown <= kFewElements, "what is asked for is fetched");

// Dims hold +-2^61. Beyond (INT64_MAX as "to the end") only the sign and the order of size are followed.
constexpr std::int64_t kLargestDim = std::int64_t{1} << 60;

/// Whole numbers only, small enough that float32 counts them one by one.
std::optional<DimVector> whole_numbers(InferState& state, const std::vector<double>& values) {
  constexpr double kExact = 16777216.0;
  DimVector out;
  out.reserve(values.size());
  for (const double value : values) {
    if (!(std::fabs(value) <= kExact) || std::trunc(value) != value) return std::nullopt;
    out.push_back(state.result.dims.literal(static_cast<std::int64_t>(value)));
  }
  return out;
}

}  // namespace

Dim content_dim(InferState& state, std::int64_t value) {
  DimTable& dims = state.result.dims;
  if (value > kLargestDim)
    return dims.unknown({Origin::kNone, -1, "number beyond 2^60"}, {kLargestDim, Interval::kMax});
  if (value < -kLargestDim)
    return dims.unknown({Origin::kNone, -1, "number beyond -2^60"}, {Interval::kMin, -kLargestDim});
  return dims.literal(value);
}

std::optional<std::vector<std::int64_t>> integer_contents(InferState& state, TensorId id) {
  auto contents = decode_ints(state.model, state.model.tensor(id), static_cast<std::int64_t>(kMaxKnown));
  if (!contents) note_unread(state, id);
  return contents;
}

std::optional<std::vector<double>> float_contents(InferState& state, TensorId id) {
  auto contents = decode_floats(state.model, state.model.tensor(id), static_cast<std::int64_t>(kMaxKnown));
  if (!contents) note_unread(state, id);
  return contents;
}

void decode_known(InferState& state, ValueId id) {
  ValueShape& shape = state.at(id);
  if (shape.is_known || shape.kind != ValueShape::Kind::tensor || !shape.has_rank || shape.rank() > 1) return;
  const TensorId constant = state.model.constant(id);
  if (!constant) return;
  std::optional<DimVector> contents;
  if (is_countable(shape.type)) {
    const auto values = integer_contents(state, constant);
    if (!values) return;
    contents.emplace();
    contents->reserve(values->size());
    for (const std::int64_t value : *values) contents->push_back(content_dim(state, value));
  } else if (is_float(shape.type)) {
    const auto values = float_contents(state, constant);
    if (values) contents = whole_numbers(state, *values);
  }
  if (!contents) return;
  shape.is_known = true;
  shape.known = state.result.arena.copy(*contents);
}

}  // namespace trtcheck::shapes
