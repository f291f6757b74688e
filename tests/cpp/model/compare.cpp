#include "compare.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>

#include "model/partial.hpp"
#include "model/tensor_values.hpp"

namespace trtcheck::test {
namespace {

struct Difference {
  std::string where;
};

// Large enough for the tensors of the test data, small enough for hostile dims.
constexpr std::int64_t kElements = 100'000;

std::string_view onnx_domain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string_view{} : std::string_view(domain);
}

class Comparison {
 public:
  explicit Comparison(const Model& model) : m_(model) {}

  void model(const onnx::ModelProto& p) {
    equal(p.ir_version(), m_.ir_version(), "ir_version");
    equal(p.model_version(), m_.model_version(), "model_version");
    equal(p.producer_name(), m_.producer_name(), "producer_name");
    equal(p.producer_version(), m_.producer_version(), "producer_version");
    equal(p.domain(), m_.domain(), "domain");
    equal(p.doc_string(), m_.doc_string(), "doc_string");
    opsets(p.opset_import(), m_.opset_imports(), "opset_import");
    pairs(p.metadata_props(), m_.metadata(), "metadata_props");
    graph(p.graph(), m_.graph(), GraphId{0}, "graph");
    equal(p.functions_size(), m_.functions().size(), "functions");
    for (int i = 0; i < p.functions_size(); ++i)
      function(p.functions(i), m_.functions()[static_cast<std::size_t>(i)], at("functions", i));
  }

 private:
  static std::string at(const std::string& where, auto i) { return where + "[" + std::to_string(i) + "]"; }

  template <class A, class B>
  static void equal(const A& theirs, const B& ours, const std::string& where) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B> && !std::is_same_v<A, bool>) {
      if (!std::cmp_equal(theirs, ours)) throw Difference{where};
    } else {
      if (!(theirs == ours)) throw Difference{where};
    }
  }

  static void pairs(const auto& theirs, std::span<const StringPair> ours, const std::string& where) {
    equal(theirs.size(), ours.size(), where);
    for (int i = 0; i < theirs.size(); ++i) {
      equal(theirs[i].key(), ours[static_cast<std::size_t>(i)].key, at(where, i));
      equal(theirs[i].value(), ours[static_cast<std::size_t>(i)].value, at(where, i));
    }
  }

  static void opsets(const auto& theirs, std::span<const OpsetImport> ours, const std::string& where) {
    equal(theirs.size(), ours.size(), where);
    for (int i = 0; i < theirs.size(); ++i) {
      equal(onnx_domain(theirs[i].domain()), ours[static_cast<std::size_t>(i)].domain, at(where, i));
      equal(theirs[i].version(), ours[static_cast<std::size_t>(i)].version, at(where, i));
    }
  }

  void names(const auto& theirs, std::span<const ValueId> ours, const std::string& where, auto name_of) const {
    equal(theirs.size(), ours.size(), where);
    for (int i = 0; i < theirs.size(); ++i) {
      const ValueId id = ours[static_cast<std::size_t>(i)];
      equal(name_of(theirs[i]), id ? m_.value(id).name : std::string_view{}, at(where, i));
    }
  }

  void shape(const onnx::TensorShapeProto& p, const Type& type, const std::string& where) const {
    equal(p.dim_size(), type.dims.size(), where + ".dims");
    for (int i = 0; i < p.dim_size(); ++i) {
      const auto& theirs = p.dim(i);
      const DeclaredDim& ours = type.dims[static_cast<std::size_t>(i)];
      auto kind = DeclaredDim::Kind::unknown;
      if (theirs.has_dim_value()) kind = DeclaredDim::Kind::value;
      if (theirs.has_dim_param() && !theirs.dim_param().empty()) kind = DeclaredDim::Kind::param;
      equal(kind, ours.kind, at(where + ".dims", i));
      if (kind == DeclaredDim::Kind::value) equal(theirs.dim_value(), ours.value, at(where + ".dims", i));
      if (kind == DeclaredDim::Kind::param) equal(theirs.dim_param(), ours.param, at(where + ".dims", i));
    }
  }

  void inner(bool is_there, const onnx::TypeProto& p, const Type& ours, const std::string& where) const {
    equal(is_there, static_cast<bool>(ours.inner), where + ".inner");
    if (is_there) type(p, m_.type(ours.inner), where + ".inner");
  }

  void type(const onnx::TypeProto& p, const Type& ours, const std::string& where) const {
    const auto element = static_cast<std::int32_t>(ours.element);
    switch (p.value_case()) {
      case onnx::TypeProto::kTensorType:
        equal(Type::Kind::tensor, ours.kind, where);
        equal(p.tensor_type().elem_type(), element, where);
        equal(p.tensor_type().has_shape(), ours.has_shape, where);
        return shape(p.tensor_type().shape(), ours, where);
      case onnx::TypeProto::kSparseTensorType:
        equal(Type::Kind::sparse_tensor, ours.kind, where);
        equal(p.sparse_tensor_type().elem_type(), element, where);
        equal(p.sparse_tensor_type().has_shape(), ours.has_shape, where);
        return shape(p.sparse_tensor_type().shape(), ours, where);
      case onnx::TypeProto::kSequenceType:
        equal(Type::Kind::sequence, ours.kind, where);
        return inner(p.sequence_type().has_elem_type(), p.sequence_type().elem_type(), ours, where);
      case onnx::TypeProto::kOptionalType:
        equal(Type::Kind::optional, ours.kind, where);
        return inner(p.optional_type().has_elem_type(), p.optional_type().elem_type(), ours, where);
      case onnx::TypeProto::kMapType:
        equal(Type::Kind::map, ours.kind, where);
        equal(p.map_type().key_type(), element, where);
        return inner(p.map_type().has_value_type(), p.map_type().value_type(), ours, where);
      case onnx::TypeProto::kOpaqueType:
        return equal(Type::Kind::opaque, ours.kind, where);
      case onnx::TypeProto::VALUE_NOT_SET:
        return equal(Type::Kind::none, ours.kind, where);
    }
  }

  void tensor(const onnx::TensorProto& p, const Tensor& ours, bool is_sparse, const std::string& where) const {
    equal(p.name(), ours.name, where + ".name");
    equal(p.data_type(), static_cast<std::int32_t>(ours.type), where + ".data_type");
    equal(is_sparse, ours.is_sparse, where + ".is_sparse");
    if (!is_sparse) {
      equal(true, std::equal(p.dims().begin(), p.dims().end(), ours.dims.begin(), ours.dims.end()), where + ".dims");
    }
    pairs(p.external_data(), ours.external, where + ".external_data");
    const bool is_typed = p.float_data_size() + p.int32_data_size() + p.int64_data_size() + p.double_data_size() +
                              p.uint64_data_size() + p.string_data_size() >
                          0;
    auto data = Tensor::Data::none;
    if (is_typed) data = Tensor::Data::typed;
    if (p.has_raw_data() && (!is_typed || !p.raw_data().empty())) data = Tensor::Data::raw;
    if (p.data_location() == onnx::TensorProto::EXTERNAL) data = Tensor::Data::external;
    equal(data, ours.data, where + ".data");
    if (data == Tensor::Data::raw) {
      equal(p.raw_data().size(), ours.raw.length, where + ".raw_data");
      if (is_missing(m_, ours.raw)) return;  // large weights are not read
      equal(0, std::memcmp(p.raw_data().data(), m_.bytes().data() + ours.raw.offset, p.raw_data().size()),
            where + ".raw_data");
    }
    if (data == Tensor::Data::typed && !is_sparse) typed(p, ours, where + ".typed");
  }

  template <class T>
  void elements(const auto& theirs, const std::optional<std::vector<T>>& ours, const Tensor& t,
                const std::string& where) const {
    const bool fits = t.element_count() == theirs.size() && theirs.size() <= kElements;
    equal(fits, ours.has_value(), where);
    if (fits) {
      const auto same = [](const auto& a, const auto& b) {
        if constexpr (std::is_floating_point_v<T>) {
          return static_cast<double>(a) == b || (a != a && b != b);
        } else {
          return static_cast<T>(a) == b;
        }
      };
      equal(true, std::equal(theirs.begin(), theirs.end(), ours->begin(), ours->end(), same), where);
    }
  }

  void typed(const onnx::TensorProto& p, const Tensor& t, const std::string& where) const {
    switch (t.type) {
      case DataType::float32:
        return elements(p.float_data(), decode_floats(m_, t, kElements), t, where);
      case DataType::float64:
        return elements(p.double_data(), decode_floats(m_, t, kElements), t, where);
      case DataType::int32:
        return elements(p.int32_data(), decode_ints(m_, t, kElements), t, where);
      case DataType::int64:
        return elements(p.int64_data(), decode_ints(m_, t, kElements), t, where);
      case DataType::string:
        return elements(p.string_data(), decode_strings(m_, t, kElements), t, where);
      case DataType::uint64:
        return equal(p.uint64_data_size(), typed_element_count(m_, t).value_or(0), where);
      case DataType::complex64:
        return equal(p.float_data_size() / 2, typed_element_count(m_, t).value_or(0), where);
      default:
        return;
    }
  }

  void sparse(const onnx::SparseTensorProto& p, const Tensor& ours, const std::string& where) const {
    equal(true, std::equal(p.dims().begin(), p.dims().end(), ours.dims.begin(), ours.dims.end()), where + ".dims");
    tensor(p.values(), ours, true, where + ".values");
  }

  static AttributeType type_of(const onnx::AttributeProto& p) {
    if (p.type() != onnx::AttributeProto::UNDEFINED) return static_cast<AttributeType>(p.type());
    std::vector<AttributeType> there;
    const auto add = [&](bool is_there, AttributeType type) {
      if (is_there) there.push_back(type);
    };
    add(p.has_f(), AttributeType::float_);
    add(p.has_i(), AttributeType::int_);
    add(p.has_s(), AttributeType::string);
    add(p.has_t(), AttributeType::tensor);
    add(p.has_g(), AttributeType::graph);
    add(p.has_tp(), AttributeType::type_proto);
    add(p.has_sparse_tensor(), AttributeType::sparse_tensor);
    add(p.floats_size() > 0, AttributeType::floats);
    add(p.ints_size() > 0, AttributeType::ints);
    add(p.strings_size() > 0, AttributeType::strings);
    add(p.tensors_size() > 0, AttributeType::tensors);
    add(p.graphs_size() > 0, AttributeType::graphs);
    add(p.type_protos_size() > 0, AttributeType::type_protos);
    add(p.sparse_tensors_size() > 0, AttributeType::sparse_tensors);
    return there.size() == 1 ? there[0] : AttributeType::undefined;
  }

  void attribute(const onnx::AttributeProto& p, const Attribute& a, const std::string& where) {
    equal(p.name(), a.name, where + ".name");
    equal(p.ref_attr_name(), a.ref_attr_name, where + ".ref_attr_name");
    const AttributeType type_there = type_of(p);
    equal(type_there, a.type, where + ".type");
    const auto is = [&](AttributeType wanted) { return type_there == wanted; };
    const float f = is(AttributeType::float_) ? p.f() : 0.0F;
    const float ours_f = a.f();
    equal(std::bit_cast<std::uint32_t>(f), std::bit_cast<std::uint32_t>(ours_f), where + ".f");
    equal(is(AttributeType::int_) ? p.i() : 0, a.i(), where + ".i");
    equal(is(AttributeType::string) ? p.s() : std::string(), a.s(), where + ".s");
    if (is(AttributeType::floats)) {
      equal(p.floats_size(), a.floats().size(), where + ".floats");
      if (!a.floats().empty())
        equal(0, std::memcmp(p.floats().data(), a.floats().data(), a.floats().size_bytes()), where + ".floats");
    }
    if (is(AttributeType::ints)) {
      equal(true, std::equal(p.ints().begin(), p.ints().end(), a.ints().begin(), a.ints().end()), where + ".ints");
    }
    if (is(AttributeType::strings)) {
      equal(true, std::equal(p.strings().begin(), p.strings().end(), a.strings().begin(), a.strings().end()),
            where + ".strings");
    }
    equal(is(AttributeType::tensor) || is(AttributeType::sparse_tensor), static_cast<bool>(a.t()), where + ".t");
    if (is(AttributeType::tensor)) tensor(p.t(), m_.tensor(a.t()), false, where + ".t");
    if (is(AttributeType::sparse_tensor)) sparse(p.sparse_tensor(), m_.tensor(a.t()), where + ".sparse_tensor");
    if (is(AttributeType::type_proto)) type(p.tp(), m_.type(a.tp()), where + ".tp");
    if (is(AttributeType::graph)) graph(p.g(), m_.graph(a.g()), a.g(), where + ".g");
    if (is(AttributeType::graphs)) {
      equal(p.graphs_size(), a.graphs().size(), where + ".graphs");
      for (int i = 0; i < p.graphs_size(); ++i) {
        const GraphId id = a.graphs()[static_cast<std::size_t>(i)];
        graph(p.graphs(i), m_.graph(id), id, at(where + ".graphs", i));
      }
    }
    if (is(AttributeType::tensors)) {
      equal(p.tensors_size(), a.tensors().size(), where + ".tensors");
      for (int i = 0; i < p.tensors_size(); ++i) {
        tensor(p.tensors(i), m_.tensor(a.tensors()[static_cast<std::size_t>(i)]), false, at(where + ".tensors", i));
      }
    }
    if (is(AttributeType::sparse_tensors))
      equal(p.sparse_tensors_size(), a.tensors().size(), where + ".sparse_tensors");
    if (is(AttributeType::type_protos)) {
      equal(p.type_protos_size(), a.types().size(), where + ".type_protos");
      for (int i = 0; i < p.type_protos_size(); ++i) {
        type(p.type_protos(i), m_.type(a.types()[static_cast<std::size_t>(i)]), at(where + ".type_protos", i));
      }
    }
  }

  void nodes(const auto& theirs, const Graph& ours, GraphId id, const std::string& where) {
    const auto self = [](const std::string& name) -> const std::string& { return name; };
    equal(theirs.size(), ours.node_count, where + ".node");
    equal(theirs.size(), ours.order.size(), where + ".order");
    for (int i = 0; i < theirs.size(); ++i) {
      const onnx::NodeProto& p = theirs[i];
      const Node& n = m_.node(NodeId{ours.first_node.index + static_cast<std::uint32_t>(i)});
      const std::string place = at(where + ".node", i);
      equal(p.name(), n.name, place + ".name");
      equal(p.op_type(), n.op_type, place + ".op_type");
      equal(onnx_domain(p.domain()), n.domain(), place + ".domain");
      equal(p.overload(), n.overload(), place + ".overload");
      equal(p.doc_string(), n.doc_string(), place + ".doc_string");
      equal(true, n.graph == id && std::cmp_equal(n.position, i), place + ".position");
      names(p.input(), n.inputs, place + ".input", self);
      names(p.output(), n.outputs, place + ".output", self);
      pairs(p.metadata_props(), n.metadata(), place + ".metadata_props");
      equal(p.attribute_size(), n.attributes().size(), place + ".attribute");
      for (int k = 0; k < p.attribute_size(); ++k) {
        attribute(p.attribute(k), n.attributes()[static_cast<std::size_t>(k)], at(place + ".attribute", k));
      }
    }
  }

  void graph(const onnx::GraphProto& p, const Graph& ours, GraphId id, const std::string& where) {
    const auto name_of = [](const onnx::ValueInfoProto& info) -> const std::string& { return info.name(); };
    equal(p.name(), ours.name, where + ".name");
    equal(p.doc_string(), ours.doc_string, where + ".doc_string");
    pairs(p.metadata_props(), ours.metadata, where + ".metadata_props");
    names(p.input(), ours.inputs, where + ".input", name_of);
    names(p.output(), ours.outputs, where + ".output", name_of);
    nodes(p.node(), ours, id, where);
    equal(p.initializer_size() + p.sparse_initializer_size(), ours.initializers.size(), where + ".initializer");
    std::size_t next = 0;
    for (const auto& t : p.initializer())
      tensor(t, m_.tensor(ours.initializers[next++]), false, where + ".initializer");
    for (const auto& t : p.sparse_initializer())
      sparse(t, m_.tensor(ours.initializers[next++]), where + ".sparse_initializer");
    declared(p, ours, id, where);
  }

  /// Inputs first, then outputs, then value_info; names that occur twice are left to the tests of defects.
  void declared(const onnx::GraphProto& p, const Graph& ours, GraphId id, const std::string& where) const {
    std::map<std::string, int> count;
    std::map<std::string, const onnx::TypeProto*> types;
    for (const auto* list : {&p.input(), &p.output(), &p.value_info()}) {
      for (const auto& info : *list) {
        ++count[info.name()];
        if (info.type().value_case() != onnx::TypeProto::VALUE_NOT_SET) types.emplace(info.name(), &info.type());
      }
    }
    const auto check = [&](ValueId value) {
      const Value& v = m_.value(value);
      if (v.graph != id || v.name.empty() || count[std::string(v.name)] != 1) return;
      const auto found = types.find(std::string(v.name));
      equal(found != types.end(), static_cast<bool>(v.declared), where + ".declared");
      if (found != types.end()) type(*found->second, m_.type(v.declared), where + ".declared");
    };
    for (const auto list : {ours.inputs, ours.outputs, ours.declared}) std::for_each(list.begin(), list.end(), check);
  }

  void function(const onnx::FunctionProto& p, const Function& ours, const std::string& where) {
    const auto self = [](const std::string& name) -> const std::string& { return name; };
    equal(p.name(), ours.name, where + ".name");
    equal(onnx_domain(p.domain()), ours.domain, where + ".domain");
    equal(p.overload(), ours.overload, where + ".overload");
    opsets(p.opset_import(), ours.opset_imports, where + ".opset_import");
    pairs(p.metadata_props(), ours.metadata, where + ".metadata_props");
    const Graph& definition = m_.graph(ours.definition);
    equal(Graph::Kind::function_definition, definition.kind, where + ".definition");
    names(p.input(), definition.inputs, where + ".input", self);
    names(p.output(), definition.outputs, where + ".output", self);
    nodes(p.node(), definition, ours.definition, where);
  }

  const Model& m_;
};

}  // namespace

std::string first_difference(const onnx::ModelProto& proto, const Model& model) {
  try {
    Comparison(model).model(proto);
    return {};
  } catch (const Difference& difference) {
    return difference.where;
  }
}

}  // namespace trtcheck::test
