#include "registers.hpp"
#include "shape_functions.hpp"
#include "text.hpp"

#include <memory>
#include <utility>

#include <trtcheck/settings.hpp>

namespace trtcheck::python {
namespace {

/// A Python object that may be let go of by any thread.
struct KeptCallable {
  py::object callable;
  explicit KeptCallable(py::object kept) : callable(std::move(kept)) {}
  KeptCallable(const KeptCallable&) = delete;
  KeptCallable& operator=(const KeptCallable&) = delete;
  ~KeptCallable() {
    if (Py_IsInitialized() == 0) {
      callable.release();
      return;
    }
    const py::gil_scoped_acquire locked;
    callable = py::object();
  }
};

py::object plain_size(std::optional<std::int64_t> number) {
  return number ? py::object(py::int_(*number)) : py::object(py::none());
}

py::object plain_attribute(const Attribute& attribute) {
  const auto list = [](const auto& values, auto make) {
    py::list made;
    for (const auto& value : values) made.append(make(value));
    return py::object(std::move(made));
  };
  switch (attribute.type) {
    case AttributeType::int_:
      return py::int_(attribute.i());
    case AttributeType::float_:
      return py::float_(attribute.f());
    case AttributeType::string:
      return text(std::string(attribute.s()));
    case AttributeType::ints:
      return list(attribute.ints(), [](std::int64_t value) { return py::int_(value); });
    case AttributeType::floats:
      return list(attribute.floats(), [](float value) { return py::float_(value); });
    case AttributeType::strings:
      return list(attribute.strings(), [](std::string_view value) { return text(std::string(value)); });
    default:
      return py::none();  // tensors and graphs are not handed out
  }
}

py::tuple plain_question(const ShapeQuestion& asked) {
  const Node& node = asked.model->node(asked.node);
  py::list inputs;
  for (const ShapeQuestion::Input& input : asked.inputs) {
    py::list dims;
    for (const auto& dim : input.dims) dims.append(plain_size(dim));
    inputs.append(input.given ? py::object(py::make_tuple(text(input.type),
                                                          input.has_rank ? py::object(dims) : py::object(py::none())))
                              : py::object(py::none()));
  }
  py::dict attributes;
  for (const Attribute& attribute : node.attributes()) {
    attributes[text(std::string(attribute.name))] = plain_attribute(attribute);
  }
  return py::make_tuple(text(std::string(node.domain())), text(std::string(node.op_type)),
                        text(asked.model->node_label(asked.node)), inputs, attributes, node.outputs.size());
}

ShapeFunction shape_function(const StatedShapes& stated) {
  const auto& [op, outputs, place, callable] = stated;
  ShapeFunction made{.op = op, .outputs = outputs, .place = place, .answer = nullptr};
  if (!callable.is_none()) {
    const auto kept = std::make_shared<KeptCallable>(callable);
    made.answer = std::make_shared<const ShapeAnswer>([kept](const ShapeQuestion& asked) {
      const py::gil_scoped_acquire locked;
      return kept->callable(plain_question(asked)).cast<std::vector<std::string>>();
    });
  }
  check_shape_function(made);
  return made;
}

}  // namespace

std::vector<ShapeFunction> shape_functions(const std::vector<StatedShapes>& stated) {
  std::vector<ShapeFunction> made;
  for (const StatedShapes& one : stated) made.push_back(shape_function(one));
  return made;
}

void register_shape_functions(py::module_& module) {
  module.def(
      "read_shape_functions",
      [](const py::bytes& path) {
        py::typing::List<py::tuple> made;
        for (const ShapeFunction& function : read_shape_functions(path)) {
          made.append(py::make_tuple(function.op, function.outputs, function.place, py::none()));
        }
        return made;
      },
      py::arg("path"), "What a file of [[shape]] tables says, for `Target`.");
}

}  // namespace trtcheck::python
