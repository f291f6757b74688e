// What is known before any node runs: graph inputs, initializers, declared types.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shapes/assume.hpp"
#include "shapes/assumed_sizes.hpp"
#include "shapes/claims.hpp"
#include "shapes/infer.hpp"
#include "shapes/known_values.hpp"

namespace trtcheck::shapes {

namespace {

/// What was given, by the name of the input; of one name the first counts.
using Ranges = std::unordered_map<std::string_view, const InputRange*>;

Ranges ranges_by_input(const InferState& state) {
  Ranges made;
  for (const InputRange& range : state.options.ranges) made.try_emplace(range.input, &range);
  return made;
}

const InputRange* range_of(const Ranges& ranges, std::string_view input) {
  const auto found = ranges.find(input);
  return found == ranges.end() ? nullptr : found->second;
}

std::string interval_text(Interval range) {
  return range.low == range.high ? fmt::format("{}", range.low) : fmt::format("{}..{}", range.low, range.high);
}

[[noreturn]] void refuse(std::string_view input, std::string cause) {
  throw Error(fmt::format("range of `{}`", input), std::move(cause));
}

void check_ranges(const InferState& state) {
  if (state.options.ranges.empty()) return;
  std::unordered_map<std::string_view, std::vector<ValueId>> inputs;
  for (const ValueId id : state.model.graph().inputs) inputs[state.model.value(id).name].push_back(id);
  for (const InputRange& range : state.options.ranges) {
    bool found = false;
    for (const ValueId id : inputs[range.input]) {
      const Value& value = state.model.value(id);
      if (value.initializer) refuse(range.input, "it has an initializer, which makes it a constant");
      found = true;
      if (!value.declared) continue;
      const Type& type = state.model.type(value.declared);
      if (type.has_shape && type.dims.size() != range.dims.size()) {
        refuse(range.input, fmt::format("{} axes, the input has {}", range.dims.size(), type.dims.size()));
      }
    }
    if (!found) refuse(range.input, "the model has no such input");
    for (const Interval& dim : range.dims) {
      if (dim.low < 0 || dim.low > dim.high)
        refuse(range.input, fmt::format("{} is no range of sizes", interval_text(dim)));
    }
  }
}

bool is_plain_name(std::string_view text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') &&
         std::all_of(text.begin(), text.end(), is_word);
}

/// Ranges by the name of the size, in the order in which they came.
class NamedRanges {
 public:
  /// What the range of a name is after it met another one; nothing: no size is left.
  [[nodiscard]] std::optional<Interval> met(std::string_view name, Interval wanted) const {
    const auto place = places_.find(name);
    if (place == places_.end()) return wanted;
    const Interval known = ranges_[place->second].second;
    const Interval both{std::max(known.low, wanted.low), std::min(known.high, wanted.high)};
    return both.low <= both.high ? std::optional(both) : std::nullopt;
  }
  void put(std::string_view name, Interval range) {
    const auto [place, is_new] = places_.try_emplace(std::string(name), ranges_.size());
    if (is_new) ranges_.emplace_back(name, Interval{});
    ranges_[place->second].second = range;
  }
  void tell(DimTable& dims) const {
    for (const auto& [name, range] : ranges_) dims.set_range(name, range);
  }

 private:
  std::vector<std::pair<std::string, Interval>> ranges_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

/// One name on several axes: the ranges have to meet. An axis that is an expression over one size (`4*h`) says what
/// that size may be, where this does not contradict what the others say.
void bound_names(InferState& state, const Ranges& ranges) {
  NamedRanges names;
  std::vector<std::pair<std::string_view, Interval>> expressions;
  for (const ValueId id : state.model.graph().inputs) {
    const Value& value = state.model.value(id);
    const InputRange* range = range_of(ranges, value.name);
    if (range == nullptr || !value.declared) continue;
    const Type& type = state.model.type(value.declared);
    for (std::size_t axis = 0; axis < type.dims.size() && axis < range->dims.size(); ++axis) {
      const DeclaredDim& dim = type.dims[axis];
      const Interval wanted = range->dims[axis];
      if (dim.kind != DeclaredDim::Kind::param) continue;
      const std::optional<Interval> both = names.met(dim.param, wanted);
      if (!both) {
        refuse(value.name, fmt::format("axis {}: {} leaves no size for `{}`", axis, interval_text(wanted), dim.param));
      }
      names.put(dim.param, *both);
      if (!is_plain_name(dim.param)) expressions.emplace_back(dim.param, *both);
    }
  }
  DimTable scratch;
  for (const auto& [param, range] : expressions) {
    const std::optional<SizeRange> size = size_of_axis(scratch, param, range);
    if (!size || !size->is_derived) continue;
    if (const auto both = names.met(size->name, size->range)) names.put(size->name, *both);
  }
  names.tell(state.result.dims);
}

Dim input_dim(InferState& state, const Value& value, const DeclaredDim& dim, std::size_t axis,
              const InputRange* range) {
  DimTable& dims = state.result.dims;
  const std::optional<Interval> wanted = range != nullptr ? std::optional(range->dims[axis]) : std::nullopt;
  if (dim.kind == DeclaredDim::Kind::param) {
    const Dim made = dims.parse(dim.param);
    const bool is_of_several = wanted && !made.is_literal() && !dims.linear(made);
    if (is_of_several) dims.narrow(made, *wanted);
    return made;
  }
  if (dim.kind == DeclaredDim::Kind::value && dim.value >= 0) {
    if (wanted && (dim.value < wanted->low || dim.value > wanted->high)) {
      refuse(value.name, fmt::format("axis {} is {} in the model, not {}", axis, dim.value, interval_text(*wanted)));
    }
    return dims.literal(dim.value);
  }
  return dims.symbol(fmt::format("{}.dim{}", value.name, axis), wanted.value_or(Interval{1, Interval::kMax}));
}

ValueShape shape_of_tensor(InferState& state, const Tensor& tensor) {
  ValueShape shape;
  shape.kind = ValueShape::Kind::tensor;
  shape.type = tensor.type;
  DimVector dims;
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0) {
      shape.reason = "the initializer has a negative dim";
      return shape;
    }
    dims.push_back(state.result.dims.literal(dim));
  }
  shape.has_rank = true;
  shape.dims = state.result.arena.copy(dims);
  return shape;
}

}  // namespace

Dim claimed_dim(InferState& state, const DeclaredDim& dim, std::size_t axis, std::string_view reason) {
  DimTable& dims = state.result.dims;
  if (dim.kind == DeclaredDim::Kind::value && dim.value >= 0) return dims.literal(dim.value);
  if (dim.kind != DeclaredDim::Kind::param)
    return dims.unknown({Origin::kNone, static_cast<std::int32_t>(axis), reason});
  // Unlike the axes of a graph input, a computed size may be zero.
  return is_plain_name(dim.param) ? dims.symbol(dim.param, {0, Interval::kMax}) : dims.parse(dim.param);
}

ValueShape declared_shape(InferState& state, const Type& type, std::string_view reason) {
  ValueShape shape;
  switch (type.kind) {
    case Type::Kind::sequence:
    case Type::Kind::optional: {
      shape.kind = type.kind == Type::Kind::sequence ? ValueShape::Kind::sequence : ValueShape::Kind::optional;
      if (type.inner) shape.type = state.model.type(type.inner).element;
      return shape;
    }
    case Type::Kind::map:
      shape.kind = ValueShape::Kind::map;
      return shape;
    case Type::Kind::tensor:
    case Type::Kind::sparse_tensor:
      break;
    case Type::Kind::none:
    case Type::Kind::opaque:
      shape.reason = "declared without a type";
      return shape;
  }
  shape.kind = ValueShape::Kind::tensor;
  shape.type = type.element;
  shape.reason = reason;
  if (!type.has_shape) return shape;
  DimVector dims;
  for (std::size_t axis = 0; axis < type.dims.size(); ++axis)
    dims.push_back(claimed_dim(state, type.dims[axis], axis, reason));
  shape.has_rank = true;
  shape.reason = {};
  shape.dims = state.result.arena.copy(dims);
  return shape;
}

void infer_main_inputs(InferState& state) {
  check_ranges(state);
  const Ranges ranges = ranges_by_input(state);
  bound_names(state, ranges);
  take_assumptions(state);
  for (const ValueId id : state.model.graph().inputs) {
    const Value& value = state.model.value(id);
    if (value.initializer) continue;
    if (!value.declared) {
      state.at(id).reason = "the graph input is declared without a type";
      continue;
    }
    const Type& type = state.model.type(value.declared);
    if (type.kind != Type::Kind::tensor || !type.has_shape) {
      state.at(id) = declared_shape(state, type, "the graph input is declared without a shape");
      continue;
    }
    const InputRange* range = range_of(ranges, value.name);
    DimVector dims;
    for (std::size_t axis = 0; axis < type.dims.size(); ++axis) {
      dims.push_back(input_dim(state, value, type.dims[axis], axis, range));
    }
    ValueShape shape;
    shape.kind = ValueShape::Kind::tensor;
    shape.type = type.element;
    shape.has_rank = true;
    shape.dims = state.result.arena.copy(dims);
    state.at(id) = shape;
  }
}

void infer_initializers(InferState& state) {
  for (std::uint32_t index = 0; index < state.model.value_count(); ++index) {
    const ValueId id{index};
    const Value& value = state.model.value(id);
    if (!value.initializer || value.producer) continue;
    state.at(id) = shape_of_tensor(state, state.model.tensor(value.initializer));
    if (value.declared && value.is_input) check_claim(state, id, "stored");
    if (!state.model.constant(id)) continue;  // a parameter of a body: fed when the body runs
    state.result.folds[index] = true;
    if (is_countable(state.at(id).type)) decode_known(state, id);
  }
}

}  // namespace trtcheck::shapes
