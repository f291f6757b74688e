// What an operator's function sees of its node: inputs, attributes, and the limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fold/array.hpp"

namespace trtcheck::fold {

/// What is left of a Budget.
struct Left {
  std::int64_t elements = 0;  ///< one tensor may have; does not shrink
  std::int64_t total = 0;
  std::int64_t nodes = 0;
  std::int64_t steps = 0;
};

struct Call {
  const Model& model;
  const Shapes& shapes;
  const Node& node;
  std::int64_t opset;
  std::vector<const Array*> inputs;  ///< nullptr: left out, or not read by this operator (see Row::reads)
  Left& left;

  /// @throws Unfolded  it is missing (so do all below, whenever something is not as ONNX defines it)
  [[nodiscard]] const Array& in(std::size_t i) const;
  [[nodiscard]] const Array* maybe(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
  /// Dims of an input whose contents are not read.
  [[nodiscard]] Dims dims_of(std::size_t i) const;
  [[nodiscard]] DataType type_of(std::size_t i) const;

  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  [[nodiscard]] double real(std::string_view name, float fallback) const;
  [[nodiscard]] std::string_view text(std::string_view name, std::string_view fallback) const;
  [[nodiscard]] std::optional<Dims> list(std::string_view name) const;
  /// What was an attribute before opset `since` and is an input from then on.
  [[nodiscard]] std::optional<Dims> list(std::string_view name, std::size_t input, std::int64_t since) const;

  /// The elements of an integer input, which must be few; the one element.
  [[nodiscard]] Dims integers(std::size_t i) const;
  [[nodiscard]] std::int64_t one_integer(std::size_t i) const;

  /// Elements of a tensor that is about to be made: not more than one may have.
  [[nodiscard]] std::size_t count(const Dims& dims) const;
  [[nodiscard]] Array blank(DataType type, Dims dims) const;
  /// Before work whose size does not follow from inputs and outputs.
  void spend(std::int64_t steps) const;
};

/// A constant of the file. @throws Unfolded
[[nodiscard]] Array read_constant(const Model& model, TensorId id, const Left& left);

using Outputs = std::vector<Array>;

/// An operator of ONNX's own domain. Which inputs and types it may have is checked against its schema before.
struct Row {
  std::string_view op;
  Outputs (*evaluate)(const Call&);
  std::uint64_t reads = ~std::uint64_t{0};  ///< bit i: the contents of input i are needed
};

[[nodiscard]] std::string quoted(std::string_view name);
/// A negative axis counts from the end.
[[nodiscard]] std::size_t axis_of(std::int64_t axis, std::size_t rank);
/// Each axis once, sorted. @throws Unfolded  one is named twice
[[nodiscard]] std::vector<std::size_t> axes_of(const Dims& axes, std::size_t rank);
[[nodiscard]] inline std::size_t size(std::int64_t dim) { return static_cast<std::size_t>(dim); }
/// @pre as many elements fit
[[nodiscard]] std::size_t product(std::span<const std::int64_t> dims);
[[nodiscard]] inline Outputs one(Array array) {
  Outputs made;
  made.push_back(std::move(array));
  return made;
}

}  // namespace trtcheck::fold
