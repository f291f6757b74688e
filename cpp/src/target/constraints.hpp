// Limits that releases set on attributes, inputs and outputs of operators: rows of cpp/data/op_support.json.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

struct Constraint {
  enum class On : std::uint8_t { attribute, input, output };
  enum class Must : std::uint8_t {
    one_of,  ///< an attribute, or each entry of a list; left out counts as allowed
    absent,
    initializer,  ///< an initializer or the output of a Constant node
    constant,     ///< the same, or what follows from constants
    rank_in,
    rank_at_least,
    rank_at_most,
    type_in,
    type_not_in,
  };
  On on = On::attribute;
  Must must = Must::absent;
  std::string_view attribute;                ///< when on == attribute
  std::size_t index = 0;                     ///< of the input or output
  std::span<const std::string_view> values;  ///< numbers as decimal text
  std::optional<TrtVersion> seen;            ///< the newest release in which it was read; nothing: in none
  std::string_view evidence;
};

/// What the release asks of the operator.
std::vector<Constraint> constraints(std::string_view op_type, TrtVersion release);

/// What the importer of the operator prints when the constraint is not met, in some release.
struct ConstraintMessage {
  std::string_view op_type;
  Constraint::On on = Constraint::On::attribute;
  Constraint::Must must = Constraint::Must::absent;
  std::string_view text;  ///< never empty
};
/// Sorted by operator; an operator with several constraints may have one text more than once.
std::vector<ConstraintMessage> constraint_messages();

/// "FP32" for FLOAT and DOUBLE, "INT32" for INT64 before 9.0, ...; empty for types that TensorRT does not have.
std::string_view network_type_name(DataType type, TrtVersion release) noexcept;

/// Every operator with a constraint in some release, sorted.
inline constexpr std::string_view kConstrainedOperators[] = {
#include "constrained_operators.inc"
};

}  // namespace trtcheck
