// The sizes that a model names, and relations between them as a caller writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::shapes {

/// A size that the model names, or an axis of an input without a name ("x.dim2").
struct NamedSize {
  std::string name;
  Interval range;
  std::string low_by;   ///< the assumption that gave it this lower bound; "" = the model or the profile did
  std::string high_by;  ///< the same of the upper bound
  std::int64_t multiple = 1;
  std::string multiple_by{};
};

/// What the range of an axis says of the one size that the axis is made of: of `h` for an axis "4*h + 1".
struct SizeRange {
  std::string name;
  Interval range;
  bool is_derived = false;  ///< the axis is not that size itself
};

/// Nothing: there is no such size, or none that fits.
[[nodiscard]] std::optional<SizeRange> size_of_axis(DimTable& scratch, std::string_view param, Interval axis);

/// Of inputs in their order, then those that only other values have.
[[nodiscard]] std::vector<NamedSize> named_sizes(const Model& model, const InferOptions& options);

/// "a == b", or "a <= b"; or that a is a multiple of a number.
struct Relation {
  enum class Kind : std::uint8_t { equal, less_equal, less, multiple };
  std::string text;  ///< of the whole assumption
  Kind kind = Kind::equal;
  std::string left{};
  std::string right{};
  std::int64_t factor = 1;  ///< of multiple
};

/// "1 <= N <= 512" are two.
/// @throws Error  it is no relation between sizes
[[nodiscard]] std::vector<Relation> read_relations(const std::string& text);

/// @throws Error  always, about that assumption
[[noreturn]] void refuse_assumed(std::string_view text, std::string cause);

}  // namespace trtcheck::shapes
