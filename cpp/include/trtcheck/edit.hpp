// Changes of an ONNX file, as values: places are named in the words of the file (positions, names), so that a change
// outlives the `Model` that it was thought out with.
//
//     using namespace trtcheck::edit;
//     const Edit edits[] = {SetAttribute{{{}, 17}, {"mode", std::string("constant")}}};
//     trtcheck::edit::apply("model.onnx", edits, "mended.onnx");
//
// All positions are those of the file before any of the changes. What no change touches is copied byte for byte, fields
// that ONNX does not know included; weights are copied by the kernel and never pass through memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::edit {

/// A graph of the file: the main graph, a function, or a body of a node in one of these.
struct GraphAt {
  /// One level down: the body that an attribute of a node holds.
  struct Step {
    std::uint32_t node = 0;                                      ///< position of the node in its graph
    std::string attribute;                                       ///< "then_branch", "body"
    std::uint32_t index = 0;                                     ///< among the graphs of all attributes of that name
    friend bool operator==(const Step&, const Step&) = default;  ///< the same body
  };
  std::optional<std::uint32_t> function{};  ///< position among the functions of the model; nothing = the main graph
  std::vector<Step> steps{};                ///< from there, outermost first
  friend bool operator==(const GraphAt&, const GraphAt&) = default;  ///< the same graph
};

/// A node of the file.
struct NodeAt {
  GraphAt graph{};                                                 ///< in which it stands
  std::uint32_t position = 0;                                      ///< among the nodes of that graph
  friend bool operator==(const NodeAt&, const NodeAt&) = default;  ///< the same node
};

/// Where a graph of a model stands in its file. The clone that a call made is its function: a change there changes all
/// calls.
[[nodiscard]] TRTCHECK_API GraphAt place_of(const Model& model, GraphId graph);
/// Where a node of a model stands in its file.
[[nodiscard]] TRTCHECK_API NodeAt place_of(const Model& model, NodeId node);

/// A stored tensor.
struct TensorValue {
  DataType type = DataType::undefined;  ///< of an element
  std::vector<std::int64_t> dims{};     ///< empty = scalar
  std::string bytes{};                  ///< elements as ONNX's raw_data: little-endian, row-major, 4-bit types packed
};

/// An attribute of a node.
struct AttributeValue {
  /// What an attribute may hold.
  using Value = std::variant<float, std::int64_t, std::string, std::vector<float>, std::vector<std::int64_t>,
                             std::vector<std::string>, TensorValue>;
  std::string name;  ///< "axis"
  Value value;       ///< its type is that of the alternative
};

/// A node that is not in the file yet.
struct NewNode {
  std::string op_type;                       ///< "Cast"
  std::vector<std::string> inputs{};         ///< names of values; "" = left out
  std::vector<std::string> outputs{};        ///< names of values; "" = left out
  std::vector<AttributeValue> attributes{};  ///< in this order
  std::string name{};                        ///< "" = none
  std::string domain{};                      ///< "" = ONNX
  /// A node of the file whose attributes (but those of the same name as one above), metadata and documentation it gets
  /// too; bodies and tensors in them are copied with the rest.
  std::optional<NodeAt> like{};
};

/// A dimension of a declared type: a number, the name of a symbol, or unknown.
using DimValue = std::variant<std::monostate, std::int64_t, std::string>;

/// The declared type of a tensor.
struct TypeValue {
  DataType type = DataType::undefined;          ///< of an element
  std::optional<std::vector<DimValue>> dims{};  ///< nothing = not even the rank
};

/// Gives a node an attribute, in place of the one of that name.
struct SetAttribute {
  NodeAt node;               ///< which
  AttributeValue attribute;  ///< name and value
};
/// Takes an attribute away. Error: the node does not have it.
struct RemoveAttribute {
  NodeAt node;       ///< which
  std::string name;  ///< of the attribute
};
/// Makes a node a call of another operator; its attributes stay.
struct SetOperator {
  NodeAt node;           ///< which
  std::string op_type;   ///< "Resize"
  std::string domain{};  ///< "" = ONNX
};
/// Gives a node all its inputs.
struct SetInputs {
  NodeAt node;                      ///< which
  std::vector<std::string> inputs;  ///< names; "" = left out
};
/// Changes one input; inputs before it that the node lacks are left out ("").
struct SetInput {
  NodeAt node;          ///< which
  std::uint32_t index;  ///< of the input
  std::string name;     ///< of the value
};
/// Gives a node all its outputs.
struct SetOutputs {
  NodeAt node;                       ///< which
  std::vector<std::string> outputs;  ///< names; "" = left out
};
/// Changes one output.
struct SetOutput {
  NodeAt node;          ///< which
  std::uint32_t index;  ///< of the output
  std::string name;     ///< of the value
};
/// Changes the name of a node (not of values).
struct RenameNode {
  NodeAt node;       ///< which
  std::string name;  ///< "" = none
};
/// Takes a node away, with what its attributes hold.
struct RemoveNode {
  NodeAt node;  ///< which
};
/// Puts a node into a graph. Several before one place stay in their order.
struct InsertNode {
  GraphAt graph;         ///< into which
  std::uint32_t before;  ///< position of a node of the file; the number of nodes = at the end
  NewNode node;          ///< what
};
/// Stores an initializer, in place of the one of that name. Functions have none: Error.
struct PutTensor {
  GraphAt graph;       ///< in which
  std::string name;    ///< of the value
  TensorValue tensor;  ///< what
};
/// Takes an initializer away, dense or sparse. Error: there is none of that name.
struct RemoveTensor {
  GraphAt graph;     ///< in which
  std::string name;  ///< of the value
};
/// Stores an initializer of one graph in another one too, in place of the one of that name; its elements are copied
/// where they lie.
struct CopyTensor {
  GraphAt from;      ///< graph that stores it
  std::string name;  ///< of the value there
  GraphAt to;        ///< where it is to be stored
  std::string as;    ///< name of the value there
};
/// Declares the type of a value: of the input or output of that name, else as value_info.
struct DeclareType {
  GraphAt graph;     ///< in which
  std::string name;  ///< of the value
  TypeValue type;    ///< what
};
/// Takes the value_info entries of a name away; without any, nothing happens.
struct RemoveDeclaration {
  GraphAt graph;     ///< in which
  std::string name;  ///< of the value
};
/// Imports an operator set, in place of the import of that domain.
struct ImportOpset {
  std::optional<std::uint32_t> function{};  ///< position of the function; nothing = the model
  std::string domain{};                     ///< "" = ONNX
  std::int64_t version = 0;                 ///< of the operator set
};
/// Takes the model's import of an operator set away. Error: it does not import the domain.
struct RemoveImport {
  std::string domain;  ///< "" = ONNX
};
/// Takes a function of the model away.
struct RemoveFunction {
  std::uint32_t position;  ///< among the functions of the model
};
/// Adds an input to the main graph or a body, after the others.
struct AddInput {
  GraphAt graph;     ///< to which
  std::string name;  ///< of the value
  TypeValue type;    ///< declared
};
/// Adds an output, after the others.
struct AddOutput {
  GraphAt graph;     ///< to which
  std::string name;  ///< of the value
  TypeValue type;    ///< declared
};
/// Takes an input of a graph away. Error: there is none of that name.
struct RemoveInput {
  GraphAt graph;     ///< from which
  std::string name;  ///< of the value
};
/// Takes an output of a graph away. Error: there is none of that name.
struct RemoveOutput {
  GraphAt graph;     ///< from which
  std::string name;  ///< of the value
};
/// Lets every node that reads a value read another one, in bodies too; outputs of graphs keep their names.
struct Rewire {
  GraphAt graph;     ///< that defines the value
  std::string from;  ///< the value that was read
  std::string to;    ///< the value that is read from now on
};

using Edit =
    std::variant<SetAttribute, RemoveAttribute, SetOperator, SetInputs, SetInput, SetOutputs, SetOutput, RenameNode,
                 RemoveNode, InsertNode, PutTensor, RemoveTensor, CopyTensor, DeclareType, RemoveDeclaration,
                 ImportOpset, RemoveImport, RemoveFunction, AddInput, AddOutput, RemoveInput, RemoveOutput, Rewire>;

/// Where the data of tensors goes when a model is written.
enum class DataPlace : std::uint8_t {
  kept,      ///< external data stays where it is; where the new file is in another folder, locations are rewritten
  copied,    ///< external data is copied into one file beside the new one, "net.onnx.data"
  inlined,   ///< all data becomes part of the new file, which must stay below 2 GB
  external,  ///< tensors of a kilobyte and more are moved out, into one file beside the new one, with external data
};

TRTCHECK_API std::string_view to_string(DataPlace place) noexcept;
/// @throws Error  there is no such place
TRTCHECK_API DataPlace parse_data_place(std::string_view name);

/// Reads the file, changes it, writes the result. `output` is replaced when all of it is written: until then, and
/// when anything fails, what was there stays untouched. It may be the file itself. Without edits the file is copied
/// byte for byte. A data file that `data` asks for must not exist yet.
/// @throws Error  the file cannot be read; a place does not exist; the file was written to meanwhile; cannot write;
///                external data is missing, too short or out of reach
TRTCHECK_API void apply(const std::string& path, std::span<const Edit> edits, const std::string& output,
                        const Limits& limits = {}, DataPlace data = DataPlace::kept);
/// The same in memory.
/// @throws Error  as above
[[nodiscard]] TRTCHECK_API std::string apply(std::span<const std::byte> model, std::span<const Edit> edits,
                                             const Limits& limits = {});

}  // namespace trtcheck::edit
