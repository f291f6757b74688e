#include "data_type.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <trtcheck/ranges.hpp>

#include "text/plural.hpp"

namespace trtcheck::python {
namespace {

using RangesValue = std::shared_ptr<Ranges>;

MeasuredTensor measured_tensor(std::string name, DataType type, std::uint64_t elements, std::uint64_t zeros,
                               std::uint64_t nan, std::uint64_t inf, std::uint64_t neg_inf, std::optional<double> min,
                               std::optional<double> max) {
  return {.name = std::move(name),
          .type = type,
          .elements = elements,
          .zeros = zeros,
          .nans = nan,
          .plus_infinite = inf,
          .minus_infinite = neg_inf,
          .min = min,
          .max = max};
}

RangesValue made_ranges(const ModelView& model, const std::string& path, std::uint64_t samples, std::uint64_t left_out,
                        std::vector<MeasuredTensor> tensors) {
  const Model& m = model.owner->model;
  return std::make_shared<Ranges>(Ranges{.path = {},
                                         .model = path,
                                         .graph = graph_id(m),
                                         .samples = samples,
                                         .left_out = left_out,
                                         .tensors = std::move(tensors)});
}

RangesValue read_measured(const py::bytes& path) {
  const std::string name = path;
  const py::gil_scoped_release unlocked;
  return std::make_shared<Ranges>(read_ranges(name));
}

const MeasuredTensor* tensor_named(const Ranges& ranges, const std::string& name) {
  const auto found = std::ranges::find(ranges.tensors, name, &MeasuredTensor::name);
  return found == ranges.tensors.end() ? nullptr : &*found;
}

void register_measured_tensor(py::module_& module) {
  py::class_<MeasuredTensor> type(module, "MeasuredTensor",
                                  R"(What one tensor reached on samples. Counts are of elements, over all samples.)");
  type.def_property_readonly(
          "name", [](const MeasuredTensor& t) { return text(t.name); }, "Of the value.")
      .def_property_readonly(
          "dtype", [](const MeasuredTensor& t) { return element_type(t.type); }, "As it was measured.")
      .def_property_readonly(
          "elements", [](const MeasuredTensor& t) { return t.elements; }, "That were looked at.")
      .def_property_readonly(
          "zeros", [](const MeasuredTensor& t) { return t.zeros; }, "0 and -0.")
      .def_property_readonly(
          "nan", [](const MeasuredTensor& t) { return t.nans; }, "NaN.")
      .def_property_readonly(
          "inf", [](const MeasuredTensor& t) { return t.plus_infinite; }, "Infinite and greater than 0.")
      .def_property_readonly(
          "neg_inf", [](const MeasuredTensor& t) { return t.minus_infinite; }, "Infinite and less than 0.")
      .def_property_readonly(
          "min", [](const MeasuredTensor& t) { return t.min; }, "The smallest finite one; None: none is finite.")
      .def_property_readonly(
          "max", [](const MeasuredTensor& t) { return t.max; }, "The largest finite one; None: none is finite.")
      .def("__repr__", [](const MeasuredTensor& t) {
        const auto number = [](const std::optional<double>& value) {
          return value ? py::repr(py::float_(*value)).cast<std::string>() : std::string("None");
        };
        return text("<MeasuredTensor " + t.name + ": " + number(t.min) + " to " + number(t.max) + ">");
      });
  add_value_pickling(type);
  add_views(type);
  module.def("measured_tensor", &measured_tensor, py::kw_only(), py::arg("name"), py::arg("dtype"), py::arg("elements"),
             py::arg("zeros"), py::arg("nan"), py::arg("inf"), py::arg("neg_inf"), py::arg("min"), py::arg("max"));
}

}  // namespace

void register_ranges(py::module_& module) {
  register_measured_tensor(module);
  py::class_<Ranges, RangesValue> type(module, "Ranges", R"(What the tensors of a model reached on samples.

Made by `trtcheck.measure_ranges` or read by `trtcheck.read_ranges`; `ranges["x"]` is the tensor of that name. It
belongs to one graph: the operators of the model and the names of its tensors, not its weights.)");
  type.def_property_readonly(
          "model", [](const Ranges& r) { return text(r.model); }, "Path of the model, for readers.")
      .def_property_readonly(
          "graph", [](const Ranges& r) { return text(r.graph); }, "Hash of the graph that it belongs to.")
      .def_property_readonly(
          "samples", [](const Ranges& r) { return r.samples; }, "How often the model ran.")
      .def_property_readonly(
          "left_out", [](const Ranges& r) { return r.left_out; },
          "Floating point tensors inside of bodies and functions, and of types that could not be read.")
      .def_property_readonly(
          "tensors", [](const Ranges& r) { return r.tensors; },
          "Inputs of the network, then in the order of the graph.")
      .def("__len__", [](const Ranges& r) { return r.tensors.size(); })
      .def(
          "__contains__", [](const Ranges& r, const std::string& name) { return tensor_named(r, name) != nullptr; },
          py::arg("name"))
      .def(
          "__getitem__",
          [](const Ranges& r, const std::string& name) {
            const MeasuredTensor* const tensor = tensor_named(r, name);
            if (tensor == nullptr) throw py::key_error(name);
            return *tensor;
          },
          py::arg("name"))
      .def(
          "to_json", [](const Ranges& r) { return text(to_json(r)); }, "The text of the file that `save` writes.")
      .def(
          "to_dict", [](const Ranges& r) { return parsed(text(to_json(r))); }, "The same document as Python values.")
      .def("__repr__", [](const Ranges& r) {
        return text("<Ranges of " + (r.model.empty() ? "a model" : r.model) + ": " +
                    counted(r.tensors.size(), "tensor") + ", " + counted(r.samples, "sample") + ">");
      });
  add_value_pickling(type);
  add_html(type);
  module.def("ranges_of", &made_ranges, py::arg("model"), py::kw_only(), py::arg("path"), py::arg("samples"),
             py::arg("left_out"), py::arg("tensors"));
  module.def("read_ranges", &read_measured, py::arg("path"));
}

}  // namespace trtcheck::python
