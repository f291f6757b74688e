// A profile as it is written on the command line: the inverse of parse_profile.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

#include <trtcheck/target.hpp>

namespace trtcheck {

/// "1x3x224x224"
[[nodiscard]] inline std::string dims_text(std::span<const std::int64_t> dims) {
  return fmt::format("{}", fmt::join(dims, "x"));
}

/// "MIN:OPT:MAX"
[[nodiscard]] inline std::string sizes_text(const ProfileInput& input) {
  return fmt::format("{}:{}:{}", dims_text(input.min), dims_text(input.opt), dims_text(input.max));
}

}  // namespace trtcheck
