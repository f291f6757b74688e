// All that is found about the nodes of a main graph, and where it is cut.
#pragma once

#include <cstddef>

#include <trtcheck/partition.hpp>

#include "partition/bodies.hpp"
#include "partition/cut.hpp"
#include "partition/refusals.hpp"
#include "partition/sizes.hpp"
#include "subgraph/uses.hpp"

namespace trtcheck::partitioning {

/// @pre the model and the options outlive it
struct Partitioned {
  /// @param bodies_left  how many bodies may still be asked about by themselves
  /// @param is_body      the model is a body: its inputs and outputs are none of a session
  /// @throws Error  an option makes no sense, or the profile does not fit the model
  Partitioned(const Model& model, const PartitionOptions& options, std::size_t& bodies_left, bool is_body = false);
  /// `asked` holds references.
  Partitioned(const Partitioned&) = delete;
  Partitioned& operator=(const Partitioned&) = delete;

  Shapes shapes;
  subgraph::Uses uses;
  Line line;
  Asked asked;
  Sizes sizes;
  AskedBodies bodies;
  Refusals found;
  CutRules rules;
  bool nothing_runs;  ///< an error of no node, or no session is made
  Cut made;
};

}  // namespace trtcheck::partitioning
