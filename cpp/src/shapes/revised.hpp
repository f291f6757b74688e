// Inference of a model that is not written yet: what nodes would read is asked for, node by node.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// What one node reads in place of a value.
struct Instead {
  ValueId value;
  std::optional<std::vector<Dim>> dims{};  ///< nothing: those of the value
  std::optional<std::vector<Dim>>
      contents{};  ///< of a vector; nothing: as `dims` is left out or not, those, or unknown
};

/// Asked before a node is inferred.
/// @param values  what is known up to there, by ValueId
using Revise = std::function<std::vector<Instead>(NodeId node, std::span<const ValueShape> values, DimTable& dims)>;

/// As `infer`, of the model with these changes.
[[nodiscard]] Shapes infer_revised(const Model& model, const InferOptions& options, const Revise& revise);

}  // namespace trtcheck
