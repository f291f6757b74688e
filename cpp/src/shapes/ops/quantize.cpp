// Quantization: dtypes are the point, and a scale per channel has to count the channels.
#include <fmt/core.h>

#include "shapes/ops/agree.hpp"

namespace trtcheck::shapes {

namespace {

void check_scale(OpContext& op) {
  if (!op.has_rank(0) || !op.has_rank(1) || op.rank(1) != 1 || op.dim(1, 0).is(1)) return;
  // Opset 10 knew one scale per tensor only; ONNX Runtime reads an axis there all the same.
  if (op.attr_int("block_size", 0) != 0 || op.rank(0) == 0) return;
  op.speak_of(ConflictId::scale_length);
  const auto axis = op.axis(op.attr_int("axis", 1), op.rank(0));
  if (!axis) return;
  const Dim count = op.dim(1, 0);
  const Dim size = op.dim(0, *axis);
  agree(op, count, size, "there is one scale per slice of the axis", op.node().input(1), 0, [&] {
    return fmt::format("scale has {} values, axis {} of input 0 has {}", op.dims().text(count), *axis,
                       op.dims().text(size));
  });
}

DataType quantized_type(OpContext& op) {
  const std::int64_t wished = op.attr_int("output_dtype", 0);
  if (wished != 0) return static_cast<DataType>(wished);
  return op.has_input(2) ? op.type(2) : DataType::uint8;
}

DataType real_type(OpContext& op) {
  const std::int64_t wished = op.attr_int("output_dtype", 0);
  if (wished != 0) return static_cast<DataType>(wished);
  // Before opset 19 scales are FLOAT. Converters write FLOAT16 ones all the same, and TensorRT goes by the scale.
  const bool is_told = op.opset() >= 19 || op.type(1) == DataType::float16 || op.type(1) == DataType::bfloat16;
  return is_told ? op.type(1) : DataType::float32;
}

void set_shape_of_input(OpContext& op, DataType type) {
  if (op.has_rank(0))
    op.set(0, type, op.in(0).dims);
  else
    op.set_type(0, type, {});
}

}  // namespace

void infer_quantize_linear(OpContext& op) {
  check_scale(op);
  set_shape_of_input(op, quantized_type(op));
}

void infer_dequantize_linear(OpContext& op) {
  check_scale(op);
  set_shape_of_input(op, real_type(op));
}

void infer_dynamic_quantize_linear(OpContext& op) {
  set_shape_of_input(op, DataType::uint8);
  op.set(1, DataType::float32, {});
  op.set(2, DataType::uint8, {});
}

}  // namespace trtcheck::shapes
