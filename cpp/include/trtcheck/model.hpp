// A read-only ONNX model: views into the bytes of the file, names resolved to ids.
//
// Nothing here owns weights: of a file its structure and small constants are read, and nothing is read of it later, so
// that whatever happens to the file does not change the model. Strings are views into these bytes or the caller's
// buffer, tensor data is an {offset, length} pair. All views and spans stay valid as long as the `Model` lives, also
// after it was moved.
//
//     trtcheck::Model model = trtcheck::read_model("resnet.onnx");
//     for (trtcheck::NodeId id : model.graph().order) {
//       const trtcheck::Node& node = model.node(id);
//       std::cout << node.op_type << " " << node.name << "\n";
//     }
//
// Ids: node, value, graph, tensor and type ids count from 0 and index one table per model each.
// Graph 0 is the main graph. The body of an If/Loop/Scan is a graph of its own, and so is *each call* of a
// model-local function (a clone of the definition with its attributes filled in), so that every graph that
// can be executed is a graph here and shapes are one flat table indexed by ValueId.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/error.hpp>
#include <trtcheck/export.hpp>

namespace trtcheck {

/// A strong index; default constructed it is "none".
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xffffffffU;  ///< the index of none
  std::uint32_t index = kNone;                         ///< into the table of its kind

  constexpr explicit operator bool() const noexcept { return index != kNone; }  ///< false for none
  friend constexpr auto operator<=>(const Id&, const Id&) = default;            ///< by index, none last
};
using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;
using GraphId = Id<struct GraphTag>;
using TensorId = Id<struct TensorTag>;
using TypeId = Id<struct TypeTag>;

/// ONNX element types with ONNX's numbers. A file may hold other numbers; they are kept as they are.
enum class DataType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,
  uint2 = 25,
  int2 = 26,
  float6e2m3 = 27,
  float6e3m2 = 28,
};

/// "FLOAT", "INT64", "FLOAT8E4M3FN", ... as in ONNX; "UNDEFINED(99)" for a number ONNX does not know.
TRTCHECK_API std::string to_string(DataType type);
/// Bits of one element: 32 for FLOAT, 4 for INT4; 0 for STRING and unknown numbers.
TRTCHECK_API int bits_of(DataType type) noexcept;

/// Bytes of the file, as {first byte, count}. `length` 0 is allowed.
struct ByteRange {
  std::uint64_t offset = 0;  ///< of the first byte in the file
  std::uint64_t length = 0;  ///< in bytes
};

/// A key and its value, as in metadata_props.
struct StringPair {
  std::string_view key;    ///< any text
  std::string_view value;  ///< any text
};

/// One dimension as the file states it. Neither number nor name: the file says nothing.
struct DeclaredDim {
  /// What the file gives.
  enum class Kind : std::uint8_t { unknown, value, param };
  Kind kind = Kind::unknown;  ///< which of the two is given
  std::int64_t value = 0;     ///< when kind == value; may be negative in a bad file
  std::string_view param;     ///< when kind == param; never empty (an empty name reads as unknown)
};

/// A declared type (ONNX TypeProto): a claim of the file, not a proof.
struct Type {
  /// What kind of type it is.
  enum class Kind : std::uint8_t { none, tensor, sparse_tensor, sequence, optional, map, opaque };
  Kind kind = Kind::none;                  ///< which other fields count
  DataType element = DataType::undefined;  ///< tensors: element type; map: key type
  bool has_shape = false;                  ///< tensors only; false = rank unknown
  std::span<const DeclaredDim> dims;       ///< when has_shape
  TypeId inner;                            ///< sequence, optional: element; map: value
};

/// A constant tensor of the file: initializer or attribute value. Data is not decoded.
struct Tensor {
  /// Where the elements are.
  enum class Data : std::uint8_t { none, raw, typed, external };
  std::string_view name;                 ///< "" for most attribute values
  DataType type = DataType::undefined;   ///< of an element
  std::span<const std::int64_t> dims;    ///< empty = scalar; entries may be negative in a bad file
  Data data = Data::none;                ///< where the elements are
  ByteRange raw;                         ///< data == raw: little-endian elements, not aligned
  std::span<const ByteRange> messages;   ///< the TensorProto itself, for typed data (several = merged)
  std::span<const StringPair> external;  ///< data == external: location, offset, length, checksum
  bool is_sparse = false;                ///< the values tensor of a SparseTensorProto; dims = dense dims
  /// Product of dims; nothing when a dim is negative or the product leaves int64.
  [[nodiscard]] TRTCHECK_API std::optional<std::int64_t> element_count() const noexcept;
};

enum class AttributeType : std::uint8_t {
  undefined = 0,
  float_ = 1,
  int_ = 2,
  string = 3,
  tensor = 4,
  graph = 5,
  floats = 6,
  ints = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,
  sparse_tensors = 12,
  type_proto = 13,
  type_protos = 14,
};

/// A node attribute. The accessors of another type than `type` return zero or empty.
class TRTCHECK_API Attribute {
 public:
  std::string_view name;                          ///< as ONNX calls it: "kernel_shape"
  std::string_view ref_attr_name;                 ///< inside function definitions only
  AttributeType type = AttributeType::undefined;  ///< which accessor has the value

  [[nodiscard]] float f() const noexcept;                                    ///< a float
  [[nodiscard]] std::int64_t i() const noexcept;                             ///< an int
  [[nodiscard]] std::string_view s() const noexcept;                         ///< a string; any bytes
  [[nodiscard]] TensorId t() const noexcept;                                 ///< also the values of a sparse tensor
  [[nodiscard]] GraphId g() const noexcept;                                  ///< a graph
  [[nodiscard]] TypeId tp() const noexcept;                                  ///< a type
  [[nodiscard]] std::span<const float> floats() const noexcept;              ///< a list of floats
  [[nodiscard]] std::span<const std::int64_t> ints() const noexcept;         ///< a list of ints
  [[nodiscard]] std::span<const std::string_view> strings() const noexcept;  ///< a list of strings
  [[nodiscard]] std::span<const TensorId> tensors() const noexcept;          ///< a list of tensors
  [[nodiscard]] std::span<const GraphId> graphs() const noexcept;            ///< a list of graphs
  [[nodiscard]] std::span<const TypeId> types() const noexcept;              ///< a list of types

 private:
  friend struct AttributeAccess;  // the reader fills it in
  union Scalar {
    float f;
    std::int64_t i;
    std::uint32_t id;
  } scalar_{.i = 0};
  const void* data_ = nullptr;  // list elements, or the characters of s
  std::size_t count_ = 0;
};

/// A call of an operator.
class TRTCHECK_API Node {
 public:
  std::string_view name;             ///< may be empty
  std::string_view op_type;          ///< "Conv"
  GraphId graph;                     ///< the graph that the node stands in
  std::uint32_t position = 0;        ///< index of the node in its graph, as in the file
  std::span<const ValueId> inputs;   ///< none for an omitted optional input
  std::span<const ValueId> outputs;  ///< none for an omitted optional output

  /// As listed. Nodes that state the same ones may share them.
  [[nodiscard]] std::span<const Attribute> attributes() const noexcept { return more_->attributes; }
  [[nodiscard]] std::string_view domain() const noexcept { return more_->domain; }          ///< "" for "ai.onnx", too
  [[nodiscard]] std::string_view overload() const noexcept { return more_->overload; }      ///< "" = none
  [[nodiscard]] std::string_view doc_string() const noexcept { return more_->doc_string; }  ///< may be empty
  /// metadata_props; exporters leave the Python stack here.
  [[nodiscard]] std::span<const StringPair> metadata() const noexcept { return more_->metadata; }
  /// The body, when the node calls a model-local function.
  [[nodiscard]] GraphId call() const noexcept { return more_->call; }

  /// The attribute of that name, or nullptr.
  [[nodiscard]] const Attribute* attribute(std::string_view attribute_name) const noexcept {
    for (const Attribute& a : attributes()) {
      if (a.name == attribute_name) return &a;
    }
    return nullptr;
  }
  [[nodiscard]] ValueId input(std::size_t i) const noexcept {
    return i < inputs.size() ? inputs[i] : ValueId{};
  }  ///< none beyond the last
  [[nodiscard]] ValueId output(std::size_t i) const noexcept {
    return i < outputs.size() ? outputs[i] : ValueId{};
  }  ///< none beyond the last

 private:
  friend struct NodeAccess;  // the reader fills it in
  /// What many nodes have in common, and what few state. There may be millions of nodes.
  struct More {
    std::span<const Attribute> attributes;
    std::string_view domain;
    std::string_view overload;
    std::string_view doc_string;
    std::span<const StringPair> metadata;
    GraphId call;
  };
  static const More kNothing;
  const More* more_ = &kNothing;
};

/// An input of a node that reads a value.
struct Use {
  NodeId node;              ///< the reader
  std::uint32_t input = 0;  ///< which of its inputs
};

/// One tensor name in one scope. A name captured from an outer graph is the outer graph's value.
struct Value {
  std::string_view name;       ///< unique in its graph
  GraphId graph;               ///< the scope that defines it (for undefined names: that uses it)
  NodeId producer;             ///< none for graph inputs, initializers, undefined names
  std::uint32_t output = 0;    ///< which output of the producer
  TensorId initializer;        ///< its data; for outputs of nodes none
  TypeId declared;             ///< from graph input/output/value_info; none if not stated
  bool is_input = false;       ///< listed as an input of its graph
  bool is_output = false;      ///< output of its graph, or of a body in it that hands it on
  bool is_defined = true;      ///< false: nothing produces it (see Defect)
  std::span<const Use> users;  ///< nodes that read it, nodes of inner graphs included
};

/// The main graph, a body of a control flow node, or a call of a function: nodes, and the values that they share.
struct Graph {
  /// What kind of graph it is.
  enum class Kind : std::uint8_t { main, body, function_call, function_definition };
  Kind kind = Kind::main;                  ///< definitions are for reading; nothing is inferred in them
  std::string_view name;                   ///< may be empty
  std::string_view doc_string;             ///< may be empty
  NodeId parent;                           ///< node that owns the body or makes the call; none for main
  std::string_view attribute;              ///< body: "then_branch", "body", ...
  std::uint32_t depth = 0;                 ///< 0 for main and definitions
  NodeId first_node;                       ///< the nodes of a graph are first_node .. first_node+node_count-1
  std::uint32_t node_count = 0;            ///< in file order
  std::span<const NodeId> order;           ///< all nodes, topologically sorted, stable; cyclic ones last
  std::span<const ValueId> inputs;         ///< as listed, initializers included
  std::span<const ValueId> outputs;        ///< as listed
  std::span<const TensorId> initializers;  ///< dense, then sparse
  std::span<const StringPair> metadata;    ///< metadata_props
  std::span<const ValueId> declared;       ///< values with a value_info entry
};

/// A version of an operator set that the model is written for.
struct OpsetImport {
  std::string_view domain;   ///< "" for ONNX's own
  std::int64_t version = 0;  ///< of the operator set
};

/// A model-local function (ONNX FunctionProto).
struct Function {
  std::string_view domain;                     ///< of the operator that it defines
  std::string_view name;                       ///< of the operator that it defines
  std::string_view overload;                   ///< "" = none
  GraphId definition;                          ///< kind function_definition: for reading; nothing is inferred in it
  std::span<const StringPair> metadata;        ///< metadata_props
  std::span<const OpsetImport> opset_imports;  ///< its own; the model's do not count inside
};

/// A flaw of the graph that the reader met and recorded. Rules turn these into findings.
struct Defect {
  /// What is wrong, and which ids say where.
  enum class Kind : std::uint8_t {
    duplicate_value,        ///< two producers of one name in one scope (value, node = the later one)
    undefined_input,        ///< an input that nothing produces (value, node)
    undefined_output,       ///< a graph output that nothing produces (value)
    unsorted,               ///< a node that reads a later node's output (value, node)
    cyclic,                 ///< a node that is part of, or after, a cycle (node)
    duplicate_initializer,  ///< two initializers of one name (value)
    recursive_function,     ///< a function that calls itself, directly or not (node)
    expansion_limit,        ///< function bodies beyond the limit were not entered (node)
  };
  Kind kind;      ///< what is wrong
  GraphId graph;  ///< where
  NodeId node;    ///< none unless the kind names one
  ValueId value;  ///< none unless the kind names one
};

/// Limits for hostile input; going beyond one is an `Error` that names it.
struct Limits {
  std::uint32_t graph_depth = 64;     ///< nested graphs
  std::uint32_t type_depth = 32;      ///< nested sequence/optional/map types
  std::uint32_t rank = 1024;          ///< dims of one tensor
  std::uint64_t nodes = 5'000'000;    ///< function calls expanded
  std::uint64_t tensors = 1'000'000;  ///< initializers and attribute values
  /// Work that calls of functions may add (nodes, plus 1 for each 64 bytes of the function), but at most 150,000 and
  /// 1 for each 64 bytes of the file. Calls beyond it are not entered: Defect::expansion_limit, not an error.
  std::uint64_t expansion = 500'000;
};

class Bytes;

/// A model that was read; see the top of this file. Views and spans live as long as it does.
class TRTCHECK_API Model {
 public:
  Model(Model&&) noexcept;             ///< ids and views stay valid
  Model& operator=(Model&&) noexcept;  ///< ids and views of the other stay valid
  ~Model();

  /// Path as given by the caller; "" for a model from memory.
  [[nodiscard]] const std::string& path() const noexcept;
  /// Folder against which external data is resolved; "" = unknown (model from memory).
  [[nodiscard]] const std::string& base_dir() const noexcept;
  /// Of the file; large weights of one that was read by its path are zeros.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;

  [[nodiscard]] std::int64_t ir_version() const noexcept;                     ///< 0 = not stated
  [[nodiscard]] std::string_view producer_name() const noexcept;              ///< "pytorch"
  [[nodiscard]] std::string_view producer_version() const noexcept;           ///< "2.13.0"
  [[nodiscard]] std::string_view domain() const noexcept;                     ///< of the model; often empty
  [[nodiscard]] std::int64_t model_version() const noexcept;                  ///< 0 = not stated
  [[nodiscard]] std::string_view doc_string() const noexcept;                 ///< may be empty
  [[nodiscard]] std::span<const OpsetImport> opset_imports() const noexcept;  ///< as listed
  [[nodiscard]] std::span<const StringPair> metadata() const noexcept;        ///< metadata_props
  [[nodiscard]] std::span<const Function> functions() const noexcept;         ///< model-local ones
  [[nodiscard]] std::span<const Defect> defects() const noexcept;             ///< in the order of the file
  /// How deep graphs are nested in the file (calls of functions do not count): 0 = no node has a body. Readers
  /// made with protobuf's defaults stop at 34.
  [[nodiscard]] std::uint32_t graph_depth() const noexcept;

  [[nodiscard]] const Graph& graph() const noexcept { return graph(GraphId{0}); }  ///< graph() is the main one
  [[nodiscard]] const Graph& graph(GraphId id) const noexcept;                     ///< none gives an empty one
  [[nodiscard]] const Node& node(NodeId id) const noexcept {                       ///< none gives an empty one
    return id.index < nodes_.size() ? nodes_[id.index] : no_node();
  }
  [[nodiscard]] const Value& value(ValueId id) const noexcept {  ///< none gives an empty one
    return id.index < values_.size() ? values_[id.index] : no_value();
  }
  [[nodiscard]] const Tensor& tensor(TensorId id) const noexcept;  ///< none gives an empty one
  [[nodiscard]] const Type& type(TypeId id) const noexcept;        ///< none gives an empty one
  [[nodiscard]] std::size_t graph_count() const noexcept;          ///< bodies and calls included
  [[nodiscard]] std::size_t node_count() const noexcept;           ///< of all graphs
  [[nodiscard]] std::size_t value_count() const noexcept;          ///< of all graphs
  [[nodiscard]] std::size_t tensor_count() const noexcept;         ///< initializers and attribute values

  /// Version of the operator set that the graph's nodes of `domain` belong to (function bodies have their
  /// own imports); nothing when it is not imported. A model without any import counts as opset 1.
  [[nodiscard]] std::optional<std::int64_t> opset(GraphId graph, std::string_view domain = "") const noexcept;

  /// The constant that the value is in the file, or none: an initializer (one that the main graph lists as an input
  /// too, whatever the IR version: TensorRT's parser leaves it out of the inputs, onnx-tensorrt ModelImporter.cpp
  /// importInputs), or the output of a Constant node with a tensor value. Not folded. A parameter of a body is fed
  /// with each call: its initializer is a default, no constant.
  [[nodiscard]] TensorId constant(ValueId id) const noexcept;

  /// True for an input of the main graph that the caller has to feed: one without an initializer.
  [[nodiscard]] bool is_network_input(ValueId id) const noexcept;

  /// "main", "main/If_3.then_branch", ...; nodes without a name appear as OpType_position. "" for none.
  [[nodiscard]] std::string graph_path(GraphId id) const;
  /// The node's name (cut above 1,000 bytes), or OpType_position. "" for none.
  [[nodiscard]] std::string node_label(NodeId id) const;

 private:
  friend struct ModelAccess;
  struct Impl;
  explicit Model(std::unique_ptr<Impl> impl) noexcept;
  static const Node& no_node() noexcept;
  static const Value& no_value() noexcept;

  std::unique_ptr<Impl> impl_;
  std::span<const Node> nodes_;    ///< of impl_: they are asked for more than all else
  std::span<const Value> values_;  ///< of impl_
};

/// Reads the file. O(file structure); weights are not touched.
/// @throws Error  unreadable file, or one that becomes shorter meanwhile; malformed protobuf (with byte offset), a
/// limit of `limits` exceeded
TRTCHECK_API Model read_model(const std::string& path, const Limits& limits = {});
/// Borrows `bytes`, which must outlive the model. `base_dir` is where external data would be.
TRTCHECK_API Model read_model(std::span<const std::byte> bytes, std::string base_dir = {}, const Limits& limits = {});

}  // namespace trtcheck
