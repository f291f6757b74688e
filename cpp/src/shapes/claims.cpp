// value_info and graph outputs are claims of the file: compared with what was inferred, believed only where
// nothing is known.
#include <fmt/core.h>

#include "shapes/claims.hpp"
#include "shapes/infer.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kClaimed = "declared in the file without a size";

std::string claim_text(const Type& type) {
  std::string out = type.element == DataType::undefined ? "?" : to_string(type.element);
  if (!type.has_shape) return out + "[...]";
  out += '[';
  for (std::size_t i = 0; i < type.dims.size(); ++i) {
    if (i > 0) out += ',';
    const DeclaredDim& dim = type.dims[i];
    switch (dim.kind) {
      case DeclaredDim::Kind::value:
        out += std::to_string(dim.value);
        break;
      case DeclaredDim::Kind::param:
        out += dim.param;
        break;
      case DeclaredDim::Kind::unknown:
        out += '?';
        break;
    }
  }
  return out + "]";
}

std::string shape_text(InferState& state, const ValueShape& shape) {
  std::string out = shape.type == DataType::undefined ? "?" : to_string(shape.type);
  if (!shape.has_rank) return out + "[...]";
  out += '[';
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    if (i > 0) out += ',';
    out += state.result.dims.text(shape.dims[i]);
  }
  return out + "]";
}

/// Proved to differ. Another name for a symbol is no contradiction: it may well be the same size.
bool contradicts(InferState& state, const Type& claim, const ValueShape& shape) {
  if (shape.kind != ValueShape::Kind::tensor || claim.kind != Type::Kind::tensor) return false;
  if (claim.element != DataType::undefined && shape.type != DataType::undefined && claim.element != shape.type) {
    return true;
  }
  if (!claim.has_shape || !shape.has_rank) return false;
  if (claim.dims.size() != shape.dims.size()) return true;
  DimTable& dims = state.result.dims;
  for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
    const DeclaredDim& dim = claim.dims[axis];
    if (dim.kind != DeclaredDim::Kind::value || dim.value < 0 || shape.dims[axis].is(dim.value)) continue;
    if (dims.equal(shape.dims[axis], dims.literal(dim.value)) == Truth::no) return true;
  }
  return false;
}

/// Axes that are unknown take the claim's size.
void fill_dims(InferState& state, const Type& claim, ValueShape& shape) {
  DimTable& dims = state.result.dims;
  DimVector filled;
  for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
    const DeclaredDim& dim = claim.dims[axis];
    const Dim inferred = shape.dims[axis];
    const bool says_something =
        dim.kind == DeclaredDim::Kind::param || (dim.kind == DeclaredDim::Kind::value && dim.value >= 0);
    if (inferred.is_literal() || !says_something || dims.is_exact(inferred)) continue;
    if (filled.empty()) filled.assign(shape.dims.begin(), shape.dims.end());
    filled[axis] = claimed_dim(state, dim, axis, kClaimed);
  }
  if (filled.empty()) return;
  shape.dims = state.result.arena.copy(filled);
  shape.assumed = true;
}

void take_claim(InferState& state, const Type& claim, ValueShape& shape) {
  if (shape.kind == ValueShape::Kind::unknown ||
      (shape.kind == ValueShape::Kind::tensor && shape.type == DataType::undefined && !shape.has_rank)) {
    const std::string_view reason = shape.reason;
    const NodeId reason_node = shape.reason_node;
    shape = declared_shape(state, claim, kClaimed);
    shape.assumed = shape.has_rank;
    shape.type_assumed = true;
    shape.reason = reason;
    shape.reason_node = reason_node;
    return;
  }
  if (shape.kind != ValueShape::Kind::tensor || claim.kind != Type::Kind::tensor) return;
  if (shape.type == DataType::undefined) {
    shape.type = claim.element;
    shape.type_assumed = true;
  }
  if (!claim.has_shape) return;
  if (shape.has_rank) return fill_dims(state, claim, shape);
  const ValueShape claimed = declared_shape(state, claim, kClaimed);
  shape.has_rank = true;
  shape.dims = claimed.dims;
  shape.assumed = true;
}

}  // namespace

bool check_claim(InferState& state, ValueId id, std::string_view words) {
  const Type& claim = state.model.type(state.model.value(id).declared);
  const ValueShape& shape = state.at(id);
  if (!contradicts(state, claim, shape)) return true;
  state.result.mismatches.push_back(
      {id, fmt::format("`{}` is declared as {}, {} is {}", state.model.value(id).name, claim_text(claim), words,
                       shape_text(state, shape))});
  return false;
}

void reconcile_claim(InferState& state, ValueId id) {
  // TensorRT does not read value_info.
  if (!check_claim(state, id, "computed") || state.options.as_tensorrt) return;
  take_claim(state, state.model.type(state.model.value(id).declared), state.at(id));
}

}  // namespace trtcheck::shapes
