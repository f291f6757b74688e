// Multiply-accumulates of one run of a layer.
#pragma once

#include <optional>

#include "facts/node_facts.hpp"

namespace trtcheck::layers_of {

/// Conv, ConvTranspose, Gemm and MatMul: layers that multiply data and weights.
[[nodiscard]] bool multiplies(const Node& node);

/// Nothing: a size is not known, or the node does not multiply.
[[nodiscard]] std::optional<Dim> work_of(const Facts& facts, const Node& node);

}  // namespace trtcheck::layers_of
