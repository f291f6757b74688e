// For cures that change what the file declares and stores of a value.
#pragma once

#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {

/// The declared dims, or those that are known where none are declared, with another element type.
[[nodiscard]] edit::TypeValue declaration(const Draft& draft, ValueId id, DataType element);

/// A tensor of the file, an initializer or in an attribute.
[[nodiscard]] std::optional<Constant> tensor_contents(const Model& model, TensorId id);
[[nodiscard]] edit::TensorValue tensor_value(const Constant& constant);

}  // namespace trtcheck::cure
