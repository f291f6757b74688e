// Grouped INT8 convolutions: channels per group on both sides, and the name that TensorRT prints for such a layer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rules/rule_context.hpp"
#include "view/conv_view.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::rules {

struct Int8Group {
  std::int64_t group = 0;
  std::int64_t in_per_group = 0;
  std::int64_t out_per_group = 0;
  std::int64_t in_channels = 0;
  std::int64_t out_channels = 0;
  [[nodiscard]] bool depthwise() const noexcept { return in_per_group == 1; }
  [[nodiscard]] bool multiples_of_4() const noexcept { return in_per_group % 4 == 0 && out_per_group % 4 == 0; }
};

/// Nothing unless data and weights of the Conv or ConvTranspose come out of INT8 Q/DQ and `group` is above 1.
std::optional<Int8Group> int8_group(const RuleContext& context, const Node& node);

/// The name of the fused layer in `Could not find any implementation for node ...`: weight, weight QuantizeLinear and
/// convolution joined by " + ". Source: the log in NVIDIA/TensorRT issue 4060.
std::string fused_name(const RuleContext& context, NodeId conv);

}  // namespace trtcheck::rules
