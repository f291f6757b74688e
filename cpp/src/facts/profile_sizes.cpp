#include "facts/profile_sizes.hpp"

namespace trtcheck {

std::vector<DimTable::Binding> profile_sizes(const Model& model, const Shapes& shapes, const Target& target,
                                             std::vector<std::int64_t> ProfileInput::*point) {
  std::vector<DimTable::Binding> found;
  const DimTable& dims = shapes.dims();
  for (const ProfileInput& profile : target.profile) {
    const std::vector<std::int64_t>& sizes = profile.*point;
    for (const ValueId input : model.graph().inputs) {
      const ValueShape& shape = shapes[input];
      if (model.value(input).name != profile.name || shape.rank() != sizes.size()) continue;
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        const auto symbols = dims.symbols(shape.dims[axis]);
        if (symbols.size() == 1 && dims.text(shape.dims[axis]) == symbols[0])
          found.push_back({symbols[0], sizes[axis]});
      }
    }
  }
  return found;
}

}  // namespace trtcheck
