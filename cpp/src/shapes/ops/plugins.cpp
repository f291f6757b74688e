// Plugins that ship with TensorRT. A node states their fields as attributes; what comes out is what their own
// getOutputDimensions or getOutputShapes says (NVIDIA/TensorRT, plugin/, 10.10). Plugins that count their axes without
// the batch are left out, but for those that ONNX Runtime has a schema of.
#include "shapes/ops/contrib.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kNoField = "a field of the plugin is not stated";

Dim field(OpContext& op, std::string_view name, std::int32_t axis) {
  const auto size = size_attribute(op, name);
  return size ? *size : op.unknown(kNoField, axis);
}

Dim batch_of_boxes(OpContext& op) {
  return op.has_rank(0) && op.rank(0) > 0 ? op.dim(0, 0) : op.unknown("the rank of an input is not known", 0);
}

/// How many were found, boxes, scores, classes.
void set_detections(OpContext& op, Dim kept, DataType classes) {
  const Dim batch = batch_of_boxes(op);
  op.set(0, DataType::int32, {batch, op.literal(1)});
  op.set(1, op.type(0), {batch, kept, op.literal(4)});
  op.set(2, op.type(0), {batch, kept});
  op.set(3, classes, {batch, kept});
}

/// [batch, regions, channels, size, size]: regions in input 0, feature maps behind it.
void set_crops_of_levels(OpContext& op, DataType type) {
  const Dim size = field(op, "pooled_size", 3);
  op.set(0, type,
         {dim_or_unknown(op, 1, 4, 0, 0), dim_or_unknown(op, 0, 3, 1, 1), dim_or_unknown(op, 1, 4, 1, 2), size, size});
}

}  // namespace

void infer_efficient_nms(OpContext& op) { set_detections(op, field(op, "max_output_boxes", 1), DataType::int32); }

/// Rows of [batch, class, box], filled up.
void infer_efficient_nms_onnx(OpContext& op) {
  const Dim per_batch = field(op, "max_output_boxes_per_class", 0);
  op.set(0, DataType::int32, {op.dims().mul(batch_of_boxes(op), per_batch), op.literal(3)});
}

/// Its classes are floating point numbers.
void infer_batched_nms(OpContext& op) { set_detections(op, field(op, "keepTopK", 1), op.type(0)); }

void infer_nms_dynamic(OpContext& op) {
  const Dim batch = batch_of_boxes(op);
  const Dim one = op.literal(1);
  op.set(0, op.type(0), {batch, one, field(op, "keepTopK", 2), op.literal(7)});
  op.set(1, DataType::float32, {batch, one, one, one});
}

void infer_pyramid_roi_align(OpContext& op) { set_crops_of_levels(op, op.type(0)); }

void infer_crop_and_resize_dynamic(OpContext& op) {
  op.set(0, DataType::float32,
         {dim_or_unknown(op, 0, 4, 0, 0), op.has_rank(1) && op.rank(1) > 1 ? op.dim(1, 1) : op.unknown(kNoField, 1),
          dim_or_unknown(op, 0, 4, 1, 2), field(op, "crop_height", 3), field(op, "crop_width", 4)});
}

void infer_proposal_dynamic(OpContext& op) {
  op.set(0, DataType::float32, {batch_of_boxes(op), field(op, "post_nms_top_n", 1), op.literal(4), op.literal(1)});
}

void infer_roi_align_plugin(OpContext& op) {
  op.set(0, op.type(0),
         {op.has_rank(1) && op.rank(1) > 0 ? op.dim(1, 0) : op.unknown(kNoField, 0), dim_or_unknown(op, 0, 4, 1, 1),
          op.literal(op.attr_int("output_height", 1)), op.literal(op.attr_int("output_width", 1))});
}

/// value [B, S, heads, D], three more, sampling locations [B, queries, ...].
void infer_multiscale_deformable_attention(OpContext& op) {
  const Dim queries = op.has_rank(3) && op.rank(3) > 1 ? op.dim(3, 1) : op.unknown(kNoField, 1);
  op.set(0, op.type(0),
         {dim_or_unknown(op, 0, 4, 0, 0), queries, dim_or_unknown(op, 0, 4, 2, 2), dim_or_unknown(op, 0, 4, 3, 3)});
}

/// Data, offsets, mask, weight: the offsets have the size of the result.
void infer_modulated_deform_conv(OpContext& op) {
  op.set(0, op.type(0),
         {dim_or_unknown(op, 0, 4, 0, 0), dim_or_unknown(op, 3, 4, 0, 1), dim_or_unknown(op, 1, 4, 2, 2),
          dim_or_unknown(op, 1, 4, 3, 3)});
}

/// [batch, pillars, channels] onto a plane.
void infer_pillar_scatter(OpContext& op) {
  const auto plane = op.attr_ints("dense_shape");
  const bool is_known = plane && plane->size() == 2;
  op.set(0, op.type(0),
         {dim_or_unknown(op, 0, 3, 0, 0), dim_or_unknown(op, 0, 3, 2, 1),
          is_known ? op.literal((*plane)[0]) : op.unknown(kNoField, 2),
          is_known ? op.literal((*plane)[1]) : op.unknown(kNoField, 3)});
}

}  // namespace trtcheck::shapes
