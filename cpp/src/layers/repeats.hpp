// How often a graph runs in one run of the model: bodies of loops.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "view/node_view.hpp"

namespace trtcheck::layers_of {

class Repeats {
 public:
  explicit Repeats(const ModelView& view) : view_(&view) {}

  struct Count {
    Dim times;            ///< of the loops whose trip count is known
    NodeId counted_once;  ///< the innermost loop around it whose trip count is not known; none: all are
  };
  [[nodiscard]] Count of(GraphId graph);

 private:
  [[nodiscard]] std::optional<Dim> trips(const Node& node, GraphId body) const;

  const ModelView* view_;
  std::map<std::uint32_t, Count> known_;
};

}  // namespace trtcheck::layers_of
