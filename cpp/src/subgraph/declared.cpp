#include "subgraph/declared.hpp"

namespace trtcheck::subgraph {

std::vector<edit::DimValue> inferred_dims(const Shapes& shapes, ValueId id) {
  std::vector<edit::DimValue> made;
  for (const Dim dim : shapes[id].dims) {
    edit::DimValue& one = made.emplace_back();
    if (dim.is_literal()) {
      one = dim.value();
    } else if (shapes.dims().is_exact(dim)) {
      one = shapes.dims().text(dim);
    }
  }
  return made;
}

edit::TypeValue inferred_type(const Shapes& shapes, ValueId id, DataType type) {
  edit::TypeValue made{.type = type};
  if (shapes[id].has_rank) made.dims = inferred_dims(shapes, id);
  return made;
}

edit::TypeValue type_or_float(const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  const bool is_tensor = shape.kind == ValueShape::Kind::tensor && shape.type != DataType::undefined;
  return is_tensor ? inferred_type(shapes, id, shape.type) : edit::TypeValue{.type = DataType::float32};
}

}  // namespace trtcheck::subgraph
