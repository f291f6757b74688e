// Normalizations, spelt out.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {

using Ints = Writer::Ints;
using Name = Writer::Name;

Normalized normalized(Writer& w, const Name& x, const Norm& norm, DataType type) {
  Normalized made;
  Name centred = x;
  if (norm.has_mean) {
    made.mean = w.reduce("ReduceMean", x, norm.axes, true);
    centred = w.sub(x, made.mean);
  }
  const Name variance = w.reduce("ReduceMean", w.mul(centred, centred), norm.axes, true);
  const Name deviation = w.op("Sqrt", {w.add(variance, w.draft().scalar(norm.epsilon, type, "epsilon"))});
  made.inverse = w.op("Reciprocal", {deviation});
  made.y = w.mul(centred, made.inverse);
  return made;
}

namespace {

constexpr std::int64_t kFloat = 1;

/// Axes from one to the last, counted from the end.
std::optional<Ints> axes_from(Draft& draft, std::int64_t first) {
  if (first >= 0) {
    const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
    if (!rank) {
      draft.refuse("the rank is not known");
      return std::nullopt;
    }
    first -= static_cast<std::int64_t>(*rank);
  }
  if (first >= 0) return std::nullopt;
  return counted(first, 0);
}

/// LayerNormalization, RMSNormalization.
bool over_last_axes(Writer& w, bool has_mean) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::optional<Ints> axes = axes_from(draft, draft.int_attribute("axis", -1));
  if (!axes) return false;
  const bool is_widened = is_half(*type) && draft.int_attribute("stash_type", kFloat) == kFloat;
  const DataType inner = is_widened ? DataType::float32 : *type;
  const Norm norm{.axes = *axes, .epsilon = draft.float_attribute("epsilon", 1e-5F), .has_mean = has_mean};
  const Name x = is_widened ? w.cast(draft.in(0), inner) : draft.in(0);
  const Normalized made = normalized(w, x, norm, inner);
  // The scale of RMSNormalization may be of a type of its own, which is that of the result.
  const DataType of_scale = draft.type(draft.node().input(1)).value_or(*type);
  Name y = inner != of_scale ? w.cast(made.y, of_scale) : made.y;
  y = w.mul(y, draft.in(1));
  if (draft.node().input(2)) y = w.add(y, draft.in(2));
  draft.becomes(0, y);
  if (draft.node().output(1)) draft.becomes(1, made.mean);
  if (draft.node().output(2)) draft.becomes(2, made.inverse);
  return true;
}

bool layer_normalization(Writer& w) { return over_last_axes(w, true); }
bool rms_normalization(Writer& w) { return over_last_axes(w, false); }

bool group_normalization(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  const std::int64_t groups = draft.int_attribute("num_groups", 0);
  if (!rank || *rank < 2 || groups < 1) return draft.refuse("the rank is not known");
  constexpr std::int64_t kScalePerChannel = 21;
  const bool is_per_group = draft.opset() < kScalePerChannel;
  const bool is_widened = is_half(*type) && draft.int_attribute("stash_type", kFloat) == kFloat;
  const DataType inner = is_widened ? DataType::float32 : *type;

  const Name x = is_widened ? w.cast(draft.in(0), inner) : draft.in(0);
  const Name grouped = w.reshape(x, {0, groups, -1});
  const Norm norm{.axes = {2}, .epsilon = draft.float_attribute("epsilon", 1e-5F)};
  Name y = normalized(w, grouped, norm, inner).y;
  if (is_widened) y = w.cast(y, *type);
  const auto scaled = [&](const Name& value, const Ints& sizes) {
    return w.add(w.mul(value, w.reshape(draft.in(1), sizes)), w.reshape(draft.in(2), sizes));
  };
  if (is_per_group) y = scaled(y, {1, groups, 1});
  y = w.reshape_like(y, draft.node().input(0));
  if (!is_per_group) {
    Ints sizes(*rank, 1);
    sizes[1] = -1;
    y = scaled(y, sizes);
  }
  draft.becomes(0, y);
  return true;
}

bool mean_variance_normalization(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const Ints axes = draft.ints_attribute("axes").value_or(Ints{0, 2, 3});
  const bool is_widened = is_half(*type);
  const DataType inner = is_widened ? DataType::float32 : *type;
  const Name x = is_widened ? w.cast(draft.in(0), inner) : draft.in(0);
  const Name mean = w.reduce("ReduceMean", x, axes, true);
  const Name centred = w.sub(x, mean);
  const Name variance = w.reduce("ReduceMean", w.mul(centred, centred), axes, true);
  constexpr double kEpsilon = 1e-9;
  const Name deviation = w.add(w.op("Sqrt", {variance}), draft.scalar(kEpsilon, inner, "epsilon"));
  const Name y = w.div(centred, deviation);
  draft.becomes(0, is_widened ? w.cast(y, *type) : y);
  return true;
}

/// InstanceNormalization in any rank, of parameters that are computed.
bool instance_normalization(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank || *rank < 3) return draft.refuse("the rank is not known to be 3 or more");
  const bool is_widened = is_half(*type);
  const DataType inner = is_widened ? DataType::float32 : *type;
  const Name x = is_widened ? w.cast(draft.in(0), inner) : draft.in(0);
  const Norm norm{.axes = counted(2, static_cast<std::int64_t>(*rank)),
                  .epsilon = draft.float_attribute("epsilon", 1e-5F)};
  Name y = normalized(w, x, norm, inner).y;
  if (is_widened) y = w.cast(y, *type);
  Ints sizes(*rank - 1, 1);
  sizes[0] = -1;
  draft.becomes(0, w.add(w.mul(y, w.reshape(draft.in(1), sizes)), w.reshape(draft.in(2), sizes)));
  return true;
}

constexpr Expansion kExpandNormalizations[] = {
    {.op = "GroupNormalization", .write = group_normalization},
    {.op = "InstanceNormalization", .write = instance_normalization},
    {.op = "LayerNormalization", .write = layer_normalization},
    {.op = "MeanVarianceNormalization", .write = mean_variance_normalization},
    {.op = "RMSNormalization", .write = rms_normalization}};

}  // namespace

std::span<const Expansion> normalization_expansions() noexcept { return kExpandNormalizations; }

}  // namespace trtcheck::cure
