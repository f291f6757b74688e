// Writes inferred shapes into a model, as onnx.shape_inference.infer_shapes does: value_info of every value that a node
// makes, in bodies too, and the dims of outputs that were left open. Weights and external data are not touched.
//
//     const trtcheck::Annotated annotated = trtcheck::annotate("model.onnx");
//     annotated.write("annotated.onnx");
//
// Dims are numbers, names of the file, or expressions over these names ("2*N + 1", "floor((H + 1)/2)", "Max(A, B)"):
// texts that onnx, ONNX Runtime and trtcheck read. What is unknown is left out. What the file declares already stays
// where it agrees or is as precise, is completed where it is less precise, and stays where it contradicts:
// `contradictions` says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/parts.hpp>
#include <trtcheck/shape_functions.hpp>

namespace trtcheck {

/// How a model is annotated.
struct AnnotateOptions {
  /// Unknown dims get names, "unk__0", as onnx gives them; dims that are proven equal get the same name. False: they
  /// are left out.
  bool names_unknown = false;
  /// Types of values without a shape are written too; false: only shapes.
  bool only_shapes = false;
  std::vector<ShapeFunction> shape_functions{};  ///< of operators of the user, at most one each
  Limits limits{};                               ///< for reading
};

/// A declaration of the file that contradicts what was inferred. It was kept.
struct DeclaredOtherwise {
  std::string value;    ///< its name
  std::string graph;    ///< "main", "main/loop.body"
  std::string message;  ///< what is declared and what was inferred
};

/// A value that a node makes and whose rank is unknown.
struct UnknownShape {
  std::string value;    ///< its name
  std::string graph;    ///< "main", "main/loop.body"
  std::string message;  ///< why
};

/// A node that cannot run, whatever the sizes. Values after it may be unknown.
struct ImpossibleNode {
  std::string node;     ///< its label
  std::string op_type;  ///< of the node
  std::string graph;    ///< in which it stands
  std::string message;  ///< why
};

/// What `annotate` made of a model. The file is as it was until `write`.
class TRTCHECK_API Annotated {
 public:
  Annotated(Annotated&&) noexcept;             ///< spans stay valid
  Annotated& operator=(Annotated&&) noexcept;  ///< spans of the other stay valid
  ~Annotated();

  [[nodiscard]] std::size_t added() const noexcept;                      ///< values that had no declaration before
  [[nodiscard]] std::size_t refined() const noexcept;                    ///< declarations that were completed
  [[nodiscard]] std::span<const UnknownShape> unknown() const noexcept;  ///< in the order of the file
  [[nodiscard]] std::span<const DeclaredOtherwise> contradictions() const noexcept;  ///< in the order of the file
  [[nodiscard]] std::span<const ImpossibleNode> impossible() const noexcept;         ///< in execution order
  [[nodiscard]] bool is_changed() const noexcept;                                    ///< something was added or refined
  [[nodiscard]] std::uint64_t size() const noexcept;  ///< of the annotated file, in bytes, without external data

  /// Writes the annotated model, as `Simplified::write` does. External data stays where it is.
  /// @throws Error  cannot write; the model was written to since it was read; external data would be out of reach
  void write(const std::string& output) const;
  /// The annotated model in memory. @throws Error  it is larger than memory
  [[nodiscard]] std::string bytes() const;
  /// As of `Fixed`.
  [[nodiscard]] std::string bytes_without(std::span<const ByteRange> weights, std::string_view mark) const;

 private:
  friend struct AnnotatedAccess;
  struct Impl;
  explicit Annotated(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// @throws Error  the file cannot be read
[[nodiscard]] TRTCHECK_API Annotated annotate(const std::string& path, const AnnotateOptions& options = {});
/// Of a model in memory, which must outlive the result. `base_dir`: where external data would be.
/// @throws Error  the model cannot be read
[[nodiscard]] TRTCHECK_API Annotated annotate(std::span<const std::byte> bytes, const AnnotateOptions& options = {},
                                              const std::string& base_dir = {});
/// Of a model that lies in several places of memory, which must outlive the result.
/// @throws Error  the model cannot be read
[[nodiscard]] TRTCHECK_API Annotated annotate(const Parts& parts, const AnnotateOptions& options = {},
                                              const std::string& base_dir = {});

}  // namespace trtcheck
