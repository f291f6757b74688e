// What one run holds behind every RuleContext. Included by the runner and rule_context.cpp only.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/gathering.hpp"
#include "rules/rule_context.hpp"
#include "target/release_span.hpp"

namespace trtcheck::rules {

struct RuleContext::Run {
  Run(const Model& model, const Shapes& shapes, const Target& target, const engine::Selection& selection,
      const engine::Listing& listing, engine::WeakShapes& weak, const NumberSources& numbers);

  [[nodiscard]] static const Run& of(const RuleContext& context) noexcept { return *context.run_; }

  TensorView tensors;
  ReleaseSpan same_nodes;     ///< releases that execute these nodes
  std::vector<NodeId> nodes;  ///< see RuleContext::nodes
  ModelView view;
  engine::Gathering findings;
  const Rule* rule = nullptr;    ///< whose turn it is
  NodeId node;                   ///< none during a rule about the whole model
  std::optional<ConvView> conv;  ///< of `node`, once a rule asked
  /// Indices of nodes and of conflicts at them, sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicts;
  engine::WeakShapes& weak;  ///< made when the first rule asks
};

}  // namespace trtcheck::rules
