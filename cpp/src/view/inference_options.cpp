#include "view/inference_options.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

namespace trtcheck {
namespace {

using DimsByInput = std::unordered_map<std::string_view, std::span<const DeclaredDim>>;

DimsByInput declared_dims(const Model& model) {
  DimsByInput made;
  for (ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    if (value.declared) made.try_emplace(value.name, model.type(value.declared).dims);
  }
  return made;
}

}  // namespace

InferOptions inference_options(const Model& model, const Target& target) {
  InferOptions options = infer_options(target);
  if (options.ranges.empty()) return options;
  const DimsByInput declared = declared_dims(model);
  std::map<std::string_view, Interval> by_name;
  for (int pass = 0; pass < 2; ++pass) {  // first gather the ranges of each name, then hand them out
    for (InputRange& range : options.ranges) {
      const auto found = declared.find(range.input);
      const auto dims = found == declared.end() ? std::span<const DeclaredDim>{} : found->second;
      for (std::size_t axis = 0; axis < dims.size() && axis < range.dims.size(); ++axis) {
        Interval& here = range.dims[axis];
        if (dims[axis].kind == DeclaredDim::Kind::value && dims[axis].value >= 0) {
          here = {dims[axis].value, dims[axis].value};
        } else if (dims[axis].kind == DeclaredDim::Kind::param) {
          Interval& hull = by_name.try_emplace(dims[axis].param, here).first->second;
          hull = {std::min(hull.low, here.low), std::max(hull.high, here.high)};
          here = pass == 0 ? here : hull;
        }
      }
    }
  }
  return options;
}

InferOptions symbolic_options(const Target& target) {
  InferOptions options;
  options.shape_functions = target.shape_functions;
  return options;
}

}  // namespace trtcheck
