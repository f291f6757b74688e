// The whole vocabulary of a shape function. Nothing else touches `Shapes`.
//
//     void infer_gather(OpContext& op) { ... op.set(0, op.type(0), dims); }
//
// A shape function never throws and never guesses: what it cannot know it calls unknown with a reason.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "shapes/number.hpp"

namespace trtcheck {
struct Elements;  // shapes_impl.hpp
}

namespace trtcheck::shapes {

using DimVector = std::vector<Dim>;

struct InferState;  // infer.hpp

class OpContext {
 public:
  OpContext(InferState& state, NodeId node) noexcept;

  [[nodiscard]] const Model& model() const noexcept;
  [[nodiscard]] const Node& node() const noexcept { return *at_; }
  [[nodiscard]] NodeId id() const noexcept;
  [[nodiscard]] std::int64_t opset() const noexcept;  ///< of the node's domain in its graph
  [[nodiscard]] DimTable& dims() noexcept;
  [[nodiscard]] bool as_tensorrt() const noexcept;
  /// For control flow only, which runs graphs of its own.
  [[nodiscard]] InferState& state() noexcept { return *state_; }

  // --- inputs -------------------------------------------------------------------------------------------
  [[nodiscard]] std::size_t input_count() const noexcept;
  [[nodiscard]] std::size_t output_count() const noexcept;
  /// Listed and not empty.
  [[nodiscard]] bool has_input(std::size_t i) const noexcept { return input_at(i) != nullptr; }
  [[nodiscard]] bool has_output(std::size_t i) const noexcept;
  [[nodiscard]] const ValueShape& in(std::size_t i) const noexcept {
    const ValueShape* found = input_at(i);
    return found == nullptr ? kNothing : *found;
  }
  [[nodiscard]] bool has_rank(std::size_t i) const noexcept { return in(i).has_rank; }
  [[nodiscard]] std::size_t rank(std::size_t i) const noexcept { return in(i).dims.size(); }
  [[nodiscard]] Dim dim(std::size_t i, std::size_t axis) const noexcept { return in(i).dims[axis]; }
  [[nodiscard]] DataType type(std::size_t i) const noexcept { return in(i).type; }
  /// Small contents as dims: constants, Shape and arithmetic on them. Of a float tensor, `number` says what each stands
  /// for.
  [[nodiscard]] std::optional<std::span<const Dim>> known(std::size_t i) const noexcept;
  /// Like `known`, of any rank, row-major: for operators that only move elements.
  [[nodiscard]] std::optional<std::span<const Dim>> contents(std::size_t i) const noexcept;
  /// All literals: as numbers. For axes, pads, k ...
  [[nodiscard]] std::optional<std::vector<std::int64_t>> constant_ints(std::size_t i) const;
  /// What an element of a float tensor's contents stands for; nothing when nobody can say.
  [[nodiscard]] std::optional<Number> number(Dim element) const;
  /// The element that stands for a number.
  [[nodiscard]] Dim dim_of(const Number& number);
  /// The element that stands for a number which cannot be followed.
  [[nodiscard]] Dim open_number(std::string_view reason = "the number cannot be followed through this operator");
  /// Floats that are numbers (scales of Resize ...), in the file or computed.
  [[nodiscard]] std::optional<std::vector<double>> constant_floats(std::size_t i) const;
  /// Number of elements of an input as a dim; nothing when the rank is unknown.
  [[nodiscard]] std::optional<Dim> element_count(std::size_t i);

  /// What a sequence or an optional holds; nullptr when that is not known.
  [[nodiscard]] const Elements* elements(std::size_t i) const noexcept;

  // --- attributes ---------------------------------------------------------------------------------------
  [[nodiscard]] const Attribute* attr(std::string_view name) const noexcept;
  [[nodiscard]] std::int64_t attr_int(std::string_view name, std::int64_t fallback) const noexcept;
  [[nodiscard]] float attr_float(std::string_view name, float fallback) const noexcept;
  [[nodiscard]] std::string_view attr_string(std::string_view name, std::string_view fallback) const noexcept;
  [[nodiscard]] std::optional<std::span<const std::int64_t>> attr_ints(std::string_view name) const noexcept;

  // --- outputs ------------------------------------------------------------------------------------------
  void set(std::size_t output, DataType type, std::span<const Dim> dims);
  void set(std::size_t output, DataType type, std::initializer_list<Dim> dims) {
    set(output, type, std::span(dims.begin(), dims.size()));
  }
  /// Rank unknown. The reason is a string literal; an empty one hands on the reason of the first input without rank.
  void set_type(std::size_t output, DataType type, std::string_view why_no_rank);
  void set_known(std::size_t output, std::span<const Dim> contents);  ///< after set
  void set_known(std::size_t output, std::initializer_list<Dim> contents) {
    set_known(output, std::span(contents.begin(), contents.size()));
  }
  /// Like `set_known`, of any rank.
  void set_contents(std::size_t output, std::span<const Dim> contents);
  void set_like(std::size_t output, std::size_t input);  ///< type and dims of an input
  /// Not a tensor, or nobody can say of what kind.
  void set_unknown(std::size_t output, std::string_view reason);
  /// A sequence of tensors with one element type.
  void set_sequence(std::size_t output, DataType element);
  void set_elements(std::size_t output, Elements elements);  ///< after set_sequence or set_optional
  void set_optional(std::size_t output, DataType element);
  /// Unknown extent with this node and axis as origin.
  [[nodiscard]] Dim unknown(std::string_view reason, std::int32_t axis = -1, Interval range = {0, Interval::kMax});
  /// Unknown content of a tensor: may be negative.
  [[nodiscard]] Dim unknown_content(std::string_view reason) { return unknown(reason, -1, {}); }
  [[nodiscard]] Dim literal(std::int64_t value) { return dims().literal(value); }

  // --- relations ----------------------------------------------------------------------------------------
  /// Records a conflict (proved unequal) or an obligation (unknown). Returns false on a conflict.
  bool require_equal(Dim a, Dim b, std::string_view why);
  bool require_divides(Dim divisor, Dim dividend, std::string_view why);
  bool require_at_least(Dim a, Dim b, std::string_view why);
  bool require_one_or_equal(Dim a, Dim b, std::string_view why);  ///< a is 1 or b
  void conflict(std::string message, ValueId value = {}, int axis = -1);
  /// ONNX forbids it and TensorRT builds it all the same; `taken_as` (a literal) says what it makes of it.
  void onnx_forbids(std::string message, std::string_view taken_as, ValueId value = {}, int axis = -1);
  /// The standard forbids it, and nobody measured what TensorRT makes of it: some runtimes run such nodes.
  void standard_forbids(std::string message, ValueId value = {}, int axis = -1);
  /// The outputs have the sizes of ONNX, and TensorRT computes others, or may.
  void differs_in_tensorrt() noexcept;
  /// What the conflicts and obligations that follow are about, until the next call of this.
  void speak_of(ConflictId id) noexcept { about_ = id; }
  /// numpy broadcasting of whole shapes; nothing on a conflict (which is recorded).
  [[nodiscard]] std::optional<DimVector> broadcast(std::span<const std::span<const Dim>> shapes);

  /// -1 -> rank - 1; nothing (conflict recorded) when out of [-rank, rank).
  [[nodiscard]] std::optional<std::size_t> axis(std::int64_t axis, std::size_t rank);

 private:
  static constexpr std::size_t kFirst = 4;
  static constexpr ValueShape kNothing{};
  /// nullptr: left out.
  [[nodiscard]] const ValueShape* input_at(std::size_t i) const noexcept {
    return i < kFirst ? first_[i] : find_input(i);
  }
  [[nodiscard]] const ValueShape* find_input(std::size_t i) const noexcept;
  /// As long as the result: the dims of an input where they are the same, else a copy.
  [[nodiscard]] std::span<const Dim> kept(std::span<const Dim> dims);

  InferState* state_;
  NodeId node_;
  const Node* at_;
  std::array<const ValueShape*, kFirst> first_{};  ///< the inputs that everybody asks for
  ConflictId about_ = ConflictId::other;
};

/// One row of the operator table (table.cpp). Write rows in ops/*.inc; the table sorts itself at compile time.
struct OpRow {
  std::string_view domain;
  std::string_view op;
  std::int32_t since;  ///< first opset version of this function
  void (*infer)(OpContext&);
};

}  // namespace trtcheck::shapes
