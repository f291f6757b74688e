// How one node is expected to run, for those who hold facts already. See trtcheck/layers.hpp.
#pragma once

#include <optional>

#include <trtcheck/layers.hpp>

#include "view/node_view.hpp"

namespace trtcheck::layers_of {

/// Nothing for nodes that are no layers of interest. Its work is left out.
[[nodiscard]] std::optional<Layer> forecast(const ModelView& view, NodeId id);

}  // namespace trtcheck::layers_of
