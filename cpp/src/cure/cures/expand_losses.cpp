// Losses, spelt out.
#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {
namespace {

using Name = Writer::Name;

/// The loss of the class of each sample, from logarithms of probabilities [samples, classes, ...].
bool write_loss(Writer& w, const Name& logarithms, DataType type, std::size_t rank) {
  Draft& draft = w.draft();
  const std::optional<DataType> label_type = draft.type(draft.node().input(1));
  if (!label_type) return draft.refuse("the element type of the labels is not known");
  const bool has_weights = static_cast<bool>(draft.node().input(2));
  const bool ignores = draft.node().attribute("ignore_index") != nullptr;

  Name labels = draft.in(1);
  Name is_ignored;
  if (ignores) {
    const auto ignored = static_cast<double>(draft.int_attribute("ignore_index", 0));
    is_ignored = w.op("Equal", {labels, draft.scalar(ignored, *label_type, "ignored")});
    labels = w.where(is_ignored, draft.scalar(0, *label_type, "zero"), labels);
  }
  const Name picked = w.op("GatherElements", {logarithms, w.unsqueeze(labels, {1})}, {{"axis", std::int64_t{1}}});
  Name loss = w.op("Neg", {w.squeeze(picked, {1})});
  Name weights;
  const Name zero = ignores ? draft.scalar(0, type, "zero") : Name();
  if (has_weights) weights = w.gather(draft.in(2), labels, 0);
  if (ignores) weights = w.where(is_ignored, zero, has_weights ? weights : draft.scalar(1, type, "one"));
  if (!weights.empty()) loss = w.mul(loss, weights);

  const std::string reduction = draft.text_attribute("reduction", "mean");
  const Writer::Ints all = counted(0, static_cast<std::int64_t>(rank) - 1);
  if (reduction == "sum") {
    loss = w.reduce("ReduceSum", loss, all, false);
  } else if (reduction == "mean") {
    loss = weights.empty() ? w.reduce("ReduceMean", loss, all, false)
                           : w.div(w.reduce("ReduceSum", loss, all, false), w.reduce("ReduceSum", weights, all, false));
  }
  draft.becomes(0, loss);
  return true;
}

bool loss(Writer& w, bool has_softmax) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank || *rank < 2) return draft.refuse("the rank of the scores is not known");
  Name logarithms = draft.in(0);
  if (has_softmax) {
    // As Softmax does it: nothing overflows below the largest one.
    const Name below = w.sub(logarithms, w.reduce("ReduceMax", logarithms, {1}, true));
    logarithms = w.sub(below, w.op("Log", {w.reduce("ReduceSum", w.op("Exp", {below}), {1}, true)}));
  }
  if (!write_loss(w, logarithms, *type, *rank)) return false;
  if (draft.node().output(1)) draft.becomes(1, logarithms);
  return true;
}

bool negative_log_likelihood(Writer& w) { return loss(w, false); }
bool softmax_cross_entropy(Writer& w) { return loss(w, true); }

constexpr Expansion kExpandLosses[] = {{.op = "NegativeLogLikelihoodLoss", .write = negative_log_likelihood},
                                       {.op = "SoftmaxCrossEntropyLoss", .write = softmax_cross_entropy}};

}  // namespace

std::span<const Expansion> loss_expansions() noexcept { return kExpandLosses; }

}  // namespace trtcheck::cure
