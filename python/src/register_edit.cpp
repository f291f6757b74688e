#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"

#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <trtcheck/edit.hpp>

namespace trtcheck::python {
namespace {

using namespace trtcheck::edit;

// Objects of trtcheck/edit.py: dataclasses whose fields are named as the members here.

std::string bytes_of(const py::handle& given) {
  return py::isinstance<py::bytes>(given) ? std::string(given.cast<py::bytes>()) : given.cast<std::string>();
}

std::vector<std::string> names_of(const py::handle& given) {
  std::vector<std::string> names;
  for (const py::handle name : given) names.push_back(bytes_of(name));
  return names;
}

GraphAt graph_of(const py::handle& given) {
  GraphAt at;
  if (!given.attr("function").is_none()) at.function = given.attr("function").cast<std::uint32_t>();
  for (const py::handle step : given.attr("steps")) {
    at.steps.push_back({step.attr("node").cast<std::uint32_t>(), bytes_of(step.attr("attribute")),
                        step.attr("index").cast<std::uint32_t>()});
  }
  return at;
}

NodeAt node_of(const py::handle& given) {
  return {graph_of(given.attr("graph")), given.attr("position").cast<std::uint32_t>()};
}

TensorValue tensor_of(const py::handle& given) {
  return {static_cast<DataType>(given.attr("type").cast<std::int32_t>()),
          given.attr("dims").cast<std::vector<std::int64_t>>(), given.attr("data").cast<py::bytes>()};
}

bool is_named(const py::handle& given, const char* name) {
  return py::type::handle_of(given).attr("__name__").cast<std::string>() == name;
}

AttributeValue::Value value_of(const py::handle& given) {
  if (is_named(given, "TensorValue")) return tensor_of(given);
  if (py::isinstance<py::float_>(given)) return given.cast<float>();
  if (py::isinstance<py::int_>(given)) return given.cast<std::int64_t>();
  if (py::isinstance<py::str>(given) || py::isinstance<py::bytes>(given)) return bytes_of(given);
  const auto list = py::list(py::reinterpret_borrow<py::object>(given));
  const auto is_all = [&](auto check) { return std::ranges::all_of(list, check); };
  if (is_all([](const py::handle& item) { return py::isinstance<py::int_>(item); })) {
    return list.cast<std::vector<std::int64_t>>();
  }
  if (is_all([](const py::handle& item) { return py::isinstance<py::float_>(item); })) {
    return list.cast<std::vector<float>>();
  }
  if (is_all([](const py::handle& item) { return py::isinstance<py::str>(item) || py::isinstance<py::bytes>(item); })) {
    return names_of(list);
  }
  throw py::type_error(
      "the value of an attribute must be a number, text, a list of one kind of these, or a TensorValue");
}

std::vector<AttributeValue> attributes_of(const py::handle& given) {
  std::vector<AttributeValue> made;
  for (const auto& [name, value] : given.cast<py::dict>()) made.push_back({bytes_of(name), value_of(value)});
  return made;
}

NewNode new_node(const py::handle& given) {
  NewNode node{.op_type = bytes_of(given.attr("op_type")),
               .inputs = names_of(given.attr("inputs")),
               .outputs = names_of(given.attr("outputs")),
               .attributes = attributes_of(given.attr("attributes")),
               .name = bytes_of(given.attr("name")),
               .domain = bytes_of(given.attr("domain"))};
  if (!given.attr("like").is_none()) node.like = node_of(given.attr("like"));
  return node;
}

TypeValue type_of(const py::handle& given) {
  TypeValue type{.type = static_cast<DataType>(given.attr("type").cast<std::int32_t>())};
  if (given.attr("dims").is_none()) return type;
  type.dims.emplace();
  for (const py::handle dim : given.attr("dims")) {
    if (dim.is_none()) {
      type.dims->emplace_back(std::monostate{});
    } else if (py::isinstance<py::int_>(dim)) {
      type.dims->emplace_back(dim.cast<std::int64_t>());
    } else {
      type.dims->emplace_back(bytes_of(dim));
    }
  }
  return type;
}

std::optional<std::uint32_t> function_of(const py::handle& given) {
  return given.is_none() ? std::nullopt : std::optional(given.cast<std::uint32_t>());
}

Edit edit_of(const py::handle& given) {
  const auto kind = py::type::handle_of(given).attr("__name__").cast<std::string>();
  const auto field = [&](const char* name) { return given.attr(name); };
  const auto word = [&](const char* name) { return bytes_of(given.attr(name)); };
  if (kind == "SetAttribute") return SetAttribute{node_of(field("node")), {word("name"), value_of(field("value"))}};
  if (kind == "RemoveAttribute") return RemoveAttribute{node_of(field("node")), word("name")};
  if (kind == "SetOperator") return SetOperator{node_of(field("node")), word("op_type"), word("domain")};
  if (kind == "SetInputs") return SetInputs{node_of(field("node")), names_of(field("inputs"))};
  if (kind == "SetInput") return SetInput{node_of(field("node")), field("index").cast<std::uint32_t>(), word("name")};
  if (kind == "SetOutputs") return SetOutputs{node_of(field("node")), names_of(field("outputs"))};
  if (kind == "SetOutput") return SetOutput{node_of(field("node")), field("index").cast<std::uint32_t>(), word("name")};
  if (kind == "RenameNode") return RenameNode{node_of(field("node")), word("name")};
  if (kind == "RemoveNode") return RemoveNode{node_of(field("node"))};
  if (kind == "InsertNode") {
    return InsertNode{graph_of(field("graph")), field("before").cast<std::uint32_t>(), new_node(field("node"))};
  }
  if (kind == "PutTensor") return PutTensor{graph_of(field("graph")), word("name"), tensor_of(field("tensor"))};
  if (kind == "RemoveTensor") return RemoveTensor{graph_of(field("graph")), word("name")};
  if (kind == "CopyTensor") {
    return CopyTensor{graph_of(field("source")), word("name"), graph_of(field("to")), word("new_name")};
  }
  if (kind == "DeclareType") return DeclareType{graph_of(field("graph")), word("name"), type_of(field("type"))};
  if (kind == "RemoveDeclaration") return RemoveDeclaration{graph_of(field("graph")), word("name")};
  if (kind == "ImportOpset") {
    return ImportOpset{function_of(field("function")), word("domain"), field("version").cast<std::int64_t>()};
  }
  if (kind == "RemoveImport") return RemoveImport{word("domain")};
  if (kind == "RemoveFunction") return RemoveFunction{field("position").cast<std::uint32_t>()};
  if (kind == "AddInput") return AddInput{graph_of(field("graph")), word("name"), type_of(field("type"))};
  if (kind == "AddOutput") return AddOutput{graph_of(field("graph")), word("name"), type_of(field("type"))};
  if (kind == "RemoveInput") return RemoveInput{graph_of(field("graph")), word("name")};
  if (kind == "RemoveOutput") return RemoveOutput{graph_of(field("graph")), word("name")};
  if (kind == "Rewire") return Rewire{graph_of(field("graph")), word("old"), word("new")};
  throw py::type_error("expected edits of trtcheck.edit, not " + kind);
}

std::vector<Edit> edits_of(const py::typing::List<py::object>& given) {
  std::vector<Edit> edits;
  for (const py::handle one : given) edits.push_back(edit_of(one));
  return edits;
}

void apply_file(const py::bytes& path, const py::typing::List<py::object>& given, const py::bytes& output,
                const std::string& data) {
  const std::string from = path;
  const std::string to = output;
  const DataPlace place = parse_data_place(data);
  const std::vector<Edit> edits = edits_of(given);
  const py::gil_scoped_release unlocked;
  edit::apply(from, edits, to, {}, place);
}

py::bytes apply_memory(const py::buffer& buffer, const py::typing::List<py::object>& given) {
  const BorrowedBuffer memory(buffer);
  const std::vector<Edit> edits = edits_of(given);
  std::string made;
  {
    const py::gil_scoped_release unlocked;
    made = edit::apply(memory.bytes(), edits);
  }
  return py::bytes(made);
}

}  // namespace

void register_edit(py::module_& module) {
  module.def("apply_file", &apply_file, py::arg("path"), py::arg("edits"), py::arg("output"), py::arg("data"));
  module.def("apply_memory", &apply_memory, py::arg("buffer"), py::arg("edits"));
}

}  // namespace trtcheck::python
