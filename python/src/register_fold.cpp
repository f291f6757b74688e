#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"

#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include "fold/families.hpp"
#include "fold/fold.hpp"

namespace trtcheck::python {
namespace {

/// (element type as ONNX numbers it, dims, raw data).
using Contents = std::tuple<int, std::vector<std::int64_t>, py::bytes>;

py::object result(Folder& folder, ValueId id) {
  const std::optional<Constant> constant = folder.value(id);
  if (!constant) return text(folder.why_not(id));
  const auto* first = reinterpret_cast<const char*>(constant->bytes.data());
  return py::cast(Contents(static_cast<int>(constant->type), constant->dims, py::bytes(first, constant->bytes.size())));
}

/// Of each value of the main graph: its contents, or why there are none. For the tests of the floor.
py::typing::Dict<py::str, py::object> folded(const ModelView& view, std::int64_t elements) {
  const Model& model = view.owner->model;
  const Shapes shapes = infer(model);
  Budget budget;
  budget.elements = elements;
  Folder folder(model, shapes, budget);
  py::typing::Dict<py::str, py::object> made;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (value.graph == GraphId{0}) made[text(value.name)] = result(folder, ValueId{i});
  }
  return made;
}

}  // namespace

void register_fold(py::module_& module) {
  module.def("fold", &folded, py::arg("model"), py::arg("elements") = Budget{}.elements);
  module.def("folded_operators", [] { return texts(fold::operators()); });
}

}  // namespace trtcheck::python
