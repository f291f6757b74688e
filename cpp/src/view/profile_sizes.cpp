#include "view/profile_sizes.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "bytes/sorted.hpp"
#include "dims/checked.hpp"

namespace trtcheck {

std::vector<DimTable::Binding> profile_sizes(const Model& model, const Shapes& shapes, const Target& target,
                                             std::vector<std::int64_t> ProfileInput::*point) {
  std::vector<DimTable::Binding> found;
  std::vector<DimTable::Binding> derived;
  if (target.profile.empty()) return found;
  const DimTable& dims = shapes.dims();
  const auto name_of = [&](ValueId id) { return model.value(id).name; };
  std::vector<ValueId> inputs(model.graph().inputs.begin(), model.graph().inputs.end());
  std::ranges::stable_sort(inputs, {}, name_of);
  for (const ProfileInput& profile : target.profile) {
    const std::vector<std::int64_t>& sizes = profile.*point;
    for (const ValueId input : equal_span(inputs, std::string_view(profile.name), name_of)) {
      const ValueShape& shape = shapes[input];
      if (shape.rank() != sizes.size()) continue;
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        const auto linear = dims.linear(shape.dims[axis]);
        if (!linear) continue;
        const auto rest = checked_sub(sizes[axis], linear->constant);
        if (!rest || int_mod(*rest, linear->factor) != 0) continue;
        const bool is_plain = linear->factor == 1 && linear->constant == 0;
        (is_plain ? found : derived).push_back({linear->name, int_floor_div(*rest, linear->factor)});
      }
    }
  }
  std::ranges::copy_if(derived, std::back_inserter(found), [](const auto& size) { return size.value >= 0; });
  std::ranges::stable_sort(found, {}, &DimTable::Binding::name);  // of several with one name the first one counts
  return found;
}

std::optional<std::int64_t> evaluate_at(const DimTable& dims, Dim dim, std::span<const DimTable::Binding> sizes) {
  if (dim.is_literal()) return dim.value();
  std::vector<DimTable::Binding> needed;
  for (const std::string_view symbol : dims.symbols(dim)) {
    const auto at = std::ranges::lower_bound(sizes, symbol, {}, &DimTable::Binding::name);
    if (at == sizes.end() || at->name != symbol) return std::nullopt;
    needed.push_back(*at);
  }
  return dims.evaluate(dim, needed);
}

}  // namespace trtcheck
