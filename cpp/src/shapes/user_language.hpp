// The language of shape functions, from text to steps. Private to this floor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck::shapes {

/// One step of a program that works on a stack of dims.
struct UserStep {
  enum class Kind : std::uint8_t {
    number,     ///< puts `number`
    unknown,    ///< puts an unknown
    dim,        ///< puts axis `number` of input `input`
    rank,       ///< puts the number of axes of input `input`
    size,       ///< puts the number of elements of input `input`
    value,      ///< puts element `number` of the contents of input `input`
    attribute,  ///< puts attribute `name`, its entry `number` when `is_entry`, `fallback` when it is left out
    add,        ///< from here on: puts what comes of the last two
    sub,
    mul,
    div,
    ceil_div,
    mod,
    min,
    max,
  };
  Kind kind = Kind::unknown;
  bool is_entry = false;
  std::size_t input = 0;
  std::int64_t number = 0;
  std::optional<std::int64_t> fallback = {};
  std::string name = {};
};

/// One extent, or several axes of an input.
struct UserDim {
  std::vector<UserStep> steps;  ///< empty: axes
  std::size_t input = 0;
  std::int64_t first = 0;             ///< of the axes, negative from the end
  std::optional<std::int64_t> end{};  ///< nothing: to the last one
};

struct UserType {
  enum class Kind : std::uint8_t { unknown, fixed, input, attribute };
  Kind kind = Kind::unknown;
  DataType type = DataType::undefined;
  std::size_t input = 0;
  std::string attribute = {};
};

struct UserOutput {
  std::optional<std::size_t> like = {};  ///< an input: its type and dims
  UserType type = {};
  bool has_rank = false;
  std::vector<UserDim> dims = {};
};

/// @throws Error  without a path: what is wrong, with the text
[[nodiscard]] UserOutput parse_user_output(std::string_view text);

}  // namespace trtcheck::shapes
