// What inference knows of a value, as a declaration.
#pragma once

#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::subgraph {

/// Numbers, symbols, and exact expressions as text; other dims stay open.
/// @pre the rank is known
[[nodiscard]] std::vector<edit::DimValue> inferred_dims(const Shapes& shapes, ValueId id);

/// With dims where the rank is known.
/// @param type  of the elements
[[nodiscard]] edit::TypeValue inferred_type(const Shapes& shapes, ValueId id, DataType type);

/// The same; of what is no tensor, and where the element type is not known, FLOAT of unknown rank.
[[nodiscard]] edit::TypeValue type_or_float(const Shapes& shapes, ValueId id);

}  // namespace trtcheck::subgraph
