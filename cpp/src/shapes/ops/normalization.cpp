// Normalisation: the data keeps its shape, the parameters have to fit it.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/ops/agree.hpp"

namespace trtcheck::shapes {

namespace {

/// False when nothing is known of its rank, or it is no vector.
bool check_vector(OpContext& op, std::size_t input) {
  if (!op.has_input(input) || !op.has_rank(input)) return false;
  if (op.rank(input) == 1) return true;
  op.conflict(fmt::format("input {} has {} axes, 1 is required", input, op.rank(input)), op.node().input(input));
  return false;
}

bool have_same_length(OpContext& op, std::size_t one, std::size_t other) {
  for (const std::size_t input : {one, other}) {
    if (!op.has_input(input) || !op.has_rank(input) || op.rank(input) != 1) return true;
  }
  const Dim first = op.dim(one, 0);
  const Dim count = op.dim(other, 0);
  return agree(op, count, first, "the parameters have one length", op.node().input(other), 0, [&] {
    return fmt::format("input {} has {} values, input {} has {}", other, op.dims().text(count), one,
                       op.dims().text(first));
  });
}

// A parameter with one value per channel of input 0.
void check_per_channel(OpContext& op, std::size_t input, Dim channels) {
  if (!check_vector(op, input)) return;
  const Dim count = op.dim(input, 0);
  agree(op, count, channels, "a parameter has one value per channel", op.node().input(input), 0, [&] {
    return fmt::format("input {} has {} values, input 0 has {} channels", input, op.dims().text(count),
                       op.dims().text(channels));
  });
}

/// One value for several channels; the layer takes that for the scale, and for the bias beside such a scale.
bool is_single_parameter(OpContext& op, std::size_t input, Dim channels) {
  const bool is_single = op.has_rank(input) && op.rank(input) == 1 && op.dim(input, 0).is(1);
  if (!is_single || op.dims().equal(channels, op.literal(1)) != Truth::no) return false;
  op.onnx_forbids(fmt::format("input {} has 1 values, input 0 has {} channels", input, op.dims().text(channels)),
                  "the value counts for every channel", op.node().input(input), 0);
  return true;
}

// A vector of samples counts as one channel each.
std::optional<Dim> channels_of(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) == 0) return std::nullopt;
  return op.rank(0) == 1 ? op.literal(1) : op.dim(0, 1);
}

/// A parameter with more axes than the data widens the result. The layer of LayerNormalization takes that when the
/// axes in front are 1 and scale and bias have as many; RMSNormalization is made of products.
bool is_higher_parameter_taken(OpContext& op, std::size_t input) {
  const auto extra = op.in(input).dims.first(op.rank(input) - op.rank(0));
  if (op.node().op_type == "RMSNormalization") return true;
  return std::ranges::all_of(extra, [](Dim dim) { return dim.is(1); }) &&
         (input == 1 || (op.has_rank(1) && op.rank(1) >= op.rank(input)));
}

/// The product that RMSNormalization is made of is as large as its larger side.
bool widens(const OpContext& op, Dim parameter, Dim data) {
  return op.node().op_type == "RMSNormalization" && data.is(1) && parameter.is_literal() && !parameter.is(1);
}

// Scale and bias broadcast to the data: more axes than are normalised are allowed as long as they do not widen it.
void check_trailing(OpContext& op, std::size_t input) {
  if (!op.has_input(input) || !op.has_rank(input) || !op.has_rank(0)) return;
  const auto data = op.in(0).dims;
  const auto parameter = op.in(input).dims;
  DimVector out(data.begin(), data.end());
  bool is_wider = false;
  if (parameter.size() > data.size()) {
    is_wider = is_higher_parameter_taken(op, input);
    op.onnx_forbids(fmt::format("input {} has {} axes, input 0 has {}", input, parameter.size(), data.size()),
                    is_wider ? "the result has as many axes as the parameter" : std::string_view{},
                    op.node().input(input));
    if (!is_wider) return;
    out.insert(out.begin(), parameter.begin(), parameter.end() - static_cast<std::ptrdiff_t>(data.size()));
  }
  for (std::size_t back = 1; back <= std::min(data.size(), parameter.size()); ++back) {
    const Dim extent = data[data.size() - back];
    const Dim given = parameter[parameter.size() - back];
    if (!widens(op, given, extent)) {
      op.require_one_or_equal(given, extent, "a parameter broadcasts to the normalised axes");
      continue;
    }
    op.onnx_forbids(fmt::format("input {} has {} entries where input 0 has 1", input, op.dims().text(given)),
                    "the result is as large as the parameter", op.node().input(input));
    out[out.size() - back] = given;
    is_wider = true;
  }
  if (is_wider) op.set(0, op.type(0), out);
}

/// One value for each channel, in all of them.
Dim length_of_parameters(OpContext& op) {
  for (std::size_t i = 1; i < 5; ++i) {
    if (op.has_rank(i) && op.rank(i) == 1) return op.dim(i, 0);
  }
  return op.unknown("the channels are not known", 0);
}

}  // namespace

void infer_batch_normalization(OpContext& op) {
  op.set_like(0, 0);
  const auto channels = channels_of(op);
  op.speak_of(ConflictId::batchnorm_parameters);
  for (std::size_t i = 1; i < 5; ++i) check_vector(op, i);
  for (std::size_t i = 2; i < 5; ++i) {
    if (!have_same_length(op, 1, i)) break;
  }
  op.speak_of(ConflictId::batchnorm_channels);
  if (channels && op.has_rank(1) && op.rank(1) == 1) check_per_channel(op, 1, *channels);
  // Opset 14 on: running mean and variance. Before: mean, variance, saved mean, saved variance.
  for (std::size_t i = 1; i < op.output_count(); ++i) {
    const DataType type = op.type(op.opset() >= 14 ? 3 : 0);
    if (channels) {
      op.set(i, type, {*channels});
    } else {
      op.set(i, type, {length_of_parameters(op)});
    }
  }
}

/// @param takes_single  whether TensorRT's layer does, see is_single_parameter
void check_scale_and_bias(OpContext& op, Dim channels, bool takes_single) {
  const bool is_one_scale = takes_single && is_single_parameter(op, 1, channels);
  if (!is_one_scale) check_per_channel(op, 1, channels);
  if (!is_one_scale || !is_single_parameter(op, 2, channels)) check_per_channel(op, 2, channels);
}

void infer_instance_normalization(OpContext& op) {
  op.set_like(0, 0);
  if (op.has_rank(0) && op.rank(0) >= 2) check_scale_and_bias(op, op.dim(0, 1), true);
}

// Up to opset 20 scale and bias count per group, from 21 on per channel.
void infer_group_normalization(OpContext& op) {
  op.set_like(0, 0);
  if (!op.has_rank(0) || op.rank(0) < 2) return;
  const std::int64_t groups = op.attr_int("num_groups", 1);
  if (groups < 1) {
    op.conflict(fmt::format("attribute `num_groups` is {}, at least 1 is required", groups));
    return;
  }
  op.require_divides(op.literal(groups), op.dim(0, 1), "channels are a multiple of num_groups");
  if (op.opset() >= 21) {
    // The layer takes one value for a group, and the importer makes no group of it.
    check_scale_and_bias(op, op.dim(0, 1), groups == 1 && op.rank(0) > 2);
    return;
  }
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
    if (!op.has_rank(input) || op.rank(input) != 1) continue;
    const Dim count = op.dim(input, 0);
    agree(op, count, op.literal(groups), "a parameter has one value per group", op.node().input(input), 0, [&] {
      return fmt::format("input {} has {} values, num_groups is {}", input, op.dims().text(count), groups);
    });
  }
}

void infer_layer_normalization(OpContext& op) {
  op.set_like(0, 0);
  const auto stash = static_cast<DataType>(op.attr_int("stash_type", 1));
  if (!op.has_rank(0)) {
    op.set_type(1, stash, {});
    op.set_type(2, stash, {});
    return;
  }
  const auto axis = op.axis(op.attr_int("axis", -1), op.rank(0));
  if (!axis) {
    op.set_type(1, stash, "the axis is outside of the input");
    op.set_type(2, stash, "the axis is outside of the input");
    return;
  }
  check_trailing(op, 1);
  check_trailing(op, 2);
  if (op.output_count() < 2) return;
  DimVector reduced(op.in(0).dims.begin(), op.in(0).dims.end());
  for (std::size_t i = *axis; i < reduced.size(); ++i) reduced[i] = op.literal(1);
  op.set(1, stash, reduced);
  op.set(2, stash, reduced);
}

void infer_rms_normalization(OpContext& op) {
  op.set_like(0, 0);
  if (!op.has_rank(0)) return;
  if (op.axis(op.attr_int("axis", -1), op.rank(0))) check_trailing(op, 1);
}

// LpNormalization has an axis; LRN and MeanVarianceNormalization keep the shape whatever their attributes are.
void infer_lp_normalization(OpContext& op) {
  op.set_like(0, 0);
  if (op.has_rank(0)) static_cast<void>(op.axis(op.attr_int("axis", -1), op.rank(0)));
}

void infer_same_shape(OpContext& op) { op.set_like(0, 0); }

// Up to opset 12 `axis` splits the input into a matrix, so it may also be the rank itself.
void infer_softmax(OpContext& op) {
  op.set_like(0, 0);
  if (op.has_rank(0) && op.rank(0) == 0) {
    return op.standard_forbids("input 0 is a scalar, at least one axis is required", op.node().input(0));
  }
  if (!op.has_rank(0) || op.attr("axis") == nullptr) return;
  const std::int64_t axis = op.attr_int("axis", -1);
  if (op.opset() < 13 && axis == static_cast<std::int64_t>(op.rank(0))) return;
  static_cast<void>(op.axis(axis, op.rank(0)));
}

void infer_dropout(OpContext& op) {
  op.set_like(0, 0);
  // Before opset 10 the mask has the type of the data.
  const DataType mask = op.opset() >= 10 ? DataType::boolean : op.type(0);
  if (op.has_rank(0))
    op.set(1, mask, op.in(0).dims);
  else
    op.set_type(1, mask, {});
}

}  // namespace trtcheck::shapes
