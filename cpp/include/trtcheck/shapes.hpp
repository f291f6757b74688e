// Shape inference: element type, dims and small known contents of every value in every (sub)graph.
//
//     Shapes shapes = infer(model);
//     const ValueShape& s = shapes[model.graph().outputs[0]];
//     if (s.has_rank) std::cout << shapes.text(s) << "\n";       // FLOAT[N,64,112,112]
//
// Exact or honestly unknown, never wrong. Inference never throws for a strange model: what it could not
// reconcile is recorded as Conflict (cannot hold), Obligation (holds for some sizes) or an unknown with its
// reason. Shapes do not depend on the TensorRT release.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/conflict_id.hpp>
#include <trtcheck/dim.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shape_functions.hpp>

namespace trtcheck {

/// What is known of one value. Spans live as long as the `Shapes`.
struct ValueShape {
  /// What kind of value it is.
  enum class Kind : std::uint8_t { unknown, tensor, sequence, optional, map };
  DataType type = DataType::undefined;  ///< element type of tensors (and of sequences of tensors); undefined = unknown
  Kind kind = Kind::unknown;            ///< which other fields count
  bool has_rank = false;                ///< false: not even the rank is known
  bool assumed = false;                 ///< dims rest on a value_info claim of the file, here or upstream
  bool differs = false;                 ///< TensorRT computes another size than ONNX, here or upstream
  bool type_assumed = false;            ///< the element type is the file's claim, not inferred
  bool is_known = false;                ///< contents are known: integers, booleans, whole-number floats
  NodeId reason_node;                   ///< the node that made it unknown
  std::span<const Dim> dims;            ///< when has_rank
  std::span<const Dim> known;           ///< row-major contents, when is_known (rank 0 or 1, at most 4,096 elements)
  std::string_view reason;              ///< why unknown, when it is: "operator Foo is not known", ...
  [[nodiscard]] std::size_t rank() const noexcept { return dims.size(); }  ///< number of dims; 0 when has_rank is false
};

/// Two things that cannot both hold for any size: ONNX forbids the node, and a runtime would fail there unless
/// `taken_as` says what TensorRT makes of it.
struct Conflict {
  NodeId node;          ///< where it happens
  std::string message;  ///< "input 0 has 6 channels, weight expects 8 (4 x group 2)"
  ValueId value;        ///< the input or output at fault, if one
  int axis = -1;        ///< of the value; -1 = none
  /// What TensorRT builds where ONNX alone forbids it: "the strides that are missing are 1". "" = it refuses it too.
  std::string_view taken_as;
  ConflictId id = ConflictId::other;  ///< what it is about
  /// The standard alone forbids it, and nobody measured what TensorRT makes of it, as `taken_as` says then.
  bool is_of_standard = false;
};

/// Something that holds for some sizes only (or could not be proved for all).
struct Obligation {
  /// What has to hold between a and b.
  enum class Need : std::uint8_t {
    equal,         ///< a == b
    divides,       ///< b divides a
    one_or_equal,  ///< a is 1 or equals b; where "inputs broadcast against each other", b may be 1, too
    at_least,      ///< a >= b
    in_range,      ///< 0 <= a < b
  };
  NodeId node;                        ///< that needs it
  Need need;                          ///< what has to hold
  Dim a;                              ///< left side
  Dim b;                              ///< right side
  std::string_view why;               ///< string literal: "Reshape keeps the number of elements"
  ConflictId id = ConflictId::other;  ///< what it is about
};

/// A value that a Loop or a Scan carries, and that is not proven to leave the body as it came in. ONNX allows it.
struct CarriedChange {
  NodeId node;            ///< the Loop or Scan
  std::size_t index = 0;  ///< among the carried values
  ValueShape before;      ///< before the first iteration
  ValueShape after;       ///< after it
};

/// A size range of a named dim or of an unnamed input axis ("x.dim2" is axis 2 of `x`), from an optimization profile.
struct InputRange {
  std::string input;           ///< graph input name
  std::vector<Interval> dims;  ///< one per axis, inclusive
};

/// What inference may assume.
struct InferOptions {
  std::vector<InputRange> ranges{};              ///< of inputs, from a profile
  std::vector<ShapeFunction> shape_functions{};  ///< of operators of the user, at most one each
  /// The deliberately weaker question "what does TensorRT know at build time": literals stay literals, a -1
  /// of Reshape next to anything that is not a literal stays unknown (the origin names the Reshape and the
  /// index of the -1), a 0 of Reshape copies. Source: user reports 3273 and 3720 of NVIDIA/TensorRT.
  bool as_tensorrt = false;
  /// What holds of the sizes that the model names: "S % 8 == 0", "1 <= N <= 512", "past + seq == total". An axis of an
  /// input without a name is "x.dim2". Inference takes it for granted.
  std::vector<std::string> assume{};
};

/// What inference found out about every value of a model.
class TRTCHECK_API Shapes {
 public:
  Shapes(Shapes&&) noexcept;             ///< dims and spans stay valid
  Shapes& operator=(Shapes&&) noexcept;  ///< dims and spans of the other stay valid
  ~Shapes();

  [[nodiscard]] const ValueShape& operator[](ValueId id) const noexcept;   ///< none gives an unknown shape
  [[nodiscard]] std::span<const Conflict> conflicts() const noexcept;      ///< in order; also of imported branches
  [[nodiscard]] std::span<const Obligation> obligations() const noexcept;  ///< in execution order
  /// value_info or graph output claims of the file that contradict what was inferred.
  struct ClaimMismatch {
    ValueId value;        ///< that the file declares
    std::string message;  ///< what is declared and what was inferred
  };
  [[nodiscard]] std::span<const ClaimMismatch> mismatches() const noexcept;       ///< in the order of the file
  [[nodiscard]] std::span<const CarriedChange> carried_changes() const noexcept;  ///< in execution order
  /// A -1 of some Reshape was solved next to symbols: the TensorRT view may know less than this one.
  [[nodiscard]] bool solved_reshape() const noexcept;
  /// Branch that is always taken, for an If whose condition is known; none otherwise.
  [[nodiscard]] GraphId taken_branch(NodeId if_node) const noexcept;
  /// Of an If whose condition is known: it is computed, so that the parser, which folds nothing, imports both branches.
  /// The one that is never taken was inferred, too.
  [[nodiscard]] bool imports_both_branches(NodeId if_node) const noexcept;

  /// The table that made all dims here. Questions may add entries, hence not const; not thread-safe.
  [[nodiscard]] DimTable& dims() const noexcept;
  /// "FLOAT[N,3,224,224]", "INT64[?]", "FLOAT[...]" (rank unknown), "?" (nothing known).
  [[nodiscard]] std::string text(const ValueShape& shape) const;
  [[nodiscard]] std::string text(ValueId id) const { return text((*this)[id]); }  ///< "FLOAT[N,3,224,224]"
  /// What the parser of TensorRT accepts as a constant is another question: only initializers and Constant nodes.
  /// True when the value is a compile-time constant after folding (all its ancestors are constants).
  [[nodiscard]] bool folds_to_constant(ValueId id) const noexcept;

 private:
  friend struct ShapesAccess;
  struct Impl;
  explicit Shapes(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// @throws Error  only when an option makes no sense: a range for an input that does not exist, a rank that differs, a
///                shape function that is malformed, an assumption that cannot be read, names no size of the model, or
///                contradicts another one or the model; and what an answer of a shape function throws
TRTCHECK_API Shapes infer(const Model& model, const InferOptions& options = {});

}  // namespace trtcheck
