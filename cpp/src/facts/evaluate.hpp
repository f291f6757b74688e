// Does the condition of a fact hold for a node? Three-valued: what depends on sizes that are not known is unknown.
#pragma once

#include <string>

#include "facts/fact.hpp"
#include "view/node_view.hpp"

namespace trtcheck::facts {

struct Outcome {
  Truth holds = Truth::unknown;
  /// It is unknown because something it asks about is not there: nothing is to be told.
  bool is_absent = false;
  /// It rests on a shape that the file declares and nobody computed.
  bool is_claimed = false;
  /// It rests on a size that is another one in TensorRT.
  bool differs = false;
};

/// @param tree  what `fact.condition` points into
[[nodiscard]] Outcome evaluate(const Fact& fact, const NodeView& view,
                               std::span<const Expression> tree = expressions());

/// The fact's own message, filled in. @pre it has one
[[nodiscard]] std::string message(const Fact& fact, const NodeView& view,
                                  std::span<const Expression> tree = expressions());

}  // namespace trtcheck::facts
