// A size as Python has it: a number, or an object that says what it depends on.
#pragma once

#include <cstdint>
#include <variant>

#include "owners.hpp"

namespace trtcheck::python {

/// A dim that is no number.
struct SymbolicDim {
  ShapesPtr owner;
  Dim dim;
};
using AnyDim = std::variant<std::int64_t, SymbolicDim>;

inline AnyDim any_dim(const ShapesPtr& owner, Dim dim) {
  if (dim.is_literal()) return dim.value();
  return SymbolicDim{owner, dim};
}

}  // namespace trtcheck::python
