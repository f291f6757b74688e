// From bytes to ModelData. Graphs are read breadth first: a body is put on the list and read later, so nested
// graphs cost no stack and the nodes of one graph are neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>

#include "model/model_data.hpp"
#include "model/name_table.hpp"
#include "model/wire.hpp"

namespace trtcheck {

/// Of text that count as one unit of work, see Limits::expansion.
inline constexpr std::size_t kBytesPerUnit = 64;

class Reader {
 public:
  Reader(ModelData& data, const Limits& limits);
  /// @throws wire::Malformed
  void read(std::string_view file);

 private:
  using Strings = std::vector<std::string_view>;

  /// A graph (or function) whose text is known and which is still to be read.
  struct Source {
    std::span<const std::string_view> parts{};
    GraphId scope{};                               ///< where names that it does not define come from
    std::uint32_t nesting = 0;                     ///< of the message inside messages, calls not counted
    bool is_function = false;                      ///< parts are a FunctionProto
    bool in_call = false;                          ///< (part of) the clone that a call made
    std::span<const Attribute> call_attributes{};  ///< what the call gives for ref_attr_name
  };
  struct FunctionText {
    std::span<const std::string_view> parts;
    std::span<const Attribute> defaults;
    std::uint64_t cost = 0;
    bool reported = false;  ///< a recursive one is recorded once
  };
  /// The fields of one graph, by kind. Reused from graph to graph.
  struct GraphFields {
    Strings nodes, initializers, sparse, inputs, outputs, value_info, input_names, output_names, attribute_protos;
    std::vector<StringPair> metadata;
    void clear();
  };
  /// The fields of one attribute, before its type is known.
  struct AttributeFields {
    std::int32_t type = 0;
    float f = 0;
    std::int64_t i = 0;
    std::string_view s;
    wire::Message t, g, tp, sparse_tensor;
    std::vector<float> floats;
    std::vector<std::int64_t> ints;
    Strings strings, tensors, graphs, type_protos, sparse_tensors;
    std::uint32_t seen = 0;  ///< bit AttributeType of each payload that occurred
    void clear();
    void mark(AttributeType payload) { seen |= 1U << static_cast<std::uint32_t>(payload); }
    [[nodiscard]] AttributeType payload_type() const;
  };
  /// The attributes of one node, and what they were read from.
  struct SeenAttributes {
    Strings texts;
    const NodeAccess::More* kept = nullptr;  ///< holds nothing else
  };
  struct Pending {
    NodeId node;
    std::uint32_t input;
    std::string_view name;
    std::uint64_t hash;
  };

  // read_model.cpp
  void read_function_signature(std::string_view text);
  [[nodiscard]] std::uint64_t expansion_cost(std::string_view function) const;
  [[nodiscard]] std::span<const std::string_view> keep_parts(const wire::Message& message);
  GraphId enqueue(Graph::Kind kind, const Source& source, NodeId parent, std::string_view attribute,
                  std::uint32_t function);

  // read_graph.cpp
  void read_graph(GraphId id);
  void collect_graph(GraphId id, const Source& source);
  void collect_function(GraphId id, const Source& source);
  void read_inputs(GraphId id);
  void read_initializers(GraphId id);
  void read_outputs(GraphId id);
  void read_value_info(GraphId id);
  [[nodiscard]] ValueId add_value(GraphId graph, std::string_view name);
  [[nodiscard]] ValueId resolve(GraphId graph, std::string_view name, std::uint64_t hash) const;
  void resolve_pending();
  ValueId define_input(GraphId id, std::string_view name);
  ValueId define_output(GraphId id, std::string_view name);
  void record(Defect::Kind kind, GraphId graph, NodeId node, ValueId value);

  // read_node.cpp
  void read_node(GraphId id, std::string_view text, std::uint32_t position);
  void keep_more(Node& node, NodeId id, NodeAccess::More& more);
  void read_node_outputs(NodeId id, Node& node);
  void read_node_inputs(NodeId id, Node& node);
  void enter_call(NodeId id, Node& node);
  [[nodiscard]] std::uint32_t find_function(const Node& node) const;
  [[nodiscard]] bool is_recursive(GraphId graph, std::uint32_t function) const;
  bool spend(std::uint64_t cost, GraphId graph, NodeId node);

  // read_attribute.cpp
  bool read_attribute(std::string_view text, GraphId graph, NodeId owner, Attribute& attribute);
  void collect_attribute(std::string_view text, Attribute& attribute);
  void set_payload(Attribute& attribute, GraphId graph, NodeId owner);
  bool resolve_reference(Attribute& attribute, GraphId graph, NodeId owner);
  GraphId enqueue_body(const wire::Message& text, GraphId graph, NodeId owner, std::string_view attribute);
  GraphId enqueue_copy(GraphId body, GraphId graph, NodeId owner, std::string_view attribute);

  // read_tensor.cpp
  TensorId read_tensor(const wire::Message& message);
  TensorId read_sparse_tensor(const wire::Message& message);
  TypeId read_type(const wire::Message& message, std::uint32_t depth);
  void read_shape(const wire::Message& message, Type& type);
  static DeclaredDim read_dim(std::string_view text);
  static std::string_view typed_list(wire::Cursor& c, bool& has_typed);
  struct ValueInfo {
    std::string_view name;
    TypeId type;
  };
  ValueInfo read_value_info_entry(std::string_view text);
  static StringPair read_pair(std::string_view text);
  static OpsetImport read_opset_import(std::string_view text);

  ModelData& data_;
  const Limits& limits_;
  NameTable names_;
  const char* base_ = nullptr;
  std::vector<Source> sources_;  ///< per graph
  std::vector<FunctionText> functions_;
  std::vector<std::uint32_t> function_order_;  ///< sorted by name, domain, overload
  std::uint64_t expanded_ = 0;                 ///< of Limits::expansion
  bool expansion_reported_ = false;

  GraphFields graph_;
  AttributeFields attribute_;
  Strings node_inputs_, node_outputs_, node_attributes_;
  std::vector<StringPair> pairs_, pairs_scratch_;
  std::vector<Attribute> attributes_;
  std::array<SeenAttributes, 256> seen_attributes_;  ///< by hash of the texts: those read last
  std::vector<ValueId> ids_;
  std::vector<Pending> pending_;
  std::vector<std::int64_t> dims_;
  std::vector<DeclaredDim> declared_dims_;
};

/// Users, execution order and the defects that follow from them (link.cpp).
void link(ModelData& data);

/// What the bytes look like when they are no ONNX model: "the text of a Git LFS pointer ..."; empty if unknown.
std::string_view recognise_other_format(std::string_view file);

}  // namespace trtcheck
