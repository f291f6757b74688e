#include "check/structure.hpp"

#include <bit>
#include <optional>

#include "model/tensor_values.hpp"
#include "text/hash.hpp"

namespace trtcheck {
namespace {

// Sizes, axes and permutations are structure; longer lists are data.
constexpr std::int64_t kSmallTensor = 32;

// What a number stands for; never change one, they are part of every fingerprint.
enum Salt : std::uint64_t {
  kOmitted = 1,
  kConstant = 2,
  kMainInput = 3,
  kInnerInput = 4,
  kUndefined = 5,
  kProduced = 6,
  kOperation = 7,
  kAttribute = 8,
  kTensor = 9,
  kBody = 10,
  kNode = 11,
  kPlace = 12,
  kContents = 13,
  kType = 14,
};

std::uint64_t type_of(const Model& model, TypeId id) {
  Hash hash(kType);
  if (!id) return hash.value();
  const Type& type = model.type(id);
  // Not the dims: a model exported for another batch size is the same model.
  hash.add(static_cast<std::uint64_t>(type.kind)).add(static_cast<std::uint64_t>(type.element));
  return hash.add(type.has_shape ? type.dims.size() + 1 : 0).value();
}

}  // namespace

std::uint64_t Structure::place(GraphId id) const {
  Hash hash(kPlace);
  while (true) {
    const Graph& graph = model_->graph(id);
    hash.add(static_cast<std::uint64_t>(graph.kind)).add(graph.attribute);
    if (!graph.parent) return hash.value();
    const Node& parent = model_->node(graph.parent);
    hash.add(parent.domain()).add(parent.op_type).add(parent.overload());
    id = parent.graph;
  }
}

std::uint64_t Structure::tensor(TensorId id) const {
  const Tensor& tensor = model_->tensor(id);
  Hash hash(kTensor);
  hash.add(static_cast<std::uint64_t>(tensor.type)).add(tensor.dims.size());
  for (std::int64_t dim : tensor.dims) hash.add(static_cast<std::uint64_t>(dim));
  // Other types hold weights, scales and zero points, which change with every training or calibration.
  if (tensor.type != DataType::int64 && tensor.type != DataType::boolean) return hash.value();
  if (const auto contents = decode_ints(*model_, tensor, kSmallTensor)) {
    hash.add(kContents);
    for (std::int64_t element : *contents) hash.add(static_cast<std::uint64_t>(element));
  }
  return hash.value();
}

std::uint64_t Structure::body(GraphId id) {
  const Graph& graph = model_->graph(id);
  std::uint64_t sum = 0;  // in no order
  for (std::uint32_t i = 0; i < graph.node_count; ++i) {
    const Node& node = model_->node(NodeId{graph.first_node.index + i});
    sum += Hash(kOperation).add(node.domain()).add(node.op_type).value();
  }
  return Hash(kBody).add(graph.inputs.size()).add(graph.outputs.size()).add(sum).value();
}

std::uint64_t Structure::attribute(const Attribute& a) {
  Hash hash(kAttribute);
  hash.add(a.name).add(static_cast<std::uint64_t>(a.type));
  hash.add(std::bit_cast<std::uint32_t>(a.f())).add(static_cast<std::uint64_t>(a.i())).add(a.s());
  if (a.t()) hash.add(tensor(a.t()));
  if (a.g()) hash.add(body(a.g()));
  if (a.tp()) hash.add(type_of(*model_, a.tp()));
  for (float element : a.floats()) hash.add(std::bit_cast<std::uint32_t>(element));
  for (std::int64_t element : a.ints()) hash.add(static_cast<std::uint64_t>(element));
  for (std::string_view element : a.strings()) hash.add(element);
  for (TensorId element : a.tensors()) hash.add(tensor(element));
  for (GraphId element : a.graphs()) hash.add(body(element));
  for (TypeId element : a.types()) hash.add(type_of(*model_, element));
  return hash.value();
}

std::uint64_t Structure::operation(NodeId id) {
  if (const auto known = operations_.find(id.index); known != operations_.end()) return known->second;
  const Node& node = model_->node(id);
  std::uint64_t attributes = 0;  // their order means nothing
  for (const Attribute& each : node.attributes()) attributes += attribute(each);
  const std::uint64_t made =
      Hash(kOperation).add(node.domain()).add(node.op_type).add(node.overload()).add(attributes).value();
  operations_.emplace(id.index, made);
  return made;
}

std::uint64_t Structure::graph_input(const Value& value, ValueId id) {
  const Graph& graph = model_->graph(value.graph);
  if (graph.kind == Graph::Kind::main) {
    return Hash(kMainInput).add(value.name).add(type_of(*model_, value.declared)).value();
  }
  if (!positions_.contains(id.index)) {
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) positions_.emplace(graph.inputs[i].index, i);
  }
  return Hash(kInnerInput).add(place(value.graph)).add(positions_[id.index]).value();
}

std::uint64_t Structure::value(ValueId id, std::uint32_t depth) {
  if (!id) return Hash(kOmitted).value();
  const Value& value = model_->value(id);
  if (value.initializer) return Hash(kConstant).add(tensor(value.initializer)).value();
  if (const TensorId constant = model_->constant(id)) return Hash(kConstant).add(tensor(constant)).value();
  if (value.producer) return Hash(kProduced).add(value.output).add(node(value.producer, depth)).value();
  return value.is_input ? graph_input(value, id) : Hash(kUndefined).value();
}

std::uint64_t Structure::node(NodeId id, std::uint32_t depth) {
  if (depth == 0) return operation(id);
  const std::uint64_t key = (std::uint64_t{depth} << 32U) | id.index;
  if (const auto known = nodes_.find(key); known != nodes_.end()) return known->second;
  Hash hash(kNode);
  hash.add(operation(id));
  for (ValueId input : model_->node(id).inputs) hash.add(value(input, depth - 1));
  nodes_.emplace(key, hash.value());
  return hash.value();
}

}  // namespace trtcheck
