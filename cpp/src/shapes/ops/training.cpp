// Optimizers of ai.onnx.preview.training: [rate, count, tensors, gradients, state ...] -> [tensors, state ...].
#include "dims/checked.hpp"
#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::size_t kBefore = 2;  // learning rate and update count

/// `kinds`: what there is of every tensor, the gradient left out, which has no output.
void infer_optimizer(OpContext& op, std::size_t kinds) {
  const std::size_t listed = op.input_count() < kBefore ? 0 : op.input_count() - kBefore;
  const auto tensors =
      static_cast<std::size_t>(int_floor_div(static_cast<std::int64_t>(listed), static_cast<std::int64_t>(kinds) + 1));
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::size_t from = kBefore + (kind == 0 ? 0 : kind + 1) * tensors;
    for (std::size_t i = 0; i < tensors; ++i) {
      if (op.has_input(from + i)) op.set_like(kind * tensors + i, from + i);
    }
  }
}

}  // namespace

/// Adagrad, Momentum: a tensor and one state.
void infer_optimizer_of_two(OpContext& op) { infer_optimizer(op, 2); }

/// Adam: a tensor and two states.
void infer_optimizer_of_three(OpContext& op) { infer_optimizer(op, 3); }

/// The inputs are values of the tensors that `xs` and then `zs` name, the outputs derivatives by those of `xs`.
void infer_gradient(OpContext& op) {
  for (std::size_t i = 0; i < op.output_count(); ++i) {
    if (op.has_input(i)) {
      op.set_like(i, i);
    } else {
      op.set_type(i, DataType::undefined, "the value of the tensor is not given");
    }
  }
}

}  // namespace trtcheck::shapes
