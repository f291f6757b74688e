#include "view/read_as_data.hpp"

#include "model/walk.hpp"

namespace trtcheck {

bool is_read_as_data(const Model& model, ValueId value) {
  constexpr std::size_t kMostValues = 64;
  const Walked end = walk<kMostValues>(value, [&](ValueId id, auto& onward) {
    if (model.value(id).is_output) return true;
    for (const Use& use : model.value(id).users) {
      const Node& reader = model.node(use.node);
      if (reader.op_type == "Shape" || reader.op_type == "Size") continue;
      // What a graph inside reads is read.
      if (reader.outputs.empty() || reader.call() || reader.graph != model.value(id).graph) return true;
      onward.add(reader.outputs);
    }
    return false;
  });
  return end != Walked::nowhere;
}

}  // namespace trtcheck
