// Attributes, types and names as conditions and messages see them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "facts/value.hpp"
#include "view/node_view.hpp"

namespace trtcheck::facts {

/// Its value; the element type of a tensor. Unknown for graphs, and where a function's caller gives it.
[[nodiscard]] Value attribute_value(const ModelView& view, const Attribute& given);

/// What the release makes of an element type that an attribute names, or of a tensor of that type.
[[nodiscard]] Value network_type_named(const ModelView& view, const Value& named);

/// "INT8" of what comes out of a DequantizeLinear that reads such codes, perhaps through layers that commute with it;
/// "" = it comes out of none.
[[nodiscard]] std::string_view type_of_codes(const ModelView& view, ValueId value);

/// Of the node, the release or the GPU; nothing: `op` is no such name.
[[nodiscard]] std::optional<std::string> text_of_name(Op op, const NodeView& node);

}  // namespace trtcheck::facts
