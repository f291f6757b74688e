// Which pieces of a model TensorRT would run when it does not accept all of it: as its parser cuts, and as ONNX Runtime
// gives what the parser accepts to TensorRT.
//
//     const trtcheck::PartitionReport report = trtcheck::partition(trtcheck::read_model("model.onnx"), {.ort = true});
//     std::cout << report.engines << " engines\n";
//     for (const trtcheck::RefusedNode& node : report.refused) std::cout << node.node << ": " << node.message << "\n";
//
// The nodes are cut in topological order at each one that the parser refuses; what stands between two cuts is a piece,
// connected or not. Pieces are checked again by themselves, as the parser would be asked again, until nothing changes.
// With ONNX Runtime bodies of If, Loop and Scan are cut, too, each as a model of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/check_options.hpp>
#include <trtcheck/edit.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/report.hpp>

namespace trtcheck {

/// A tensor between a piece and what is around it, or an input or output of the model.
struct CrossingTensor {
  std::string name{};                    ///< of the tensor
  std::string type{};                    ///< "FLOAT[N,64,56,56]"
  std::optional<std::uint64_t> bytes{};  ///< at the sizes of the profile's opt; nothing: they are not known
  bool is_of_model = false;              ///< an input or output of the model: it is copied with one engine as well
};

/// Nodes of one operator.
struct OperatorCount {
  std::string op_type;    ///< "Conv"
  std::size_t count = 0;  ///< nodes
};

/// Nodes that the parser accepts together.
struct GraphPiece {
  std::size_t number = 0;                  ///< from 1, in the order of execution
  std::string graph{};                     ///< "main", or the body that it lies in
  bool runs = true;                        ///< it becomes an engine
  std::string why_not{};                   ///< "" = it runs
  std::vector<std::string> nodes{};        ///< labels, in the order of execution
  std::vector<OperatorCount> operators{};  ///< most nodes first
  std::optional<double> share{};           ///< of the multiply-accumulates; nothing: not known, as in a body
  std::vector<CrossingTensor> inputs{};    ///< that are not weights
  std::vector<CrossingTensor> outputs{};   ///< that somebody outside reads
  std::uint64_t bytes_in = 0;              ///< of the inputs whose size is known, those of the model left out
  std::uint64_t bytes_out = 0;             ///< of the outputs, in the same way
  /// Nodes that the parser accepts and the builder refuses: the engine is not made, and ONNX Runtime makes no session.
  std::vector<std::string> not_built{};
  std::vector<std::string> without_shape{};  ///< inputs whose dims the file does not state: ONNX Runtime must know them
  std::string file{};                        ///< that it was written to; "" = none
};

/// A node that runs elsewhere, and why.
struct RefusedNode {
  std::string node{};                      ///< label of the node of the graph that is cut
  std::string op_type{};                   ///< of that node
  std::string graph{};                     ///< "main", or the body that it stands in
  std::string reason{};                    ///< "parser", "body", "input", "excluded", "type"
  std::string code{};                      ///< "OPS401:pad-mode"; "" = no finding says so
  std::string message{};                   ///< one line
  std::string inner{};                     ///< label of the node in its bodies that is refused; "" = it is itself
  bool is_cut_again = false;               ///< refused only in its piece, because an input is no constant there
  std::optional<SourceLocation> source{};  ///< as in a finding
};

/// What would become of the model.
struct PartitionOutcome {
  std::size_t engines = 0;        ///< pieces that run
  std::size_t nodes = 0;          ///< in them
  std::optional<double> share{};  ///< of the multiply-accumulates; nothing: they are not known
};

/// Nodes that are refused for one reason, and what it is worth to repair them.
struct PartitionCause {
  std::string op_type{};     ///< "Pad"
  std::string code{};        ///< "OPS401:pad-mode"
  std::string message{};     ///< of the first of them
  std::size_t count = 0;     ///< nodes
  PartitionOutcome alone{};  ///< when these alone were accepted
  PartitionOutcome after{};  ///< when these, and those of the causes before, were accepted
};

/// An option of the provider, to paste.
struct ProviderOption {
  std::string name{};   ///< "trt_op_types_to_exclude"
  std::string value{};  ///< as the provider reads it
  std::string why{};    ///< one line
};

/// A box of the picture: a node, or in large models a whole piece.
struct PartitionBox {
  std::string op_type{};  ///< of the node; of a piece "3 Conv, 2 Relu"
  std::string name{};     ///< label of the node; of a piece "piece 1"
  std::size_t piece = 0;  ///< number of the piece that it is in; 0 = it runs elsewhere
};

/// A tensor between two boxes.
struct PartitionLink {
  std::size_t maker = 0;   ///< index of a box
  std::size_t reader = 0;  ///< index of a box
  std::string value{};     ///< name of the tensor
  std::string type{};      ///< "FLOAT[N,64,56,56]"
};

/// What a picture of the main graph shows.
struct PartitionGraph {
  bool is_condensed = false;           ///< a piece is one box
  std::vector<PartitionBox> boxes{};   ///< in the order of execution
  std::vector<PartitionLink> links{};  ///< between them
  std::size_t left_out = 0;            ///< boxes beyond those that can be drawn
};

/// How to cut.
struct PartitionOptions {
  CheckOptions check;  ///< the release, and what is known to be accepted
  bool ort = false;    ///< as ONNX Runtime's providers do: TensorRT's, or that of TensorRT-RTX by the target
  std::vector<std::string> exclude;  ///< operators that are left to others: trt_op_types_to_exclude
  std::size_t least_nodes = 1;       ///< smaller pieces are left to others: trt_min_subgraph_size
  std::size_t most_causes = 5;       ///< that are repaired one after the other, the most useful first
};

/// The pieces of one model.
struct PartitionReport {
  std::string path{};                         ///< of the model; "" = from memory
  std::string release{};                      ///< "10.13", "rtx-1.7"
  std::string provider{};                     ///< "parser", "TensorrtExecutionProvider", ...
  std::size_t nodes = 0;                      ///< of the main graph that count
  PartitionOutcome now{};                     ///< as it is
  std::vector<GraphPiece> pieces{};           ///< in the order of execution, those of bodies last
  bool is_consolidated = false;               ///< ONNX Runtime makes one engine of all pieces
  std::size_t pieces_found = 0;               ///< before that
  std::size_t iterations = 0;                 ///< that the provider needs at most, of 1,000
  std::vector<RefusedNode> refused{};         ///< in the order of execution
  std::vector<Finding> whole_model{};         ///< errors that are of no node: with one of them nothing runs
  std::vector<PartitionCause> causes{};       ///< the most useful first
  std::vector<ProviderOption> options{};      ///< for ONNX Runtime; empty without it
  std::optional<PartitionOutcome> advised{};  ///< with these options; nothing: they change nothing
  std::vector<ProfileInput> profile{};        ///< sizes of dynamic inputs, those of pieces included
  std::vector<std::string> notes{};           ///< what else is to be known, one line each
  PartitionGraph graph{};                     ///< for a picture
  std::size_t checks = 0;                     ///< of the model and of its pieces
};

/// @throws Error  an option makes no sense, or the profile does not fit the model
[[nodiscard]] TRTCHECK_API PartitionReport partition(const Model& model, const PartitionOptions& options = {});

/// Writes each piece that runs as a model of its own: "net.piece1.onnx" in `folder`, which is made. External data stays
/// where it is; a piece of a body gets the weights from outside. The report gets the names of the files, and a note for
/// a piece that cannot be written: a tensor between pieces has no known type, or several bodies have one name.
/// @param path    of the model that the report is about
/// @param check   its limits and its shape functions count
/// @throws Error  a file is there already, or cannot be written
TRTCHECK_API void write_pieces(const std::string& path, PartitionReport& report, const std::string& folder,
                               const CheckOptions& check = {});

/// Ends in a newline.
/// @throws Error  there is no such format (there are full, json and html)
[[nodiscard]] TRTCHECK_API std::string render(const PartitionReport& report, const RenderOptions& options);

}  // namespace trtcheck
