// Normalizations of ONNX Runtime with what is added before them.
#include <fmt/format.h>

#include "cure/cures/contrib.hpp"

namespace trtcheck::cure {
namespace {

using Name = Writer::Name;

struct Parameters {
  Name scale;
  Name bias;  ///< "" = none
  bool has_mean = true;
  double epsilon = 1e-12;
  Writer::Ints axes = {-1};
};

struct Made {
  Name y;
  Name mean;
  Name inverse;
};

/// In FLOAT inside, as ONNX Runtime does it.
Made norm_of(Writer& w, const Name& x, const Parameters& parameters, DataType type) {
  const bool is_widened = is_half(type);
  const DataType inner = is_widened ? DataType::float32 : type;
  const Norm norm{.axes = parameters.axes, .epsilon = parameters.epsilon, .has_mean = parameters.has_mean};
  const Normalized made = normalized(w, is_widened ? w.cast(x, inner) : x, norm, inner);
  Name y = is_widened ? w.cast(made.y, type) : made.y;
  y = w.mul(y, parameters.scale);
  if (!parameters.bias.empty()) y = w.add(y, parameters.bias);
  return {y, made.mean, made.inverse};
}

bool simplified(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  std::int64_t axis = draft.int_attribute("axis", -1);
  if (axis >= 0) {
    const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
    if (!rank) return draft.refuse("the rank is not known");
    axis -= static_cast<std::int64_t>(*rank);
  }
  const Parameters parameters{.scale = draft.in(1),
                              .bias = {},
                              .has_mean = false,
                              .epsilon = draft.float_attribute("epsilon", 1e-5F),
                              .axes = counted(axis, 0)};
  const Made made = norm_of(w, draft.in(0), parameters, *type);
  draft.becomes(0, made.y);
  if (draft.node().output(1)) draft.becomes(1, made.inverse);
  draft.remove();
  return true;
}

/// @param bias  which input is added too
bool skipping(Writer& w, bool has_mean, std::size_t bias) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  Name sum = w.add(draft.in(0), draft.in(1));
  if (draft.node().input(bias)) sum = w.add(sum, draft.in(bias));
  const bool is_shifted = has_mean && draft.node().input(3);
  const Parameters parameters{.scale = draft.in(2),
                              .bias = is_shifted ? draft.in(3) : Name(),
                              .has_mean = has_mean,
                              .epsilon = draft.float_attribute("epsilon", 1e-12F)};
  const Made made = norm_of(w, sum, parameters, *type);
  draft.becomes(0, made.y);
  if (draft.node().output(1)) {
    if (made.mean.empty()) return draft.refuse("the mean is an output, which this form does not compute");
    draft.becomes(1, made.mean);
  }
  if (draft.node().output(2)) draft.becomes(2, made.inverse);
  if (draft.node().output(3)) draft.becomes(3, sum);
  draft.remove();
  return true;
}

bool skip_layer(Writer& w) { return skipping(w, true, 4); }
bool skip_simplified(Writer& w) { return skipping(w, false, 3); }

bool embedding(Writer& w) {
  Draft& draft = w.draft();
  const Node& node = draft.node();
  const std::optional<DataType> type = draft.type(node.input(2));
  if (!type || !is_float(*type)) return draft.refuse("the element type of the embedding is not known");
  if (draft.rank(node.input(0)) != 2U) return draft.refuse("the rank of the ids is not known to be 2");
  Name sum = w.gather(draft.in(2), draft.in(0), 0);
  // Without positions they are counted from 0.
  sum = w.add(sum, w.gather(draft.in(3), node.input(8) ? draft.in(8) : w.places(node.input(0), 1), 0));
  if (node.input(1) && node.input(4)) sum = w.add(sum, w.gather(draft.in(4), draft.in(1), 0));
  const Parameters parameters{
      .scale = draft.in(5), .bias = draft.in(6), .epsilon = draft.float_attribute("epsilon", 1e-12F)};
  draft.becomes(0, norm_of(w, sum, parameters, *type).y);
  if (node.output(1)) {
    // How many of each row are 1; without a mask 0.
    const Name one = draft.scalar(1, DataType::int32, "one");
    const Name counted = node.input(7) ? w.cast(w.op("Equal", {draft.in(7), one}), DataType::int32)
                                       : w.mul(draft.in(0), draft.scalar(0, DataType::int32, "zero"));
    draft.becomes(1, w.reduce("ReduceSum", counted, {1}, false));
  }
  if (node.output(2)) draft.becomes(2, sum);
  draft.remove();
  return true;
}

constexpr Expansion kContribNorms[] = {{.op = "EmbedLayerNormalization", .write = embedding},
                                       {.op = "SimplifiedLayerNormalization", .write = simplified},
                                       {.op = "SkipLayerNormalization", .write = skip_layer},
                                       {.op = "SkipSimplifiedLayerNormalization", .write = skip_simplified}};

}  // namespace

std::span<const Expansion> contrib_norms() noexcept { return kContribNorms; }

}  // namespace trtcheck::cure
