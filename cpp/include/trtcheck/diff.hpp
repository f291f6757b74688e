// Two versions of a model: what was found in one and not in the other, and how the interface changed.
//
//     const trtcheck::Model before = trtcheck::read_model("v1.onnx"), after = trtcheck::read_model("v2.onnx");
//     const trtcheck::Diff diff = trtcheck::diff(before, check(before, options), after, check(after, options));
//     std::cout << trtcheck::render(diff, {});
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/report.hpp>

namespace trtcheck {

/// One of the two models.
struct DiffSide {
  std::string path;                  ///< "" = model from memory
  TrtVersion release;                ///< that it was checked for
  Verdict verdict = Verdict::clean;  ///< of its report
  std::size_t node_count = 0;        ///< of all graphs
  std::size_t suppressed = 0;        ///< findings left out
};

/// Something that users of the model would notice.
struct InterfaceChange {
  /// What changed.
  enum class Kind : std::uint8_t { input, output, input_order, output_order, opset, ir_version, producer };
  Kind kind;           ///< what changed
  std::string name;    ///< of the input, output or opset domain ("ai.onnx" for ONNX's own); else ""
  std::string before;  ///< "FLOAT[N,3,H,W]", a version, names in order; "" = not there
  std::string after;   ///< as before
};
TRTCHECK_API std::string_view to_string(InterfaceChange::Kind kind) noexcept;

/// How often an operator stands in the file, bodies included and calls of functions not expanded.
struct OperatorChange {
  std::string op_type;     ///< "Conv", "com.microsoft.Gelu"
  std::size_t before = 0;  ///< in the first model
  std::size_t after = 0;   ///< in the second model
};

/// What is known of the sizes of a tensor that both models have, under one name.
struct ShapeChange {
  /// What became of them.
  enum class Kind : std::uint8_t {
    lost,     ///< a number before, none after
    gained,   ///< none before, a number after
    changed,  ///< others
  };
  Kind kind;             ///< the worst of all axes: changed, then lost
  std::string value;     ///< name of the tensor
  std::string before;    ///< "FLOAT[1,64]"
  std::string after;     ///< "FLOAT[N,64]"
  std::string reason{};  ///< why something is unknown in the second model; "" = nothing is
};
TRTCHECK_API std::string_view to_string(ShapeChange::Kind kind) noexcept;  ///< "lost"

/// A named size that has another name in the second model, wherever it stands.
struct SymbolChange {
  std::string before;       ///< "N"; of an axis without a name "x.dim0"
  std::string after;        ///< as before
  std::size_t tensors = 0;  ///< that have it
};

/// A tensor that was a constant of the file, and is computed now.
struct ConstantChange {
  std::string value;    ///< name of the tensor
  std::string shape;    ///< "INT64[4]", as the second model has it
  std::string node;     ///< label of the node that computes it
  std::string op_type;  ///< of that node
};

/// What changed from one version of a model to another.
struct Diff {
  DiffSide before;  ///< the first model
  DiffSide after;   ///< the second model
  /// Findings by fingerprint and severity, as many of each as there are; consequences stand on their own. One that was
  /// a warning and is an error now is both new and gone. What is suppressed is in none of these.
  std::vector<Finding> fresh;              ///< in `after` only
  std::vector<Finding> gone;               ///< in `before` only
  std::vector<Finding> kept;               ///< in both, as they are in `after`
  std::vector<InterfaceChange> interface;  ///< inputs and outputs are told apart by name
  std::vector<OperatorChange> operators;   ///< those whose number changed, sorted
  std::vector<ShapeChange> shapes{};    ///< of the main graph, in the order of the second model; renamed sizes are none
  std::vector<SymbolChange> symbols{};  ///< that were renamed
  std::vector<ConstantChange> constants{};  ///< of the main graph, in the order of the second model
  std::size_t folds_before = 0;             ///< nodes of the first model that compute what is known without running it
  std::size_t folds_after = 0;              ///< of the second model
  /// Shapes that were not compared, and why: a sentence for all of them, or for those of too many named sizes.
  std::vector<std::string> not_compared{};

  /// Whether there is a new finding that is at least that severe.
  [[nodiscard]] TRTCHECK_API bool has_new(Severity at_least) const noexcept;
  /// Whether an input, an output, their types or dims changed. Order, opsets and producer do not count.
  [[nodiscard]] TRTCHECK_API bool changes_interface() const noexcept;
};

/// @pre each report is that of its model
TRTCHECK_API Diff diff(const Model& before, const Report& before_report, const Model& after,
                       const Report& after_report);

/// Ends in a newline. JSON follows data/diff.schema.json.
/// @throws Error  a comparison has no such format (there are full, concise, json and markdown)
TRTCHECK_API std::string render(const Diff& diff, const RenderOptions& options);

}  // namespace trtcheck
