// The graph with the element types that its layers are expected to compute in.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <trtcheck/layers.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "picture/boxes.hpp"

namespace trtcheck {

/// Of INT8, FP8, INT4 and the like; of FLOAT16 and BFLOAT16; of others.
[[nodiscard]] picture::Mark::Tint tint_of(DataType type) noexcept;

struct LayerPicture {
  std::string svg;           ///< a piece of an HTML page; "" = there is nothing to draw
  std::size_t left_out = 0;  ///< nodes beyond those that are drawn
};

/// The main graph without constants. QuantizeLinear and DequantizeLinear are not drawn between two nodes: the tensor
/// there has the type of the codes.
/// @param layers  of that model and shapes
/// @throws Error  as draw() does
[[nodiscard]] LayerPicture draw_layers(const Model& model, const Shapes& shapes, std::span<const Layer> layers);

}  // namespace trtcheck
