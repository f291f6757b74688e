// Sizes that TensorRT has to know before a body or a branch runs, and that only running it tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <trtcheck/model.hpp>

#include "view/node_view.hpp"

namespace trtcheck {

/// The inputs of an operator whose elements are sizes, or bounds of a slice; sorted.
[[nodiscard]] std::span<const std::uint8_t> size_operands(std::string_view op_type) noexcept;

/// Where the contents of a value come from when no shape and no constant decides them.
struct RunTimeSource {
  enum class Kind : std::uint8_t {
    none,
    iterated,  ///< the iteration number, a carried value or a scanned element of a Loop or Scan
    chosen,    ///< an If whose condition is not known; the branches give different contents
  };
  Kind kind = Kind::none;
  NodeId node;    ///< the Loop, Scan or If
  ValueId value;  ///< the input of the body, or the output of the If
};

/// @param value  a size operand. Looks at a bounded number of values; none: no such source was found
[[nodiscard]] RunTimeSource run_time_source(const ModelView& view, ValueId value);

}  // namespace trtcheck
