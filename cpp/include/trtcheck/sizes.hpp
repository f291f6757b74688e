// Sizes that a model is to be written for: dynamic dims that become numbers, and numbers that become dynamic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>

namespace trtcheck {

/// Sizes that the model is written for from now on.
struct StaticSize {
  std::string name;                ///< of an input, or of a symbol: "x", "batch"
  std::vector<std::int64_t> dims;  ///< of an input all dims, of a symbol the one number; each at least 1
};
/// "x=1x3x224x224", "batch=1", "scalar=".
/// @throws Error  it makes no sense
TRTCHECK_API StaticSize parse_static_size(std::string_view text);

/// An axis of an input that is to be dynamic.
struct NamedAxis {
  std::string input;     ///< its name: "x"
  std::size_t axis = 0;  ///< counted from 0
  std::string symbol;    ///< the name of its size from now on: "batch"
};
/// "x:0=batch".
/// @throws Error  it makes no sense
TRTCHECK_API NamedAxis parse_dynamic_axis(std::string_view text);

}  // namespace trtcheck
