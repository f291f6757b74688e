// Cuts a part out of a model, by the names of tensors: what lies between, the weights that it needs, and nothing else.
//
//     const trtcheck::Extracted part = trtcheck::extract("model.onnx", {.inputs = {"features"}, .outputs =
//     {"logits"}}); part.write("head.onnx");
//
// New inputs and outputs are declared with the type and the dims that shape inference knows. Weights are not read: the
// bytes that stay are copied by the kernel, and external data stays where it is, or is copied beside the new model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// Where a model is cut. All names are those of tensors of the main graph.
struct ExtractOptions {
  std::vector<std::string> inputs;   ///< empty = the inputs of the model, as far as the outputs need them
  std::vector<std::string> outputs;  ///< empty = the outputs of the model
  Limits limits;                     ///< for reading
  /// A model that is strange already is cut all the same: what nothing makes stays so, and a new input or output of
  /// unknown element type is declared as FLOAT of unknown rank.
  bool lenient = false;
  std::vector<ShapeFunction> shape_functions{};  ///< of operators of the user, at most one each
};

/// An input or output of the part.
struct CutTensor {
  std::string name;     ///< of the tensor
  std::string type;     ///< "FLOAT[N,64,56,56]"
  bool is_new = false;  ///< the model itself does not have it as one
};

/// What is in a model, for a summary.
struct PartCounts {
  std::size_t nodes = 0;           ///< of the main graph and of bodies
  std::size_t weights = 0;         ///< initializers
  std::uint64_t weight_bytes = 0;  ///< of their data, external data included
  std::size_t functions = 0;       ///< model-local ones
};

/// How a part is cut out: changes of the model, and what it is then.
struct ExtractPlan {
  std::vector<edit::Edit> edits;   ///< for `edit::apply`
  std::vector<CutTensor> inputs;   ///< of the part: those of the model first, then the new ones
  std::vector<CutTensor> outputs;  ///< in the same order
  PartCounts before;               ///< of the model
  PartCounts after;                ///< of the part
  std::vector<std::string> notes;  ///< what is strange about the cut, one line each
};

/// Thinks a cut out; nothing is read or written.
/// @param shapes  of the same model
/// @throws Error  a name is unknown; an output needs an input of the model that is not among the inputs; the type of a
///                new input or output is unknown
[[nodiscard]] TRTCHECK_API ExtractPlan plan_extract(const Model& model, const Shapes& shapes,
                                                    const ExtractOptions& options);

/// A part of a model. Nothing is written until `write`.
class TRTCHECK_API Extracted {
 public:
  Extracted(Extracted&&) noexcept;             ///< references stay valid
  Extracted& operator=(Extracted&&) noexcept;  ///< references of the other stay valid
  ~Extracted();

  [[nodiscard]] const ExtractPlan& plan() const noexcept;  ///< what was cut, and how
  [[nodiscard]] std::uint64_t size() const noexcept;       ///< of the new file, in bytes, without external data

  /// Writes the part. A file that is there is replaced once all of the new one is written and was read again.
  /// @throws Error  cannot write; the model was written to since it was read; external data is missing or out of reach
  void write(const std::string& output, edit::DataPlace data = edit::DataPlace::kept) const;
  /// The part in memory. @throws Error  the model was written to since it was read
  [[nodiscard]] std::string bytes() const;

 private:
  friend struct ExtractedAccess;
  struct Impl;
  explicit Extracted(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// @throws Error  the file cannot be read, or as `plan_extract`
[[nodiscard]] TRTCHECK_API Extracted extract(const std::string& path, const ExtractOptions& options);
/// Of a model in memory, which must outlive the result. `base_dir`: where external data would be.
[[nodiscard]] TRTCHECK_API Extracted extract(std::span<const std::byte> model, const ExtractOptions& options,
                                             const std::string& base_dir = {});

}  // namespace trtcheck
