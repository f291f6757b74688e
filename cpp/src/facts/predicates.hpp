// Questions of conditions that take a program: about the branches of an If, the body of a Loop, the equation of an
// Einsum. docs/adding-a-fact.md says when to write one.
#pragma once

#include <cstdint>

#include "facts/value.hpp"
#include "view/node_view.hpp"

namespace trtcheck::facts {

/// A node, and what was noticed while a predicate looked at it.
struct Question {
  const NodeView& view;
  bool is_absent = false;   ///< something it asks about is not there
  bool is_claimed = false;  ///< it rests on a shape that the file declares and nobody computed
};

/// @param index  of a line of predicates.inc
[[nodiscard]] Value answer(std::uint16_t index, Question& question);

}  // namespace trtcheck::facts
