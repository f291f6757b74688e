// Releases that the tables do not list.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <trtcheck/target.hpp>

namespace trtcheck {

/// Whose facts count: the newest known release that is not newer, the oldest one when all of them are.
TrtVersion known_release(TrtVersion release) noexcept;

/// Of every product.
inline constexpr std::string_view kAll = "all";
/// Between the ends of a range.
inline constexpr std::string_view kDots = "..";

/// The TensorRT release whose numbers are nearest to those that a text begins with: "9" is 9.0. Nothing: there is no
/// number.
std::optional<TrtVersion> nearest_release_of(std::string_view text) noexcept;

/// "TensorRT 10.13", "TensorRT-RTX 1.7": as texts name it.
std::string full_name(TrtVersion release);

/// "rtx-1.7". @pre it is one of known_rtx_releases()
std::string_view rtx_name(TrtVersion release) noexcept;

}  // namespace trtcheck
