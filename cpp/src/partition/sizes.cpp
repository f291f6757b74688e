#include "partition/sizes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <trtcheck/layers.hpp>
#include <trtcheck/profile.hpp>

#include "view/profile_sizes.hpp"

namespace trtcheck::partitioning {

Sizes::Sizes(const Model& model, const Shapes& shapes, const subgraph::Uses& uses, Target target)
    : shapes_(&shapes), target_(std::move(target)), work_(uses.node_count()) {
  std::ranges::move(propose_profile(model, target_.profile), std::back_inserter(target_.profile));
  min_ = profile_sizes(model, shapes, target_, &ProfileInput::min);
  opt_ = profile_sizes(model, shapes, target_, &ProfileInput::opt);
  max_ = profile_sizes(model, shapes, target_, &ProfileInput::max);
  const std::vector<Layer> found = layers(model, shapes, target_);
  for (const Layer& layer : found) {
    const auto position = uses.position_of(layer.node);
    if (!position || !layer.work) continue;
    const auto number = evaluate_at(shapes.dims(), *layer.work, opt_);
    if (!number || *number < 0) continue;
    work_[*position] += static_cast<double>(*number);
    all_work_ += static_cast<double>(*number);
  }
  not_counted_ = to_string(trtcheck::not_counted(found, model));
}

std::optional<std::uint64_t> Sizes::bytes(ValueId id) const {
  const std::uint64_t bits = static_cast<std::uint64_t>(bits_of((*shapes_)[id].type));
  const auto sizes = dims(id, &ProfileInput::opt);
  if (!sizes || bits == 0) return std::nullopt;
  std::uint64_t elements = 1;
  for (const std::int64_t size : *sizes) {
    if (size < 0 || __builtin_mul_overflow(elements, static_cast<std::uint64_t>(size), &elements)) return std::nullopt;
  }
  std::uint64_t all_bits = 0;
  if (__builtin_mul_overflow(elements, bits, &all_bits) || all_bits > UINT64_MAX - 7) return std::nullopt;
  return (all_bits + 7) / 8;
}

std::optional<std::vector<std::int64_t>> Sizes::dims(ValueId id, Point point) const {
  const ValueShape& shape = (*shapes_)[id];
  if (!shape.has_rank) return std::nullopt;
  const auto& bindings = point == &ProfileInput::min ? min_ : point == &ProfileInput::opt ? opt_ : max_;
  std::vector<std::int64_t> made;
  for (const Dim dim : shape.dims) {
    const auto number = evaluate_at(shapes_->dims(), dim, bindings);
    if (!number) return std::nullopt;
    made.push_back(*number);
  }
  return made;
}

bool Sizes::is_dynamic(ValueId id) const {
  const ValueShape& shape = (*shapes_)[id];
  return !shape.has_rank || std::ranges::any_of(shape.dims, [](Dim dim) { return !dim.is_literal(); });
}

PartitionOutcome Sizes::outcome(const Cut& made) const {
  PartitionOutcome outcome;
  std::vector<std::uint32_t> all;
  for (const CutPiece& piece : made.pieces) {
    if (piece.fate != CutPiece::Fate::runs) continue;
    ++outcome.engines;
    all.insert(all.end(), piece.positions.begin(), piece.positions.end());
  }
  outcome.nodes = all.size();
  outcome.share = share(all);
  return outcome;
}

}  // namespace trtcheck::partitioning
