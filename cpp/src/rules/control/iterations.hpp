// On which loops around it a value depends, found in one walk through all graphs that are executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "rules/rule_context.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::rules {

/// One bit for each loop around a value: its iterations decide the value. The outermost one is bit 0.
using Loops = std::uint64_t;

/// Where a node stands.
struct Surroundings {
  GraphId graph;
  NodeId loop;            ///< the innermost Loop or Scan around it; none: there is none
  std::size_t loops = 0;  ///< how many are around it
  NodeId branch_of;       ///< the undecided If whose branch the graph is; none: it is no such branch
};

[[nodiscard]] inline bool is_loop(const Node& node) { return is_a(node.op_type, kinds::loop); }

/// The values that a Loop or a Scan carries: their first values are `node.input(first_input + i)`, and what an
/// iteration makes of them is `body.outputs[first_output + i]`. The outputs behind them are stacked.
struct CarriedValues {
  std::size_t first_input = 0;
  std::size_t first_output = 0;
  std::size_t count = 0;
};
[[nodiscard]] CarriedValues carried_values(const Node& node);

/// Calls `visit` for each node, in execution order, those of a body before the node that has it.
void walk_iterations(const RuleContext& context,
                     const std::function<void(NodeId, Loops depends, const Surroundings& where)>& visit);

}  // namespace trtcheck::rules
