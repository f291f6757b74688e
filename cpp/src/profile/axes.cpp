#include "profile/axes.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/core.h>

namespace trtcheck::profiles {
namespace {

Axis kind_of(std::size_t axis, std::size_t rank) {
  if (axis == 0) return Axis::batch;
  if (rank < 4 || axis < 2) return Axis::other;
  return rank == 4 ? Axis::space : Axis::volume;
}

}  // namespace

OpenInputs::OpenInputs(const Model& model, const Shapes& shapes) : shapes_(&shapes) {
  for (const ValueId id : model.graph().inputs) {
    if (!model.is_network_input(id)) continue;
    const Value& value = model.value(id);
    const ValueShape& shape = shapes[id];
    if (!shape.has_rank) {
      shapeless_.emplace_back(value.name);
      continue;
    }
    if (std::ranges::all_of(shape.dims, &Dim::is_literal)) continue;
    inputs_by_name_.emplace(value.name, inputs_.size());
    inputs_.push_back({value.name, shape.dims});
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      const std::string place = fmt::format("axis {} of `{}`", axis, value.name);
      for (const std::string_view symbol : shapes.dims().symbols(shape.dims[axis])) {
        OpenDim* dim = find(symbol);
        if (dim == nullptr) {
          dim = &dims_.emplace_back();
          dim->name = symbol;
          dim->kind = kind_of(axis, shape.rank());
          places_.emplace(symbol, dims_.size() - 1);
        }
        if (dim->axes.empty() || dim->axes.back() != place) dim->axes.push_back(place);
      }
    }
  }
}

std::optional<std::size_t> OpenInputs::place_of(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

OpenDim* OpenInputs::find(std::string_view name) {
  const auto place = place_of(name);
  return place ? &dims_[*place] : nullptr;
}

void OpenInputs::take(const ProfileInput& given) {
  const auto [first, last] = inputs_by_name_.equal_range(given.name);
  for (auto at = first; at != last; ++at) {
    const Input& input = inputs_[at->second];
    if (input.dims.size() != given.opt.size()) continue;
    for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
      OpenDim* dim = find(shapes_->dims().text(input.dims[axis]));
      if (dim == nullptr || !dim->given_by.empty()) continue;
      dim->allowed = {given.min[axis], given.max[axis]};
      dim->wanted_opt = given.opt[axis];
      dim->given_by = fmt::format("the profile of `{}`", given.name);
    }
  }
}

std::vector<DimTable::Binding> OpenInputs::bindings(const Sizes& sizes) const {
  std::vector<DimTable::Binding> made;
  for (std::size_t i = 0; i < sizes.size(); ++i) made.push_back({dims_[i].name, sizes[i]});
  return made;
}

std::vector<std::int64_t> OpenInputs::extents(const Input& input, const Sizes& sizes) const {
  std::vector<std::int64_t> made;
  for (const Dim dim : input.dims) {
    std::vector<DimTable::Binding> known;
    for (const std::string_view symbol : shapes_->dims().symbols(dim)) {
      if (const auto place = place_of(symbol)) known.push_back({symbol, sizes[*place]});
    }
    // A placeholder of the file that no name stands for, or an expression that comes out as nothing: one element.
    made.push_back(std::max<std::int64_t>(shapes_->dims().evaluate(dim, known).value_or(1), 0));
  }
  return made;
}

std::vector<ProfileInput> OpenInputs::with(const Sizes& min, const Sizes& opt, const Sizes& max,
                                           std::span<const ProfileInput> given) const {
  std::unordered_set<std::string_view> done;
  for (const ProfileInput& input : given) done.insert(input.name);
  std::vector<ProfileInput> made;
  for (const Input& input : inputs_) {
    if (done.contains(input.name)) continue;
    made.push_back({std::string(input.name), extents(input, min), extents(input, opt), extents(input, max)});
  }
  return made;
}

}  // namespace trtcheck::profiles
