// Conv and its integer and deformable relatives. Output channels come from the weight, so they are known even
// when nothing is known of the data.
#include <fmt/core.h>

#include "shapes/ops/agree.hpp"
#include "shapes/ops/helpers.hpp"
#include "shapes/ops/window.hpp"

namespace trtcheck::shapes {

namespace {

struct Operands {
  std::size_t weight;
  std::size_t bias;
  DataType type;
};

void check_channels(OpContext& op, std::size_t weight, std::int64_t group) {
  op.speak_of(ConflictId::conv_channels);
  DimTable& t = op.dims();
  const Dim per_group = op.dim(weight, 1);
  const Dim needed = t.mul(per_group, t.literal(group));
  const Dim given = op.dim(0, 1);
  agree(op, given, needed, "data channels are weight channels times group", op.node().input(0), 1, [&] {
    return group == 1 ? fmt::format("input 0 has {} channels, weight expects {}", t.text(given), t.text(needed))
                      : fmt::format("input 0 has {} channels, weight expects {} ({} x group {})", t.text(given),
                                    t.text(needed), t.text(per_group), group);
  });
}

void check_bias(OpContext& op, std::size_t bias, Dim channels) {
  if (!op.has_input(bias) || !op.has_rank(bias)) return;
  op.speak_of(ConflictId::conv_bias);
  const ValueId value = op.node().input(bias);
  if (op.rank(bias) == 0 && channels.is(1)) {
    return op.onnx_forbids("bias has 0 axes, 1 is required", "a scalar counts as one value", value);
  }
  if (op.rank(bias) > 1) {
    op.conflict(fmt::format("bias has {} axes, 1 is required", op.rank(bias)), value);
    return;
  }
  const Dim count = op.rank(bias) == 0 ? op.literal(1) : op.dim(bias, 0);
  agree(op, count, channels, "bias has one value per output channel", value, 0, [&] {
    return fmt::format("bias has {} values, {} output channels need one each", op.dims().text(count),
                       op.dims().text(channels));
  });
}

bool ranks_agree(OpContext& op, std::size_t weight) {
  op.speak_of(ConflictId::conv_rank);
  if (op.has_rank(weight) && op.rank(weight) < 3) {
    op.conflict(fmt::format("weight has {} axes, at least 3 are required", op.rank(weight)), op.node().input(weight));
    return false;
  }
  if (op.has_rank(0) && op.rank(0) < 3) {
    op.conflict(fmt::format("input 0 has {} axes, at least 3 are required", op.rank(0)), op.node().input(0));
    return false;
  }
  if (!op.has_rank(0) || !op.has_rank(weight) || op.rank(0) == op.rank(weight)) return true;
  // Data and kernel with one spatial axis are widened to two, each for itself.
  const bool is_widened = op.rank(0) == 4 && op.rank(weight) == 3;
  op.onnx_forbids(fmt::format("input 0 has {} axes, the weight tensor has {}", op.rank(0), op.rank(weight)),
                  is_widened ? "the kernel gets a last axis of 1" : std::string_view{}, op.node().input(0));
  return false;
}

std::optional<DimVector> kernel_of(OpContext& op, std::size_t weight) {
  return op.has_rank(weight) ? weight_extents(op, weight) : kernel_shape(op);
}

Dim batch_of(OpContext& op) {
  return op.has_rank(0) ? op.dim(0, 0) : op.unknown("the rank of an input is not known", 0);
}

void infer(OpContext& op, const Operands& at) {
  if (!ranks_agree(op, at.weight)) return op.set_type(0, at.type, "data and weight do not fit");
  const std::int64_t group = op.attr_int("group", 1);
  const bool has_weight = op.has_rank(at.weight);
  const Dim channels = has_weight ? op.dim(at.weight, 0) : op.unknown("the weight is not known", 1);
  const bool has_groups = check_group(op, group);
  if (has_weight) {
    if (has_groups) {
      op.require_divides(op.literal(group), channels, "output channels are a multiple of group");
      if (op.has_rank(0)) check_channels(op, at.weight, group);
    }
    check_kernel_shape(op, at.weight);
  }
  check_bias(op, at.bias, channels);
  op.speak_of(ConflictId::other);
  const auto kernel = kernel_of(op, at.weight);
  if (!kernel) {
    if (!op.has_rank(0)) return op.set_type(0, at.type, {});
    return op.set(0, at.type, unknown_extents(op, op.dim(0, 0), channels, op.rank(0) - 2));
  }
  const Dim batch = batch_of(op);
  if (op.has_rank(0) && kernel->size() + 2 != op.rank(0)) {
    op.conflict(
        fmt::format("attribute `kernel_shape` has {} entries, {} are required", kernel->size(), op.rank(0) - 2));
    return op.set(0, at.type, unknown_extents(op, batch, channels, op.rank(0) - 2));
  }
  const auto window = read_window(op, *kernel);
  op.set(0, at.type,
         window ? slide(op, *window, batch, channels) : unknown_extents(op, batch, channels, kernel->size()));
}

}  // namespace

void infer_conv(OpContext& op) { infer(op, {.weight = 1, .bias = 2, .type = common_type(op, 0, 2)}); }

// The third input of ConvInteger is a zero point; there is no bias.
void infer_conv_integer(OpContext& op) { infer(op, {.weight = 1, .bias = 9, .type = DataType::int32}); }

/// Depthwise, 1-D, with the end of the sequence before kept: X [B,C,L], W [C,1,K] -> [B,C,L] and [B,C,K - 1].
void infer_causal_conv_with_state(OpContext& op) {
  op.set_like(0, 0);
  const std::string_view activation = op.attr_string("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish") {
    op.conflict("attribute `activation` must be none, silu or swish");
  }
  const auto input = dims_of_rank(op, 0, 3);
  const auto weight = dims_of_rank(op, 1, 3);
  const bool has_kernel = !weight || !op.has_rank(1) ||
                          op.require_at_least((*weight)[2], op.literal(1), "the kernel has one element or more");
  if (!input || !weight) return op.set_type(1, op.type(0), "the inputs have not three axes");
  const Dim filters = (*weight)[0];
  // onnx's reference evaluator gives a single channel to every filter.
  const bool is_shared = (*input)[1].is(1) && op.dims().equal(filters, (*input)[1]) == Truth::no;
  if (is_shared) {
    op.standard_forbids(fmt::format("input 0 has one channel, {} filters need one each", op.dims().text(filters)),
                        op.node().input(0), 1);
    op.set(0, op.type(0), {(*input)[0], filters, (*input)[2]});
  }
  const Dim channels = is_shared ? (*input)[1] : agreed(op, (*input)[1], filters, "there is one filter per channel");
  const Dim kept = has_kernel ? op.dims().sub((*weight)[2], op.literal(1)) : op.unknown("the kernel is empty", 2);
  op.set(1, op.type(0), {(*input)[0], channels, kept});
}

void infer_qlinear_conv(OpContext& op) { infer(op, {.weight = 3, .bias = 8, .type = op.type(7)}); }

void infer_deform_conv(OpContext& op) { infer(op, {.weight = 1, .bias = 3, .type = common_type(op, 0, 2)}); }

}  // namespace trtcheck::shapes
