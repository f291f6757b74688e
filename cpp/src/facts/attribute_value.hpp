// Attributes as conditions see them.
#pragma once

#include "facts/value.hpp"
#include "view/node_view.hpp"

namespace trtcheck::facts {

/// Its value; the element type of a tensor. Unknown for graphs, and where a function's caller gives it.
[[nodiscard]] Value attribute_value(const ModelView& view, const Attribute& given);

/// What the release makes of an element type that an attribute names, or of a tensor of that type.
[[nodiscard]] Value network_type_named(const ModelView& view, const Value& named);

}  // namespace trtcheck::facts
