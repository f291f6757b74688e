// Sequences and optionals: the element type is followed, sizes of elements are not.
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kElement = "elements of a sequence may have any size";

}  // namespace

void infer_sequence_empty(OpContext& op) { op.set_sequence(0, type_attribute(op, "dtype", DataType::float32)); }

/// SequenceConstruct, SplitToSequence, SequenceInsert, SequenceErase, SequenceMap on tensors.
void infer_sequence_of_first(OpContext& op) { op.set_sequence(0, op.type(0)); }

void infer_sequence_at(OpContext& op) { op.set_type(0, op.type(0), kElement); }

void infer_sequence_length(OpContext& op) { op.set(0, DataType::int64, {}); }

void infer_concat_from_sequence(OpContext& op) { op.set_type(0, op.type(0), kElement); }

/// What an optional holds is not followed.
void infer_optional(OpContext& op) { op.set_unknown(0, "contents of optionals are not followed"); }

void infer_optional_has_element(OpContext& op) { op.set(0, DataType::boolean, {}); }

void infer_optional_get_element(OpContext& op) {
  const ValueShape::Kind kind = op.in(0).kind;
  // From opset 18 on a tensor or sequence passes through as it is.
  if (kind == ValueShape::Kind::tensor || kind == ValueShape::Kind::sequence) op.set_like(0, 0);
  // It may hold a tensor or a sequence: nothing is said of it.
}

}  // namespace trtcheck::shapes
