#include "view/measured.hpp"

#include <string_view>

namespace trtcheck {

Measured::Measured(const Model& model, const Ranges* ranges) {
  if (ranges == nullptr) return;
  std::unordered_map<std::string_view, const MeasuredTensor*> by_name;
  for (const MeasuredTensor& tensor : ranges->tensors) by_name.emplace(tensor.name, &tensor);
  const auto add = [&](ValueId value) {
    if (!value) return;
    if (const auto found = by_name.find(model.value(value).name); found != by_name.end()) {
      by_value_.emplace(value.index, found->second);
    }
  };
  for (const ValueId input : model.graph().inputs) add(input);
  for (const NodeId id : model.graph().order) {
    for (const ValueId output : model.node(id).outputs) add(output);
  }
}

const MeasuredTensor* Measured::of(ValueId value) const {
  const auto found = by_value_.find(value.index);
  return found == by_value_.end() ? nullptr : found->second;
}

}  // namespace trtcheck
