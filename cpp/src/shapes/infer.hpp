// The state of one inference run and its steps. Private to this floor; shape functions see `OpContext` only
// (control flow, which runs graphs, is the exception).
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "schema/facts.hpp"
#include "shapes/op_context.hpp"
#include "shapes/revised.hpp"
#include "shapes/shapes_impl.hpp"
#include "shapes/user_functions.hpp"

namespace trtcheck::shapes {

/// What is to be done for one operator at one opset; looked up once per operator and run.
struct OpEntry {
  void (*infer)(OpContext&) = nullptr;  ///< nullptr: nobody knows the operator, or it is gone
  const schema::SchemaFacts* facts = nullptr;
  const UserFunction* user = nullptr;  ///< goes before the others
  bool ever_known = false;             ///< ONNX knows the name at some opset
  std::string_view why_unknown;        ///< "" = nobody asked yet
};

struct InferState {
  const Model& model;
  const InferOptions& options;
  ShapesAccess::Impl& result;
  std::vector<bool> omitted{};  ///< by ValueId: function inputs that the call leaves out
  std::uint32_t depth = 0;      ///< nested graphs being run
  /// Elements of long contents (above kShortContents) that may still be followed: hostile files make thousands.
  std::size_t long_contents_left = std::size_t{1} << 22;
  std::uint32_t loop_depth = 0;
  bool differs = false;            ///< TensorRT computes another size for the node that is being run
  ValueShape nowhere{};            ///< see `at`
  const Revise* revise = nullptr;  ///< nullptr: nodes read what is there
  const UserFunctions* user = nullptr;

  /// What is said of an output that has no name is lost.
  [[nodiscard]] ValueShape& at(ValueId id) { return id ? result.values[id.index] : (nowhere = {}); }
  [[nodiscard]] OpEntry& entry(const Node& node, std::int64_t opset);
  /// Opset of a domain in a graph; 0 when it is not imported.
  [[nodiscard]] std::int64_t opset(GraphId graph, std::string_view domain);

  /// Charges contents of that many elements; false when there were too many long ones.
  [[nodiscard]] bool may_follow(std::size_t count) noexcept;

  /// The same for the dims of a tensor.
  [[nodiscard]] bool may_keep_dims(std::size_t rank) noexcept;

  struct OpKey {
    std::string_view domain;
    std::string_view op;
    std::int64_t opset;
    friend bool operator==(const OpKey&, const OpKey&) = default;
  };
  struct OpKeyHash {
    std::size_t operator()(const OpKey& key) const noexcept;
  };
  std::unordered_map<OpKey, OpEntry, OpKeyHash> entries{};
  std::unordered_map<std::int64_t, Dim> far_numbers{};  ///< see content_dim
  GraphId opset_graph{};                                ///< graph of the cached opset below
  std::int64_t onnx_opset = 0;
  /// Elements of sequences that may still be kept: a chain of insertions copies them.
  std::size_t elements_left = std::size_t{1} << 17;
  /// Dims of tensors of high rank that may still be kept.
  std::size_t long_dims_left = std::size_t{1} << 20;
};

/// Runs one node. What it reads has been filled in.
void infer_node(InferState& state, NodeId node);

/// Runs all nodes of a graph in order. The graph's inputs have been filled in.
void infer_graph(InferState& state, GraphId graph);

/// Fills in the initializers of all graphs.
void infer_initializers(InferState& state);

/// Graph inputs of the main graph from their declared types and the ranges of the options.
void infer_main_inputs(InferState& state);

/// A declared type as a shape. Dims without a number become unknowns with this reason.
ValueShape declared_shape(InferState& state, const Type& type, std::string_view reason);

/// One declared dim of a value that is computed.
Dim claimed_dim(InferState& state, const DeclaredDim& dim, std::size_t axis, std::string_view reason);

/// Compares what was inferred with the file's claim about the value, and takes the claim where nothing is known.
void reconcile_claim(InferState& state, ValueId id);

/// Copies what is known of one value to another (call arguments, branch results).
void copy_shape(InferState& state, ValueId from, ValueId to);

/// What a sequence or an optional holds goes on to another value.
void copy_elements(InferState& state, ValueId from, ValueId to);

/// Decodes the contents of a constant as dims, when small enough and whole numbers. Idempotent.
void decode_known(InferState& state, ValueId id);

/// Remembers that the values of a constant were asked for, if they could not be read.
void note_unread(InferState& state, TensorId id);

/// See unread.hpp.
[[nodiscard]] std::string_view unread_behind(const Model& model, const ShapesAccess::Impl& result, NodeId node);

/// Binds the arguments of a model-local function, runs its body, takes its results.
void infer_call(InferState& state, NodeId node);

}  // namespace trtcheck::shapes
