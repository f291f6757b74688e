#include <algorithm>
#include <utility>

#include "model/model_data.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace {

bool has_id(AttributeType type, AttributeType wanted, std::uint32_t id) {
  return type == wanted && id != Id<void>::kNone;
}

template <class T>
std::span<const T> list_of(AttributeType type, AttributeType wanted, const void* data, std::size_t count) {
  if (type != wanted) return {};
  return {static_cast<const T*>(data), count};
}

std::optional<std::int64_t> version_of(std::span<const OpsetImport> imports, std::string_view domain) {
  // Of two of one domain the first counts for TensorRT (onnx-tensorrt ImporterContext.hpp addOpset, 10.10).
  const auto import = std::ranges::find(imports, domain, &OpsetImport::domain);
  return import == imports.end() ? std::nullopt : std::optional(import->version);
}

/// None is beyond every table.
template <class T>
const T& entry_of(const std::vector<T>& table, std::uint32_t index) noexcept {
  static constexpr T kNothing{};
  return index < table.size() ? table[index] : kNothing;
}

}  // namespace

const Node::More Node::kNothing{};

std::optional<std::int64_t> Tensor::element_count() const noexcept {
  std::int64_t count = 1;
  bool overflow = false;
  bool is_empty = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    is_empty = is_empty || dim == 0;
    overflow = overflow || (dim != 0 && __builtin_mul_overflow(count, dim, &count));
  }
  if (is_empty) return 0;
  if (overflow) return std::nullopt;
  return count;
}

float Attribute::f() const noexcept { return type == AttributeType::float_ ? scalar_.f : 0.0F; }
std::int64_t Attribute::i() const noexcept { return type == AttributeType::int_ ? scalar_.i : 0; }
std::string_view Attribute::s() const noexcept {
  if (type != AttributeType::string) return {};
  return {static_cast<const char*>(data_), count_};
}
TensorId Attribute::t() const noexcept {
  const bool mine = type == AttributeType::tensor || type == AttributeType::sparse_tensor;
  return mine ? TensorId{scalar_.id} : TensorId{};
}
GraphId Attribute::g() const noexcept {
  return has_id(type, AttributeType::graph, scalar_.id) ? GraphId{scalar_.id} : GraphId{};
}
TypeId Attribute::tp() const noexcept {
  return has_id(type, AttributeType::type_proto, scalar_.id) ? TypeId{scalar_.id} : TypeId{};
}
std::span<const float> Attribute::floats() const noexcept {
  return list_of<float>(type, AttributeType::floats, data_, count_);
}
std::span<const std::int64_t> Attribute::ints() const noexcept {
  return list_of<std::int64_t>(type, AttributeType::ints, data_, count_);
}
std::span<const std::string_view> Attribute::strings() const noexcept {
  return list_of<std::string_view>(type, AttributeType::strings, data_, count_);
}
std::span<const TensorId> Attribute::tensors() const noexcept {
  const auto wanted = type == AttributeType::sparse_tensors ? AttributeType::sparse_tensors : AttributeType::tensors;
  return list_of<TensorId>(type, wanted, data_, count_);
}
std::span<const GraphId> Attribute::graphs() const noexcept {
  return list_of<GraphId>(type, AttributeType::graphs, data_, count_);
}
std::span<const TypeId> Attribute::types() const noexcept {
  return list_of<TypeId>(type, AttributeType::type_protos, data_, count_);
}

Model::Model(std::unique_ptr<Impl> impl) noexcept
    : impl_(std::move(impl)), nodes_(impl_->nodes), values_(impl_->values) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const std::string& Model::path() const noexcept { return impl_->path; }
const std::string& Model::base_dir() const noexcept { return impl_->base_dir; }
std::span<const std::byte> Model::bytes() const noexcept { return impl_->bytes.span(); }
std::int64_t Model::ir_version() const noexcept { return impl_->ir_version; }
std::string_view Model::producer_name() const noexcept { return impl_->producer_name; }
std::string_view Model::producer_version() const noexcept { return impl_->producer_version; }
std::string_view Model::domain() const noexcept { return impl_->domain; }
std::int64_t Model::model_version() const noexcept { return impl_->model_version; }
std::string_view Model::doc_string() const noexcept { return impl_->doc_string; }
std::span<const OpsetImport> Model::opset_imports() const noexcept { return impl_->opset_imports; }
std::span<const StringPair> Model::metadata() const noexcept { return impl_->metadata; }
std::span<const Function> Model::functions() const noexcept { return impl_->functions; }
std::span<const Defect> Model::defects() const noexcept { return impl_->defects; }
std::uint32_t Model::graph_depth() const noexcept { return impl_->graph_depth; }

const Graph& Model::graph(GraphId id) const noexcept { return entry_of(impl_->graphs, id.index); }
const Node& Model::no_node() noexcept {
  static constexpr Node kNothing{};
  return kNothing;
}
const Value& Model::no_value() noexcept {
  static constexpr Value kNothing{};
  return kNothing;
}
const Tensor& Model::tensor(TensorId id) const noexcept { return entry_of(impl_->tensors, id.index); }
const Type& Model::type(TypeId id) const noexcept { return entry_of(impl_->types, id.index); }
std::size_t Model::graph_count() const noexcept { return impl_->graphs.size(); }
std::size_t Model::node_count() const noexcept { return impl_->nodes.size(); }
std::size_t Model::value_count() const noexcept { return impl_->values.size(); }
std::size_t Model::tensor_count() const noexcept { return impl_->tensors.size(); }

std::optional<std::int64_t> Model::opset(GraphId graph, std::string_view domain) const noexcept {
  if (domain == "ai.onnx") domain = {};
  const std::uint32_t function = graph ? impl_->function_of[graph.index] : ModelData::kMain;
  if (function != ModelData::kMain) return version_of(impl_->functions[function].opset_imports, domain);
  if (impl_->opset_imports.empty() && domain.empty()) return 1;
  return version_of(impl_->opset_imports, domain);
}

TensorId Model::constant(ValueId id) const noexcept {
  if (!id) return {};
  const Value& value = impl_->values[id.index];
  const bool is_fed = value.is_input && value.graph != GraphId{0};
  if (value.initializer) return is_fed ? TensorId{} : value.initializer;
  if (!value.producer) return {};
  const Node& node = impl_->nodes[value.producer.index];
  if (node.op_type != "Constant" || !node.domain().empty()) return {};
  const Attribute* attribute = node.attribute("value");
  return attribute == nullptr || attribute->type != AttributeType::tensor ? TensorId{} : attribute->t();
}

bool Model::is_network_input(ValueId id) const noexcept {
  const Value& found = value(id);
  return found.is_input && found.graph == GraphId{0} && !found.initializer;
}

std::string Model::node_label(NodeId id) const {
  if (!id) return {};
  const Node& node = impl_->nodes[id.index];
  if (!node.name.empty()) return shortened(node.name, kMaxKeptName);
  return shortened(node.op_type, kMaxKeptName) + "_" + std::to_string(node.position);
}

std::string Model::graph_path(GraphId id) const {
  if (!id) return {};
  std::vector<GraphId> chain{id};
  while (const NodeId parent = impl_->graphs[chain.back().index].parent)
    chain.push_back(impl_->nodes[parent.index].graph);
  std::string path;
  for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
    const Graph& graph = impl_->graphs[step->index];
    if (graph.parent) {
      path.append("/").append(node_label(graph.parent));
    } else {
      path.append(graph.kind == Graph::Kind::main ? "main" : "function ");
      if (graph.kind != Graph::Kind::main) path.append(graph.name);
    }
    if (graph.kind == Graph::Kind::body && !graph.attribute.empty()) path.append(".").append(graph.attribute);
  }
  return path;
}

}  // namespace trtcheck
