// Dims as keys of tables.
#pragma once

#include <cstdint>

#include <trtcheck/dim.hpp>

namespace trtcheck {

/// Equal for two dims of one table exactly when they are `same`.
[[nodiscard]] std::int64_t key_of(Dim dim) noexcept;

}  // namespace trtcheck
