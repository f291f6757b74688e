// Multiply-accumulates of one run of a layer.
#pragma once

#include <optional>

#include "view/node_view.hpp"

namespace trtcheck::layers_of {

/// Conv, ConvTranspose, Gemm and MatMul: layers that multiply data and weights, and that Q/DQ become a part of.
[[nodiscard]] bool multiplies(const Node& node);
/// These, and all other operators that are multiplications for the most part: RNNs, Attention, Einsum of two operands,
/// and those without a formula here.
[[nodiscard]] bool has_work(const Node& node);
/// Whether `work_of` knows a formula for the operator.
[[nodiscard]] bool has_formula(const Node& node);

/// Of the node alone, however often it runs. Nothing: a size is not known, or there is no formula.
[[nodiscard]] std::optional<Dim> work_of(const ModelView& view, const Node& node);

}  // namespace trtcheck::layers_of
