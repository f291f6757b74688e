// Standard operators, each in the form that it has at the opset of the node's graph.
//
//     // x * sigmoid(x)
//     const std::string y = w.mul(x, w.op("Sigmoid", {x}));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cure/draft.hpp"

namespace trtcheck::cure {

class Writer {
 public:
  using Name = std::string;
  using Ints = std::vector<std::int64_t>;

  explicit Writer(Draft& draft) : draft_(&draft) {}
  [[nodiscard]] Draft& draft() noexcept { return *draft_; }

  Name op(std::string_view type, Draft::Inputs inputs, Draft::Attributes attributes = {}) {
    return draft_->op(type, std::move(inputs), std::move(attributes));
  }
  Name add(const Name& a, const Name& b) { return op("Add", {a, b}); }
  Name sub(const Name& a, const Name& b) { return op("Sub", {a, b}); }
  Name mul(const Name& a, const Name& b) { return op("Mul", {a, b}); }
  Name div(const Name& a, const Name& b) { return op("Div", {a, b}); }
  Name matmul(const Name& a, const Name& b) { return op("MatMul", {a, b}); }
  Name where(const Name& condition, const Name& a, const Name& b) { return op("Where", {condition, a, b}); }
  Name cast(const Name& x, DataType to) { return op("Cast", {x}, {{"to", static_cast<std::int64_t>(to)}}); }
  Name concat(Draft::Inputs parts, std::int64_t axis) { return op("Concat", std::move(parts), {{"axis", axis}}); }
  Name transpose(const Name& x, Ints perm) { return op("Transpose", {x}, {{"perm", std::move(perm)}}); }
  Name reshape(const Name& x, const Ints& sizes) { return op("Reshape", {x, draft_->ints_constant(sizes, "sizes")}); }
  Name reshape_to(const Name& x, const Name& sizes) { return op("Reshape", {x, sizes}); }
  Name shape(const Name& x) { return op("Shape", {x}); }
  Name gather(const Name& x, const Name& indices, std::int64_t axis) {
    return op("Gather", {x, indices}, {{"axis", axis}});
  }

  // Attributes at older opsets, inputs at newer ones.
  Name reduce(std::string_view type, const Name& x, const Ints& axes, bool keepdims);
  Name unsqueeze(const Name& x, const Ints& axes);
  Name squeeze(const Name& x, const Ints& axes);
  Name slice(const Name& x, const Ints& starts, const Ints& ends, const Ints& axes);
  /// Parts of equal or given sizes. @pre one opset knows them: sizes are written out
  std::vector<Name> split(const Name& x, const Ints& sizes, std::int64_t axis);
  /// Along the last axis. @pre the rank is known before opset 13
  Name softmax(const Name& x, std::size_t rank) { return normalized("Softmax", x, rank); }
  Name log_softmax(const Name& x, std::size_t rank) { return normalized("LogSoftmax", x, rank); }
  /// The smaller or larger one of it and a number.
  Name at_least(const Name& x, const Name& limit) { return op("Max", {x, limit}); }

  /// Reshaped to the shape of a value.
  Name reshape_like(const Name& x, ValueId like);
  /// Size of an axis, INT64[1]; a constant where it is a number. @pre the rank is known
  Name size(ValueId value, std::size_t axis);
  /// 0, 1, ... below the size of the axis, INT64[n].
  Name places(ValueId value, std::size_t axis);
  /// 0, 1, ... below a number, INT64[n].
  Name counting(std::int64_t below);
  /// Numbers of a floating point type. @pre FLOAT, DOUBLE, FLOAT16 or BFLOAT16
  Name numbers(const std::vector<double>& values, const Ints& dims, DataType type, std::string_view base = "numbers");
  /// A whole number below zero counts from the end: of a size INT64[1] (or one that broadcasts).
  Name from_the_front(const Name& indices, const Name& size, DataType type);

 private:
  Name normalized(std::string_view type, const Name& x, std::size_t rank) {
    return op(type, {x}, {{"axis", static_cast<std::int64_t>(rank) - 1}});
  }
  Draft* draft_;
};

/// From 0 up.
[[nodiscard]] Writer::Ints counted(std::int64_t from, std::int64_t to);
/// An axis from 0 up; nothing: there is no such axis.
[[nodiscard]] std::optional<std::size_t> plain_axis(std::int64_t axis, std::size_t rank);
[[nodiscard]] bool is_float(DataType type) noexcept;
[[nodiscard]] bool is_integer(DataType type) noexcept;
/// FLOAT16 or BFLOAT16.
[[nodiscard]] bool is_half(DataType type) noexcept;

}  // namespace trtcheck::cure
