// Elements of tensors that say nothing of those of a model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <trtcheck/model.hpp>

namespace trtcheck::reducing {

/// What others have to share with the elements of a tensor.
struct Traits {
  bool is_positive = false;  ///< scales, variances, small constants of formulas
  std::int64_t least = 0;    ///< of whole numbers: indices stay in their range
  std::int64_t most = 0;
};

[[nodiscard]] bool is_small_float(DataType type) noexcept;  ///< of 8 bits and less
[[nodiscard]] std::uint64_t hash_of(std::string_view text) noexcept;
[[nodiscard]] Traits traits_of(const Model& model, ValueId value, const Tensor& tensor);
/// Zeros, ones of what is positive.
[[nodiscard]] std::string zeros(const Tensor& tensor, const Traits& traits);
/// Equal for equal seeds.
[[nodiscard]] std::string random_numbers(const Tensor& tensor, const Traits& traits, std::uint64_t seed);

}  // namespace trtcheck::reducing
