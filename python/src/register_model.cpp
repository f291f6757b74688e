#include "data_type.hpp"
#include "owners.hpp"
#include "pickling.hpp"
#include "registers.hpp"
#include "text.hpp"

#include <pybind11/native_enum.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <variant>

namespace trtcheck::python {
namespace {

py::typing::Dict<py::str, py::str> pairs(std::span<const StringPair> entries) {
  py::typing::Dict<py::str, py::str> made;
  for (const StringPair& entry : entries) made[text(entry.key)] = text(entry.value);
  return made;
}

py::typing::Dict<py::str, py::int_> opsets(std::span<const OpsetImport> imports) {
  py::typing::Dict<py::str, py::int_> made;
  for (const OpsetImport& entry : imports) made[text(entry.domain)] = entry.version;
  return made;
}

template <class IdType>
std::vector<View<IdType>> views(const ModelPtr& owner, std::span<const IdType> ids) {
  std::vector<View<IdType>> made;
  made.reserve(ids.size());
  for (const IdType id : ids) made.push_back({owner, id});
  return made;
}

/// Keeps the place of an omitted input or output.
std::vector<std::optional<ValueView>> slots(const ModelPtr& owner, std::span<const ValueId> ids) {
  std::vector<std::optional<ValueView>> made;
  made.reserve(ids.size());
  for (const ValueId id : ids) made.push_back(view(owner, id));
  return made;
}

template <class IdType>
std::vector<View<IdType>> first_views(const ModelPtr& owner, std::uint32_t first, std::size_t count) {
  std::vector<View<IdType>> made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i) made.push_back({owner, IdType{first + static_cast<std::uint32_t>(i)}});
  return made;
}

using AttributeValue = std::variant<std::monostate, double, std::int64_t, py::str, TensorView, GraphView, TypeView,
                                    std::vector<double>, std::vector<std::int64_t>, std::vector<py::str>,
                                    std::vector<TensorView>, std::vector<GraphView>, std::vector<TypeView>>;

AttributeValue attribute_value(const AttributeView& v) {
  const Attribute& a = *v.attribute;
  switch (a.type) {
    case AttributeType::float_:
      return double{a.f()};
    case AttributeType::int_:
      return a.i();
    case AttributeType::string:
      return text(a.s());
    case AttributeType::tensor:
    case AttributeType::sparse_tensor:
      return a.t() ? AttributeValue(TensorView{v.owner, a.t()}) : AttributeValue();
    case AttributeType::graph:
      return a.g() ? AttributeValue(GraphView{v.owner, a.g()}) : AttributeValue();
    case AttributeType::type_proto:
      return a.tp() ? AttributeValue(TypeView{v.owner, a.tp()}) : AttributeValue();
    case AttributeType::floats:
      return std::vector<double>(a.floats().begin(), a.floats().end());
    case AttributeType::ints:
      return std::vector<std::int64_t>(a.ints().begin(), a.ints().end());
    case AttributeType::strings:
      return texts(a.strings());
    case AttributeType::tensors:
    case AttributeType::sparse_tensors:
      return views(v.owner, a.tensors());
    case AttributeType::graphs:
      return views(v.owner, a.graphs());
    case AttributeType::type_protos:
      return views(v.owner, a.types());
    case AttributeType::undefined:
      break;
  }
  return {};
}

std::vector<std::variant<std::int64_t, py::str, std::monostate>> declared_dims(const Type& type) {
  std::vector<std::variant<std::int64_t, py::str, std::monostate>> made;
  for (const DeclaredDim& dim : type.dims) {
    switch (dim.kind) {
      case DeclaredDim::Kind::value:
        made.emplace_back(dim.value);
        break;
      case DeclaredDim::Kind::param:
        made.emplace_back(text(dim.param));
        break;
      case DeclaredDim::Kind::unknown:
        made.emplace_back(std::monostate{});
        break;
    }
  }
  return made;
}

/// "FLOAT[N,3,?]"
std::string type_text(const Type& type) {
  std::string made = to_string(type.element);
  if (!type.has_shape) return made;
  std::string dims;
  for (const DeclaredDim& dim : type.dims) {
    if (!dims.empty()) dims += ",";
    dims += dim.kind == DeclaredDim::Kind::value   ? std::to_string(dim.value)
            : dim.kind == DeclaredDim::Kind::param ? std::string(dim.param)
                                                   : "?";
  }
  return made + "[" + dims + "]";
}

template <class IdType>
py::tuple view_state(const View<IdType>& view) {
  return py::make_tuple(owner_object(view.owner), view.id.index);
}
template <class IdType>
View<IdType> view_from(const py::tuple& state) {
  if (state.size() != 2) throw py::value_error("pickled by another version of trtcheck");
  return {owner_from<OwnedModel>(state[0]), IdType{state[1].cast<std::uint32_t>()}};
}

py::tuple attribute_state(const AttributeView& view) {
  return py::make_tuple(owner_object(view.owner), view.node.index, view.index);
}
AttributeView attribute_from(const py::tuple& state) {
  if (state.size() != 3) throw py::value_error("pickled by another version of trtcheck");
  const NodeView node{owner_from<OwnedModel>(state[0]), NodeId{state[1].cast<std::uint32_t>()}};
  const auto index = state[2].cast<std::size_t>();
  const std::span<const Attribute> all = get(node).attributes();
  if (index >= all.size()) throw py::value_error("a pickled attribute is none of its node");
  return {node.owner, &all[index], node.id, index};
}

py::tuple model_view_state(const ModelView& view) { return py::make_tuple(owner_object(view.owner)); }
ModelView model_view_from(const py::tuple& state) {
  if (state.size() != 1) throw py::value_error("pickled by another version of trtcheck");
  return {owner_from<OwnedModel>(state[0])};
}

template <class IdType>
py::class_<View<IdType>> view_class(py::module_& module, const char* name, const char* doc) {
  py::class_<View<IdType>> made(module, name, doc);
  made.def(py::self == py::self).def("__hash__", [](const View<IdType>& v) {
    return std::hash<const void*>{}(v.owner.get()) ^ (std::size_t{v.id.index} * 0x9e3779b97f4a7c15U);
  });
  add_pickling<py::class_<View<IdType>>, &view_state<IdType>, &view_from<IdType>>(made);
  return made;
}

void register_graph(py::class_<GraphView>& graph) {
  graph
      .def_property_readonly(
          "kind", [](const GraphView& v) { return get(v).kind; },
          "The main graph, a body, a call of a function, or its definition.")
      .def_property_readonly(
          "name", [](const GraphView& v) { return text(get(v).name); }, "May be empty.")
      .def_property_readonly(
          "path", [](const GraphView& v) { return text(v.owner->model.graph_path(v.id)); },
          "\"main\", \"main/If_3.then_branch\", ...")
      .def_property_readonly(
          "doc_string", [](const GraphView& v) { return text(get(v).doc_string); }, "May be empty.")
      .def_property_readonly(
          "parent", [](const GraphView& v) { return view(v.owner, get(v).parent); },
          "The node that owns the body or makes the call; None for the main graph.")
      .def_property_readonly(
          "depth", [](const GraphView& v) { return get(v).depth; }, "0 for the main graph.")
      .def_property_readonly(
          "nodes",
          [](const GraphView& v) { return first_views<NodeId>(v.owner, get(v).first_node.index, get(v).node_count); },
          "Nodes as they stand in the file.")
      .def_property_readonly(
          "order", [](const GraphView& v) { return views(v.owner, get(v).order); },
          "Nodes sorted so that each comes after what it reads.")
      .def_property_readonly(
          "inputs", [](const GraphView& v) { return views(v.owner, get(v).inputs); },
          "As listed, initializers included.")
      .def_property_readonly(
          "outputs", [](const GraphView& v) { return views(v.owner, get(v).outputs); }, "As listed.")
      .def_property_readonly(
          "initializers", [](const GraphView& v) { return views(v.owner, get(v).initializers); }, "Its constants.")
      .def_property_readonly(
          "metadata", [](const GraphView& v) { return pairs(get(v).metadata); }, "metadata_props.")
      .def("__repr__", [](const GraphView& v) {
        return py::str("<Graph {!r}: {} nodes>").format(text(v.owner->model.graph_path(v.id)), get(v).node_count);
      });
}

void register_node(py::class_<NodeView>& node) {
  node.def_property_readonly(
          "name", [](const NodeView& v) { return text(get(v).name); }, "May be empty; see `label`.")
      .def_property_readonly(
          "label", [](const NodeView& v) { return text(v.owner->model.node_label(v.id)); },
          "The name, or OpType_position.")
      .def_property_readonly(
          "op_type", [](const NodeView& v) { return text(get(v).op_type); }, "\"Conv\".")
      .def_property_readonly(
          "domain", [](const NodeView& v) { return text(get(v).domain()); }, "\"\" for ONNX's own operators.")
      .def_property_readonly(
          "overload", [](const NodeView& v) { return text(get(v).overload()); }, "\"\": none.")
      .def_property_readonly(
          "doc_string", [](const NodeView& v) { return text(get(v).doc_string()); }, "May be empty.")
      .def_property_readonly(
          "graph",
          [](const NodeView& v) {
            return GraphView{v.owner, get(v).graph};
          },
          "The graph that it stands in.")
      .def_property_readonly(
          "position", [](const NodeView& v) { return get(v).position; },
          "Index of the node in its graph, as in the file.")
      .def_property_readonly(
          "inputs", [](const NodeView& v) { return slots(v.owner, get(v).inputs); },
          "None in the place of an omitted optional input.")
      .def_property_readonly(
          "outputs", [](const NodeView& v) { return slots(v.owner, get(v).outputs); },
          "None in the place of an omitted optional output.")
      .def_property_readonly(
          "attributes",
          [](const NodeView& v) {
            py::typing::Dict<py::str, AttributeView> made;
            std::size_t index = 0;
            for (const Attribute& a : get(v).attributes())
              made[text(a.name)] = AttributeView{v.owner, &a, v.id, index++};
            return made;
          },
          "By name.")
      .def_property_readonly(
          "metadata", [](const NodeView& v) { return pairs(get(v).metadata()); },
          "metadata_props; exporters leave the Python stack here.")
      .def_property_readonly(
          "call", [](const NodeView& v) { return view(v.owner, get(v).call()); },
          "The body, when the node calls a model-local function.")
      .def("__repr__", [](const NodeView& v) {
        return py::str("<Node {!r} ({})>").format(text(v.owner->model.node_label(v.id)), text(get(v).op_type));
      });
}

void register_value(py::class_<ValueView>& value) {
  value
      .def_property_readonly(
          "name", [](const ValueView& v) { return text(get(v).name); }, "Unique in its graph.")
      .def_property_readonly(
          "graph", [](const ValueView& v) { return view(v.owner, get(v).graph); }, "The scope that defines it.")
      .def_property_readonly(
          "producer", [](const ValueView& v) { return view(v.owner, get(v).producer); },
          "None for graph inputs and initializers.")
      .def_property_readonly(
          "output", [](const ValueView& v) { return get(v).output; }, "Which output of the producer.")
      .def_property_readonly(
          "initializer", [](const ValueView& v) { return view(v.owner, get(v).initializer); },
          "Its data, when it is a constant of the file.")
      .def_property_readonly(
          "type", [](const ValueView& v) { return view(v.owner, get(v).declared); },
          "The type that the file declares: a claim, not a proof.")
      .def_property_readonly(
          "is_input", [](const ValueView& v) { return get(v).is_input; }, "An input of its graph.")
      .def_property_readonly(
          "is_output", [](const ValueView& v) { return get(v).is_output; },
          "An output of its graph, or of a body in it that hands it on.")
      .def_property_readonly(
          "is_defined", [](const ValueView& v) { return get(v).is_defined; }, "False: nothing produces it.")
      .def_property_readonly(
          "users",
          [](const ValueView& v) {
            std::vector<std::pair<NodeView, std::uint32_t>> made;
            for (const Use& use : get(v).users) made.emplace_back(NodeView{v.owner, use.node}, use.input);
            return made;
          },
          "The nodes that read it, each with the index of the input.")
      .def("__repr__", [](const ValueView& v) { return py::str("<Value {!r}>").format(text(get(v).name)); });
}

void register_tensor(py::class_<TensorView>& tensor) {
  tensor
      .def_property_readonly(
          "name", [](const TensorView& v) { return text(get(v).name); }, "\"\" for most attribute values.")
      .def_property_readonly(
          "dtype", [](const TensorView& v) { return element_type(get(v).type); }, "Of an element.")
      .def_property_readonly(
          "dims",
          [](const TensorView& v) {
            return py::typing::Tuple<py::int_, py::ellipsis>(
                py::cast(std::vector<std::int64_t>(get(v).dims.begin(), get(v).dims.end())));
          },
          "() is a scalar; entries may be negative in a bad file.")
      .def_property_readonly(
          "data", [](const TensorView& v) { return get(v).data; }, "Where the elements are.")
      .def_property_readonly(
          "raw",
          [](const TensorView& v) {
            const Tensor& t = get(v);
            return t.data == Tensor::Data::raw ? std::optional(std::pair(t.raw.offset, t.raw.length)) : std::nullopt;
          },
          "First byte and number of bytes in the file, for data that is stored as bytes.")
      .def_property_readonly(
          "external", [](const TensorView& v) { return pairs(get(v).external); },
          "location, offset, length, checksum of external data; not opened.")
      .def_property_readonly(
          "is_sparse", [](const TensorView& v) { return get(v).is_sparse; },
          "Stored as a sparse tensor; `dims` are those of the dense one.")
      .def_property_readonly(
          "element_count", [](const TensorView& v) { return get(v).element_count(); },
          "None when a dim is negative or the product leaves 64 bits.")
      .def("__repr__", [](const TensorView& v) {
        return py::str("<Tensor {!r}: {}{}>")
            .format(text(get(v).name), to_string(get(v).type),
                    py::cast(std::vector<std::int64_t>(get(v).dims.begin(), get(v).dims.end())));
      });
}

void register_type(py::class_<TypeView>& type) {
  type.def_property_readonly(
          "kind", [](const TypeView& v) { return get(v).kind; }, "Which other fields count.")
      .def_property_readonly(
          "dtype", [](const TypeView& v) { return element_type(get(v).element); },
          "Element type of a tensor, key type of a map.")
      .def_property_readonly(
          "dims",
          [](const TypeView& v) { return get(v).has_shape ? std::optional(declared_dims(get(v))) : std::nullopt; },
          "A number, a name, or None for each axis; None alone when even the rank is not declared.")
      .def_property_readonly(
          "inner", [](const TypeView& v) { return view(v.owner, get(v).inner); },
          "Element of a sequence or optional, value of a map.")
      .def("__repr__", [](const TypeView& v) { return text("<Type " + type_text(get(v)) + ">"); });
}

void register_attribute(py::module_& module) {
  py::class_<AttributeView> made(module, "Attribute", "One attribute of a node.");
  made.def_property_readonly(
          "name", [](const AttributeView& v) { return text(v.attribute->name); }, "As ONNX calls it: \"kernel_shape\".")
      .def_property_readonly(
          "type", [](const AttributeView& v) { return v.attribute->type; }, "Which kind of value it has.")
      .def_property_readonly("value", &attribute_value, "Its value; None when it has none.")
      .def_property_readonly(
          "ref_attr_name", [](const AttributeView& v) { return text(v.attribute->ref_attr_name); },
          "Inside function definitions only.")
      .def("__repr__",
           [](const AttributeView& v) { return py::str("<Attribute {!r}>").format(text(v.attribute->name)); });
  add_pickling<decltype(made), &attribute_state, &attribute_from>(made);
}

}  // namespace

void register_model(py::module_& module) {
  py::class_<ModelView> model(module, "Model", R"(A read-only ONNX model, read without touching its weights.

Made by `trtcheck.read_model`. Graphs, nodes, values and tensors that it hands out keep it alive.)");
  auto graph =
      view_class<GraphId>(module, "Graph", "The main graph, a body of an If/Loop/Scan, or one call of a function.");
  auto node = view_class<NodeId>(module, "Node", "One node of a graph.");
  auto value = view_class<ValueId>(module, "Value", "One tensor name in one scope.");
  auto tensor = view_class<TensorId>(module, "Tensor", "A constant tensor of the file. Its data is not decoded.");
  auto type = view_class<TypeId>(module, "Type", "A type as the file declares it.");
  register_attribute(module);
  register_graph(graph);
  register_node(node);
  register_value(value);
  register_tensor(tensor);
  register_type(type);

  model
      .def_property_readonly(
          "path", [](const ModelView& m) { return text(m.owner->model.path()); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "base_dir", [](const ModelView& m) { return text(m.owner->model.base_dir()); },
          "Folder against which external data is resolved; \"\" when unknown.")
      .def_property_readonly(
          "ir_version", [](const ModelView& m) { return m.owner->model.ir_version(); }, "0: not stated.")
      .def_property_readonly(
          "producer_name", [](const ModelView& m) { return text(m.owner->model.producer_name()); }, "\"pytorch\".")
      .def_property_readonly(
          "producer_version", [](const ModelView& m) { return text(m.owner->model.producer_version()); },
          "Of the producer.")
      .def_property_readonly(
          "domain", [](const ModelView& m) { return text(m.owner->model.domain()); }, "Of the model; often empty.")
      .def_property_readonly(
          "model_version", [](const ModelView& m) { return m.owner->model.model_version(); }, "0: not stated.")
      .def_property_readonly(
          "doc_string", [](const ModelView& m) { return text(m.owner->model.doc_string()); }, "May be empty.")
      .def_property_readonly(
          "opset_imports", [](const ModelView& m) { return opsets(m.owner->model.opset_imports()); },
          "Version by domain; \"\" is ONNX's own.")
      .def_property_readonly(
          "metadata", [](const ModelView& m) { return pairs(m.owner->model.metadata()); }, "metadata_props.")
      .def_property_readonly(
          "graph",
          [](const ModelView& m) {
            return GraphView{m.owner, GraphId{0}};
          },
          "The main graph.")
      .def_property_readonly(
          "graphs", [](const ModelView& m) { return first_views<GraphId>(m.owner, 0, m.owner->model.graph_count()); },
          "Every graph, bodies and function calls included.")
      .def_property_readonly(
          "nodes", [](const ModelView& m) { return first_views<NodeId>(m.owner, 0, m.owner->model.node_count()); },
          "Every node of every graph.")
      .def_property_readonly(
          "values", [](const ModelView& m) { return first_views<ValueId>(m.owner, 0, m.owner->model.value_count()); },
          "Every value of every graph.")
      .def("__repr__", [](const ModelView& m) {
        return py::str("<Model {!r}: {} nodes>").format(text(m.owner->model.path()), m.owner->model.node_count());
      });
  add_pickling<decltype(model), &model_view_state, &model_view_from>(model);
}

}  // namespace trtcheck::python
