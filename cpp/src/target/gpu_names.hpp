// Names of GPUs and modules.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/target.hpp>

namespace trtcheck {

/// "RTX 4090", "NVIDIA GeForce RTX 4090 Laptop GPU", "h100", "orin": case, blanks, hyphens and the words in front of
/// the model do not count. Nothing for a name that is not known.
[[nodiscard]] std::optional<ComputeCapability> capability_of_gpu(std::string_view name);

/// All that NVIDIA names, from Fermi on, in order.
[[nodiscard]] std::span<const ComputeCapability> known_capabilities() noexcept;

/// Those that are known, for "did you mean".
[[nodiscard]] std::vector<std::string_view> gpu_names();

}  // namespace trtcheck
