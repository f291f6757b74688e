// What the weights of a Conv or ConvTranspose demand.
//
// Conv weights are [C_out, C_in/group, k...], ConvTranspose weights [C_in, C_out/group, k...]. It does not matter
// whether the weights are an initializer, a Constant, or come out of a DequantizeLinear: inference knows their shape.
#pragma once

#include <cstdint>
#include <optional>

#include "view/node_view.hpp"

namespace trtcheck {

struct ConvView {
  bool transposed = false;
  std::int64_t group = 1;  ///< as written; may be nonsense in a bad file
  ValueId data;
  ValueId weight;
  ValueId bias;                         ///< none when left out
  std::optional<std::int64_t> weight0;  ///< extents of the weights, when literal
  std::optional<std::int64_t> weight1;
  std::optional<std::int64_t> weight_count;  ///< number of weights, when all extents are literal
  std::optional<std::int64_t> in_channels;   ///< what axis 1 of the data must be
  std::optional<std::int64_t> out_channels;  ///< axis 1 of the output
  std::optional<std::int64_t> in_per_group;
  std::optional<std::int64_t> out_per_group;
};

/// @pre `node` is a Conv or a ConvTranspose
[[nodiscard]] ConvView conv_view(const ModelView& view, const Node& node);

/// How the ranks of data and weights go together.
enum class ConvRanks : std::uint8_t {
  fit,      ///< or one of them is not known
  no_data,  ///< data of a rank that no convolution layer takes
  taken,    ///< ONNX forbids the pair, the parser expands both to two spatial axes each for itself, and builds
  refused,
};
[[nodiscard]] ConvRanks conv_ranks(const ModelView& view, const Node& node, const ConvView& conv);

}  // namespace trtcheck
