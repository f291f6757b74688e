#include "facts/inference_options.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace trtcheck {
namespace {

std::span<const DeclaredDim> declared_dims(const Model& model, std::string_view input) {
  for (ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    if (value.name == input && value.declared) return model.type(value.declared).dims;
  }
  return {};
}

}  // namespace

InferOptions inference_options(const Model& model, const Target& target) {
  InferOptions options = infer_options(target);
  std::map<std::string_view, Interval> by_name;
  for (int pass = 0; pass < 2; ++pass) {  // first gather the ranges of each name, then hand them out
    for (InputRange& range : options.ranges) {
      const auto dims = declared_dims(model, range.input);
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

}  // namespace trtcheck
