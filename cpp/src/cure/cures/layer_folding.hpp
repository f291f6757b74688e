// What scales and shifts the channels of a layer's result, put into its weights and bias.
#pragma once

#include <optional>
#include <vector>

#include "cure/draft.hpp"

namespace trtcheck::cure {

using Reals = std::vector<double>;

/// y = factors * x + addends, per channel; one entry each: the same for all channels.
struct Affine {
  Reals factors;
  Reals addends;
};

/// Puts it into the layer that makes an input of the draft's node, which is taken away: a Conv, ConvTranspose or Gemm
/// whose result nobody else reads. Quantized weights keep their codes and get other scales.
/// @param input  of the node: the result of the layer, perhaps passed on by nodes that do nothing
/// @returns false: it cannot; the draft says why where there is something to say
[[nodiscard]] bool fold_into_layer(Draft& draft, std::size_t input, const Affine& affine);

/// The same for a sum, difference, product or quotient with a constant that has one number for each channel.
[[nodiscard]] bool fold_affine(Draft& draft);

}  // namespace trtcheck::cure
