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

/// Fractions are followed in short contents only: scales, sizes.
std::optional<DimVector> float_dims(InferState& state, const std::vector<double>& values) {
  DimVector out;
  out.reserve(values.size());
  for (const double value : values) {
    const auto dim = float_dim(state, value);
    const bool is_short = values.size() <= kShortContents;
    if (!dim && !is_short) return std::nullopt;
    out.push_back(dim ? *dim : state.result.numbers.open(state.result.dims, {.reason = "the number is no fraction"}));
    if (!is_short && std::trunc(value) != value) return std::nullopt;
  }
  return out;
}

}  // namespace

Dim content_dim(InferState& state, std::int64_t value) {
  DimTable& dims = state.result.dims;
  if (value >= -kLargestDim && value <= kLargestDim) return dims.literal(value);
  // One dim for all that are this number.
  const auto [found, is_new] = state.far_numbers.try_emplace(value);
  if (is_new && value > 0) {
    found->second = dims.unknown({Origin::kNone, -1, "number beyond 2^60"}, {kLargestDim, Interval::kMax});
  } else if (is_new) {
    found->second = dims.unknown({Origin::kNone, -1, "number beyond -2^60"}, {Interval::kMin, -kLargestDim});
  }
  return found->second;
}

std::optional<Dim> float_dim(InferState& state, double value) {
  const auto number = number_of(state.result.dims, value);
  if (!number) return std::nullopt;
  return state.result.numbers.dim_of(state.result.dims, *number, {.reason = "the number is not whole"});
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

std::optional<DimVector> contents_as_dims(InferState& state, TensorId id, DataType type) {
  if (is_float(type)) {
    const auto values = float_contents(state, id);
    return values ? float_dims(state, *values) : std::nullopt;
  }
  const auto values = is_countable(type) ? integer_contents(state, id) : std::nullopt;
  if (!values) return std::nullopt;
  DimVector contents;
  contents.reserve(values->size());
  for (const std::int64_t value : *values) contents.push_back(content_dim(state, value));
  return contents;
}

void decode_known(InferState& state, ValueId id) {
  ValueShape& shape = state.at(id);
  if (shape.is_known || shape.kind != ValueShape::Kind::tensor || !shape.has_rank || shape.rank() > 1) return;
  const TensorId constant = state.model.constant(id);
  const auto contents = constant ? contents_as_dims(state, constant, shape.type) : std::nullopt;
  if (!contents) return;
  shape.is_known = true;
  shape.known = state.result.arena.copy(*contents);
}

}  // namespace trtcheck::shapes
