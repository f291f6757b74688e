// Two sizes that have to be the same, with a message that names both counts.
#pragma once

#include <string>
#include <string_view>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

/// Proven unequal: a conflict with the text of `message()`. Unproved: an obligation with `why`.
template <class Message>
bool agree(OpContext& op, Dim a, Dim b, std::string_view why, ValueId value, int axis, Message message) {
  if (a.same(b)) return true;
  if (op.dims().equal(a, b) != Truth::no) return op.require_equal(a, b, why);
  op.conflict(message(), value, axis);
  return false;
}

/// The dims of an input, or `rank` fresh unknowns when its rank is not known. Nothing when the rank differs
/// (the conflict is recorded).
std::optional<DimVector> dims_of_rank(OpContext& op, std::size_t input, std::size_t rank);

}  // namespace trtcheck::shapes
