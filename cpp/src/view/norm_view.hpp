// What BatchNormalization demands of its four parameter vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "view/node_view.hpp"

namespace trtcheck {

inline constexpr std::array<std::string_view, 4> kNormParameters{"scale", "bias", "mean", "variance"};

struct NormView {
  ValueId data;
  std::array<ValueId, 4> parameters;                  ///< scale, bias, mean, variance
  std::array<std::optional<std::int64_t>, 4> counts;  ///< elements of each, when known
  bool all_constant = false;                          ///< as the parser sees it: initializers and Constants only
};

/// @pre `node` is a BatchNormalization
[[nodiscard]] NormView norm_view(const ModelView& view, const Node& node);

/// Outputs as the release counts them: up to 10.5 those without a name as well.
[[nodiscard]] std::size_t counted_outputs(const Node& node, const ReleaseView& release);
inline constexpr GateSet kOutputGates{gates::unnamed_outputs_not_counted};

}  // namespace trtcheck
