// The largest tensor of a model, looked for once a run, however many releases it is for: nearly no model comes near to
// what TensorRT limits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct Extremes {
  std::size_t rank = 0;       ///< of the tensor with the most dims
  std::int64_t elements = 0;  ///< that a tensor has whatever its sizes; saturated
};

/// Elements that the tensor has whatever its sizes, saturated; 0: nothing is known.
[[nodiscard]] std::int64_t fewest_elements(const DimTable& dims, const ValueShape& shape);

/// Of all values, also of those that nobody reads.
[[nodiscard]] const Extremes& extremes(const RuleContext& context);

}  // namespace trtcheck::rules
