// For cures that change what the file declares and stores of a value.
#pragma once

#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {

/// The declared dims, or those that are known where none are declared, with another element type.
[[nodiscard]] edit::TypeValue declaration(const Draft& draft, ValueId id, DataType element);

/// An input of the network, of another type than INT32 and INT64, that says sizes or places to the node: no Cast behind
/// it helps.
[[nodiscard]] bool is_fed_shape(const Draft& draft, ValueId input);

/// A tensor of the file, an initializer or in an attribute.
[[nodiscard]] std::optional<Constant> tensor_contents(const Model& model, TensorId id);
[[nodiscard]] edit::TensorValue tensor_value(const Constant& constant);

}  // namespace trtcheck::cure
