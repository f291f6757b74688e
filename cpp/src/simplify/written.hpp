// Inputs that are computed from sizes and can be written as constants all the same: the sizes stay dynamic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>

#include "fold/fold.hpp"
#include "simplify/known.hpp"

namespace trtcheck::simplifying {

/// Numbers, or a value that holds sizes.
struct Part {
  ValueId value{};
  std::vector<std::int64_t> numbers{};  ///< without a value
};

/// One input that becomes a constant, or a Concat of constants and fewer sizes than before.
struct Written {
  std::size_t input = 0;
  std::optional<Constant> constant{};  ///< nothing, and no parts: the input is left out
  std::vector<Part> parts{};
  std::string title{};    ///< "write [0, -1, 768] as the target"
  std::string dropped{};  ///< an attribute that goes; "" = none
};

/// Of a Reshape: its target with 0 for dims that stay and -1 for one more; Expand: 1 for dims that stay; Slice: bounds
/// counted from the end; Resize: scales for sizes that are multiples.
/// @param data      what input 0 is read as
/// @param shortens  of a target that nobody else reads, and that has to be computed, fewer sizes are
[[nodiscard]] std::vector<Written> written_inputs(Known& known, NodeId node, ValueId data, bool shortens);

[[nodiscard]] Constant vector_of(DataType type, const std::vector<std::int64_t>& numbers);

}  // namespace trtcheck::simplifying
