// What a file declares, in the words of edits.
#pragma once

#include <string>
#include <variant>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::edit {

[[nodiscard]] inline DimValue as_declared(const DeclaredDim& dim) {
  if (dim.kind == DeclaredDim::Kind::value) return dim.value;
  if (dim.kind == DeclaredDim::Kind::param) return std::string(dim.param);
  return std::monostate{};
}

}  // namespace trtcheck::edit
