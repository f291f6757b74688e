#include "view/read_as_data.hpp"

#include <string_view>
#include <unordered_set>
#include <vector>

namespace trtcheck {

bool is_read_as_data(const Model& model, ValueId value) {
  constexpr std::size_t kMostValues = 64;
  std::vector<ValueId> queue{value};
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (next == kMostValues) return true;
    const ValueId id = queue[next];
    if (!id || !seen.insert(id.index).second) continue;
    if (model.value(id).is_output) return true;
    for (const Use& use : model.value(id).users) {
      const Node& reader = model.node(use.node);
      if (reader.op_type == "Shape" || reader.op_type == "Size") continue;
      // What a graph inside reads is read.
      if (reader.outputs.empty() || reader.call() || reader.graph != model.value(id).graph) return true;
      queue.insert(queue.end(), reader.outputs.begin(), reader.outputs.end());
    }
  }
  return false;
}

}  // namespace trtcheck
