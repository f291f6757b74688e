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
