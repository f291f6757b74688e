// Operators of ONNX Runtime, spelt out in standard ones; each takes its node away itself.
#pragma once

#include <span>

#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {

[[nodiscard]] std::span<const Expansion> contrib_products() noexcept;
[[nodiscard]] std::span<const Expansion> contrib_norms() noexcept;
[[nodiscard]] std::span<const Expansion> contrib_attentions() noexcept;
/// One of them, in a file of its own.
[[nodiscard]] bool group_query_attention(Writer& w);

}  // namespace trtcheck::cure
