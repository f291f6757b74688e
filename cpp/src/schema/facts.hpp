// What the ONNX schemas say about operators, as a constexpr table made from cpp/data/onnx_schemas.json: the onnx
// library is part of the tests only.
//
//     const SchemaFacts* facts = schema_facts("", "Conv", 17);
//     if (facts && node.inputs.size() > facts->max_inputs) ...
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include <trtcheck/model.hpp>

namespace trtcheck::schema {

struct AttributeFacts {
  std::string_view name;
  AttributeType type = AttributeType::undefined;
  bool required = false;
};

/// Element types by bit: bit N is DataType N (also numbers that DataType does not name yet).
using TypeMask = std::uint64_t;

struct InputFacts {
  static constexpr std::uint8_t kUnlike = 255;

  std::string_view name;
  bool optional = false;
  bool variadic = false;  ///< the last one, repeated
  /// Which input is the first that has to be of the same type, perhaps itself; kUnlike: repeated, each of its own type.
  std::uint8_t like = kUnlike;
  TypeMask types = 0;  ///< allowed element types of a tensor; 0 = no plain tensor is allowed
};

/// One operator from opset version `since` on, until the next row of the same operator.
struct SchemaFacts {
  static constexpr std::uint32_t kUnbounded = std::numeric_limits<std::int32_t>::max();

  std::string_view domain;
  std::string_view op;
  std::int32_t since = 0;
  std::uint32_t min_inputs = 0;
  std::uint32_t max_inputs = 0;  ///< kUnbounded when variadic
  std::uint32_t min_outputs = 0;
  std::uint32_t max_outputs = 0;
  bool deprecated = false;            ///< from `since` on the operator no longer exists
  std::uint64_t required_inputs = 0;  ///< bit i: input i must not be left out
  std::span<const InputFacts> inputs;

  /// Of the value at that place; nullptr beyond the last.
  [[nodiscard]] const InputFacts* input(std::size_t i) const noexcept {
    if (i < inputs.size()) return &inputs[i];
    return !inputs.empty() && inputs.back().variadic ? &inputs.back() : nullptr;
  }
  std::span<const AttributeFacts> attributes;  ///< sorted by name
  /// Of each output the first input that has its type; InputFacts::kUnlike: none has.
  std::span<const std::uint8_t> output_like;

  /// Of the output at that place; nothing: no input has its type, or it may be of any.
  [[nodiscard]] std::optional<std::size_t> input_like_output(std::size_t i) const noexcept {
    if (i >= output_like.size() || output_like[i] == InputFacts::kUnlike) return std::nullopt;
    return output_like[i];
  }
};

/// The schema in force at that opset; nullptr when the operator did not exist yet or is unknown.
/// `domain` "" is ONNX's own.
[[nodiscard]] const SchemaFacts* schema_facts(std::string_view domain, std::string_view op,
                                              std::int64_t opset) noexcept;

/// True when some opset version has an operator of that name.
[[nodiscard]] bool was_ever_known(std::string_view domain, std::string_view op) noexcept;

/// All rows, sorted by domain, op, since.
[[nodiscard]] std::span<const SchemaFacts> all_facts() noexcept;

}  // namespace trtcheck::schema
