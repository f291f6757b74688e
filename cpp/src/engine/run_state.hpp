// What one run holds behind every RuleContext. Included by the runner and rule_context.cpp only.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/gathering.hpp"
#include "engine/parts.hpp"
#include "rules/extremes.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct RuleContext::Run {
  /// @param executed  nodes that all releases run
  Run(const engine::Run& what, std::span<const TrtVersion> releases, std::vector<NodeId> executed,
      std::span<const engine::Listing* const> listings, engine::WeakShapes& weak);

  [[nodiscard]] static const Run& of(const RuleContext& context) noexcept { return *context.run_; }

  /// The rule's turn, for releases that are alike in what it asks.
  void turn_to(const Rule& asking, engine::ReleaseSet turn, Asks asks) {
    rule = &asking;
    const std::size_t first = engine::first_of(turn);
    view.release.turn_to(releases[first], asking.gates, asks);
    if (turn == part) return;  // nearly always
    part = turn;
    view.operators.turn_to(first);
    findings.turn_to(part);
  }

  Target target;  ///< without its release
  std::span<const TrtVersion> releases;
  TensorView tensors;
  std::vector<NodeId> nodes;  ///< see RuleContext::nodes
  ModelView view;
  engine::Partition partition;
  engine::Gathering findings;
  const Rule* rule = nullptr;                ///< whose turn it is
  engine::ReleaseSet part = 0;               ///< for which releases
  NodeId node;                               ///< none during a rule about the whole model
  std::optional<ConvView> conv;              ///< of `node`, once a rule asked
  mutable std::optional<Extremes> extremes;  ///< once a rule asked
  /// Indices of nodes and of conflicts at them, sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicts;
  engine::WeakShapes& weak;  ///< made when the first rule asks
};

}  // namespace trtcheck::rules
