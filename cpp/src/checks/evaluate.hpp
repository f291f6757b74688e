// Does the condition of a row hold for a node? Three-valued: what depends on sizes that are not known is unknown.
#pragma once

#include <string>

#include "checks/check_row.hpp"
#include "facts/node_facts.hpp"

namespace trtcheck::checks {

struct Outcome {
  Truth holds = Truth::unknown;
  /// It is unknown because something it asks about is not there: nothing is to be told.
  bool is_absent = false;
  /// It rests on a shape that the file declares and nobody computed.
  bool is_claimed = false;
  /// It rests on a size that is another one in TensorRT.
  bool differs = false;
};

/// @param tree  what `row.condition` points into
[[nodiscard]] Outcome evaluate(const Row& row, const NodeFacts& facts,
                               std::span<const Expression> tree = expressions());

/// The row's own message, filled in. @pre it has one
[[nodiscard]] std::string message(const Row& row, const NodeFacts& facts,
                                  std::span<const Expression> tree = expressions());

}  // namespace trtcheck::checks
