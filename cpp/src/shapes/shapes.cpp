#include <trtcheck/shapes.hpp>

#include "shapes/shapes_impl.hpp"

namespace trtcheck {

Shapes::Shapes(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Shapes::Shapes(Shapes&&) noexcept = default;
Shapes& Shapes::operator=(Shapes&&) noexcept = default;
Shapes::~Shapes() = default;

const ValueShape& Shapes::operator[](ValueId id) const noexcept {
  static constexpr ValueShape kNothing{};
  return id.index < impl_->values.size() ? impl_->values[id.index] : kNothing;
}

std::span<const Conflict> Shapes::conflicts() const noexcept { return impl_->conflicts; }
std::span<const Obligation> Shapes::obligations() const noexcept { return impl_->obligations; }
std::span<const Shapes::ClaimMismatch> Shapes::mismatches() const noexcept { return impl_->mismatches; }
std::span<const CarriedChange> Shapes::carried_changes() const noexcept { return impl_->carried_changes; }
bool Shapes::solved_reshape() const noexcept { return impl_->solved_reshape; }

GraphId Shapes::taken_branch(NodeId if_node) const noexcept {
  const auto found = impl_->taken_branches.find(if_node.index);
  return found == impl_->taken_branches.end() ? GraphId{} : found->second;
}

bool Shapes::imports_both_branches(NodeId if_node) const noexcept {
  return impl_->both_imported.contains(if_node.index);
}

DimTable& Shapes::dims() const noexcept { return impl_->dims; }

bool Shapes::folds_to_constant(ValueId id) const noexcept {
  return id.index < impl_->folds.size() && impl_->folds[id.index];
}

std::string Shapes::text(const ValueShape& shape) const {
  const std::string element = shape.type == DataType::undefined ? "?" : to_string(shape.type);
  switch (shape.kind) {
    case ValueShape::Kind::unknown:
      return "?";
    case ValueShape::Kind::sequence:
      return "SEQUENCE(" + element + ")";
    case ValueShape::Kind::optional:
      return "OPTIONAL(" + element + ")";
    case ValueShape::Kind::map:
      return "MAP";
    case ValueShape::Kind::tensor:
      break;
  }
  if (!shape.has_rank) return element + "[...]";
  std::string out = element + "[";
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    if (i > 0) out += ',';
    out += impl_->dims.text(shape.dims[i]);
  }
  return out + "]";
}

}  // namespace trtcheck
