#include "own_pickling.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "shape_functions.hpp"
#include "text.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/extract.hpp>

namespace trtcheck::report {

template <>
struct Fields<CutTensor> {
  static constexpr std::tuple kAll{Field{"name", &CutTensor::name}, Field{"type", &CutTensor::type},
                                   Field{"is_new", &CutTensor::is_new}};
};
template <>
struct Fields<PartCounts> {
  static constexpr std::tuple kAll{Field{"nodes", &PartCounts::nodes}, Field{"weights", &PartCounts::weights},
                                   Field{"weight_bytes", &PartCounts::weight_bytes},
                                   Field{"functions", &PartCounts::functions}};
};

}  // namespace trtcheck::report

namespace trtcheck::python {
namespace {

/// With the memory that the unchanged bytes are in.
struct OwnedExtracted {
  std::unique_ptr<BorrowedBuffer> memory;
  Extracted extracted;
};

using OwnCuts = std::tuple<CutTensor, PartCounts>;

std::unique_ptr<OwnedExtracted> extract_file(const py::bytes& path, std::vector<std::string> inputs,
                                             std::vector<std::string> outputs,
                                             const std::vector<StatedShapes>& functions) {
  const ExtractOptions options{.inputs = std::move(inputs),
                               .outputs = std::move(outputs),
                               .limits = {},
                               .lenient = false,
                               .shape_functions = shape_functions(functions)};
  const std::string name = path;
  const py::gil_scoped_release unlocked;
  return std::make_unique<OwnedExtracted>(OwnedExtracted{nullptr, extract(name, options)});
}

std::unique_ptr<OwnedExtracted> extract_memory(const py::buffer& buffer, const py::bytes& base_dir,
                                               std::vector<std::string> inputs, std::vector<std::string> outputs,
                                               const std::vector<StatedShapes>& functions) {
  const ExtractOptions options{.inputs = std::move(inputs),
                               .outputs = std::move(outputs),
                               .limits = {},
                               .lenient = false,
                               .shape_functions = shape_functions(functions)};
  auto memory = std::make_unique<BorrowedBuffer>(buffer);
  const std::string folder = base_dir;
  std::optional<Extracted> made;
  {
    const py::gil_scoped_release unlocked;
    made = extract(memory->bytes(), options, folder);
  }
  return std::make_unique<OwnedExtracted>(OwnedExtracted{std::move(memory), std::move(*made)});
}

void write_extracted(const OwnedExtracted& made, const py::bytes& output, const std::string& data) {
  const std::string name = output;
  const edit::DataPlace place = edit::parse_data_place(data);
  const py::gil_scoped_release unlocked;
  made.extracted.write(name, place);
}

void register_cuts(py::module_& module) {
  py::class_<CutTensor> tensor(module, "CutTensor", "An input or output of a part of a model.");
  tensor
      .def_property_readonly(
          "name", [](const CutTensor& t) { return text(t.name); }, "Of the tensor.")
      .def_property_readonly(
          "type", [](const CutTensor& t) { return text(t.type); }, "\"FLOAT[N,64,56,56]\".")
      .def_property_readonly(
          "is_new", [](const CutTensor& t) { return t.is_new; }, "The model itself does not have it as one.")
      .def("__repr__", [](const CutTensor& t) { return text("<CutTensor " + t.name + ": " + t.type + ">"); });
  add_own_pickling<OwnCuts>(tensor);
  add_views(tensor);
  py::class_<PartCounts> counts(module, "PartCounts", "What is in a model, or in a part of it.");
  counts
      .def_property_readonly(
          "nodes", [](const PartCounts& c) { return c.nodes; }, "Of the main graph and of bodies.")
      .def_property_readonly(
          "weights", [](const PartCounts& c) { return c.weights; }, "Initializers.")
      .def_property_readonly(
          "weight_bytes", [](const PartCounts& c) { return c.weight_bytes; }, "Of their data, external data included.")
      .def_property_readonly(
          "functions", [](const PartCounts& c) { return c.functions; }, "Model-local ones.")
      .def("__repr__", [](const PartCounts& c) {
        return text("<PartCounts: " + std::to_string(c.nodes) + " nodes, " + std::to_string(c.weights) + " weights>");
      });
  add_own_pickling<OwnCuts>(counts);
  add_views(counts);
}

}  // namespace

void register_extract(py::module_& module) {
  register_cuts(module);
  py::class_<OwnedExtracted>(module, "ExtractedModel")
      .def_property_readonly("inputs", [](const OwnedExtracted& e) { return e.extracted.plan().inputs; })
      .def_property_readonly("outputs", [](const OwnedExtracted& e) { return e.extracted.plan().outputs; })
      .def_property_readonly("before", [](const OwnedExtracted& e) { return e.extracted.plan().before; })
      .def_property_readonly("after", [](const OwnedExtracted& e) { return e.extracted.plan().after; })
      .def_property_readonly("notes", [](const OwnedExtracted& e) { return texts(e.extracted.plan().notes); })
      .def("write", &write_extracted, py::arg("output"), py::arg("data"))
      .def("content", [](const OwnedExtracted& e) { return py::bytes(e.extracted.bytes()); });
  module.def("extract_file", &extract_file, py::arg("path"), py::kw_only(), py::arg("inputs"), py::arg("outputs"),
             py::arg("shape_functions"));
  module.def("extract_memory", &extract_memory, py::arg("buffer"), py::arg("base_dir"), py::kw_only(),
             py::arg("inputs"), py::arg("outputs"), py::arg("shape_functions"));
}

}  // namespace trtcheck::python
