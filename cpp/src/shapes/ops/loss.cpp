// Losses: scores [N,C,d1,...] against labels [N,d1,...], with one weight per class.
#include <fmt/core.h>

#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::size_t kScores = 0;
constexpr std::size_t kLabels = 1;
constexpr std::size_t kWeights = 2;

/// The shape of the labels, as far as scores and labels say it; nothing when neither has a rank or they conflict.
std::optional<DimVector> labelled(OpContext& op) {
  const bool has_labels = op.has_rank(kLabels);
  if (!op.has_rank(kScores)) {
    if (!has_labels) return std::nullopt;
    return DimVector(op.in(kLabels).dims.begin(), op.in(kLabels).dims.end());
  }
  const std::size_t rank = op.rank(kScores);
  if (rank < 2) {
    op.conflict(fmt::format("scores have rank {}, at least 2 is required", rank), op.node().input(kScores));
    return std::nullopt;
  }
  if (has_labels && op.rank(kLabels) != rank - 1) {
    op.conflict(fmt::format("scores have rank {}, labels {}: one less is required", rank, op.rank(kLabels)),
                op.node().input(kLabels));
    return std::nullopt;
  }
  DimVector out;
  for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
    const Dim of_scores = op.dim(kScores, axis == 0 ? 0 : axis + 1);
    out.push_back(has_labels ? agreed(op, of_scores, op.dim(kLabels, axis), "each score has a label") : of_scores);
  }
  return out;
}

void set_loss(OpContext& op) {
  const std::optional<DimVector> labels = labelled(op);
  if (op.has_rank(kWeights) && op.rank(kWeights) == 1 && op.has_rank(kScores) && op.rank(kScores) >= 2) {
    (void)op.require_equal(op.dim(kWeights, 0), op.dim(kScores, 1), "there is one weight per class");
  }
  if (op.attr_string("reduction", "mean") != "none") {
    op.set(0, op.type(kScores), {});
  } else if (labels) {
    op.set(0, op.type(kScores), *labels);
  } else {
    op.set_type(0, op.type(kScores), {});
  }
}

}  // namespace

void infer_negative_log_likelihood_loss(OpContext& op) { set_loss(op); }

void infer_softmax_cross_entropy_loss(OpContext& op) {
  set_loss(op);
  if (op.has_output(1)) op.set_like(1, kScores);
}

}  // namespace trtcheck::shapes
