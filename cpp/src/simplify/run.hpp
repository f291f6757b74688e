// Simplifies a model that consists of pieces of a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/simplify.hpp>

#include "cure/state.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::simplifying {

struct Outcome {
  edit::Pieces pieces;  ///< of the simplified model
  std::unique_ptr<Model> model;
  ModelCounts before;
  ModelCounts after;
  std::vector<Simplification> applied;
  std::vector<std::string> left;
};

/// @throws Error  an option makes no sense, sizes contradict the model
[[nodiscard]] Outcome run(const cure::SourceFile& origin, edit::Pieces pieces, const SimplifyOptions& options);

}  // namespace trtcheck::simplifying
