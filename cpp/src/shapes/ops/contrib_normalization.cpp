// Normalisation and embedding of ONNX Runtime: what is added on the way comes out, too.
#include "shapes/ops/contrib.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

void set_statistics(OpContext& op, std::size_t output, DataType type, std::size_t axis) {
  if (!op.has_output(output)) return;
  if (!op.has_rank(0)) return op.set_type(output, type, {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  for (std::size_t i = axis; i < out.size(); ++i) out[i] = op.literal(1);
  op.set(output, type, out);
}

std::size_t last_axis(const OpContext& op) { return op.has_rank(0) && op.rank(0) > 0 ? op.rank(0) - 1 : 0; }

/// [B, S] identifiers become [B, S, H] rows of the word embedding.
void infer_embedding(OpContext& op, DataType type) {
  const Dim batch = dim_or_unknown(op, 0, 2, 0, 0);
  const Dim length = dim_or_unknown(op, 0, 2, 1, 1);
  const Dim hidden = dim_or_unknown(op, 2, 2, 1, 2);
  op.set(0, type, {batch, length, hidden});
  op.set(1, op.type(0), {batch});
  op.set(2, type, {batch, length, hidden});
}

}  // namespace

/// Stands in the domain of ONNX: the scale has the type of the result.
void infer_simplified_layer_normalization(OpContext& op) {
  set_dims_of(op, 0, 0, op.has_input(1) ? op.type(1) : op.type(0));
  if (!op.has_output(1)) return;
  const DataType stash = type_attribute(op, "stash_type", DataType::float32);
  if (!op.has_rank(0)) return op.set_type(1, stash, {});
  const auto axis = op.axis(op.attr_int("axis", -1), op.rank(0));
  if (!axis) return op.set_type(1, stash, "the axis is outside of the input");
  set_statistics(op, 1, stash, *axis);
}

/// Result, mean, deviation and the sum that was normalised.
void infer_skip_layer_normalization(OpContext& op) {
  op.set_like(0, 0);
  set_statistics(op, 1, DataType::float32, last_axis(op));
  set_statistics(op, 2, DataType::float32, last_axis(op));
  op.set_like(3, 0);
}

void infer_embed_layer_normalization(OpContext& op) { infer_embedding(op, op.type(2)); }

/// The embeddings are quantized, their scale has the type of the result.
void infer_qembed_layer_normalization(OpContext& op) { infer_embedding(op, op.type(8)); }

}  // namespace trtcheck::shapes
