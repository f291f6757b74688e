// What may be looked at besides the structure of the model, when the user asks for it.
#pragma once

#include <unordered_map>

#include <trtcheck/model.hpp>
#include <trtcheck/ranges.hpp>

namespace trtcheck {

/// Where a check may learn numbers from.
struct NumberSources {
  const Ranges* ranges = nullptr;  ///< measured on samples; they belong to the model
  bool read_weights = false;       ///< weights are looked at, whatever the precision
};

/// The ranges by value.
class Measured {
 public:
  Measured(const Model& model, const Ranges* ranges);
  /// nullptr: nothing was measured there.
  [[nodiscard]] const MeasuredTensor* of(ValueId value) const;
  [[nodiscard]] bool empty() const noexcept { return by_value_.empty(); }

 private:
  std::unordered_map<std::uint32_t, const MeasuredTensor*> by_value_;
};

}  // namespace trtcheck
