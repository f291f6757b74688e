// What sequences and optionals hold, for those who write types down.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <trtcheck/shapes.hpp>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// The type of a sequence or an optional: what is true of every tensor in it.
struct HeldType {
  std::vector<ValueShape::Kind> holders{};  ///< outermost first
  DataType type = DataType::undefined;      ///< of the tensors
  DataType key = DataType::undefined;       ///< of a map around them
  bool has_rank = false;                    ///< all have the same
  /// When has_rank. Nothing where tensors may have different sizes, or an unknown one.
  std::vector<std::optional<Dim>> dims{};
};

/// Nothing where the value is something else, or its type is not known.
[[nodiscard]] std::optional<HeldType> held_type(const Shapes& shapes, ValueId id);

/// Output `to` of the node at hand is either of two values: it holds what both have in common.
void keep_common_elements(OpContext& op, ValueId a, ValueId b, ValueId to, std::string_view reason);

}  // namespace trtcheck::shapes
