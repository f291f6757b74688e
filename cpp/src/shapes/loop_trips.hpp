// How often the body of a Loop runs, where that is decided by its trip count alone.
#pragma once

#include <optional>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::shapes {

/// Looks through Identity nodes.
[[nodiscard]] ValueId source_of(const Model& model, ValueId value);

/// The only number of a tensor whose contents are known.
[[nodiscard]] inline std::optional<Dim> only_number(const ValueShape& shape) {
  return shape.is_known && shape.known.size() == 1 ? std::optional(shape.known[0]) : std::nullopt;
}

/// Nothing: the condition may end it, or the count is not known.
/// @param at  what is known of a value: ValueShape of ValueId
template <class At>
std::optional<Dim> loop_trips(const Model& model, const Node& loop, const Graph& body, const DimTable& dims,
                              const At& at) {
  const auto is_true = [&](ValueId id) {
    const std::optional<Dim> number = only_number(at(id));
    return number && number->is(1);
  };
  if (loop.input(1) && !is_true(loop.input(1))) return std::nullopt;
  if (!loop.input(0) || body.outputs.empty() || !body.outputs[0]) return std::nullopt;
  const bool hands_on = body.inputs.size() > 1 && source_of(model, body.outputs[0]) == body.inputs[1];
  if (!hands_on && !is_true(body.outputs[0])) return std::nullopt;
  const std::optional<Dim> limit = only_number(at(loop.input(0)));
  return limit && dims.bounds(*limit).low >= 0 ? limit : std::nullopt;
}

}  // namespace trtcheck::shapes
