#include "view/norm_view.hpp"

#include <algorithm>

#include "target/gates.hpp"
#include "view/extents.hpp"

namespace trtcheck {

NormView norm_view(const ModelView& view, const Node& node) {
  NormView norm;
  norm.data = node.input(0);
  norm.all_constant = true;
  for (std::size_t i = 0; i < norm.parameters.size(); ++i) {
    const ValueId value = node.input(i + 1);
    norm.parameters[i] = value;
    norm.counts[i] = element_count(view.shape(value));
    norm.all_constant = norm.all_constant && value && view.parser.is_constant(value) == Truth::yes;
  }
  return norm;
}

std::size_t counted_outputs(const Node& node, const ReleaseView& release) {
  if (!release.has(gates::unnamed_outputs_not_counted)) return node.outputs.size();
  return static_cast<std::size_t>(
      std::ranges::count_if(node.outputs, [](ValueId id) { return static_cast<bool>(id); }));
}

}  // namespace trtcheck
