#include "owners.hpp"
#include "registers.hpp"
#include "shape_functions.hpp"
#include "text.hpp"

#include <pybind11/stl.h>

#include <trtcheck/annotate.hpp>

namespace trtcheck::python {
namespace {

/// With the memory that the unchanged bytes are in.
struct OwnedAnnotated {
  std::unique_ptr<BorrowedBuffer> memory;
  Annotated annotated;
};

AnnotateOptions annotate_options(bool names_unknown, bool only_shapes, const std::vector<StatedShapes>& functions) {
  return {.names_unknown = names_unknown, .only_shapes = only_shapes, .shape_functions = shape_functions(functions)};
}

std::unique_ptr<OwnedAnnotated> annotate_file(const py::bytes& path, bool names_unknown, bool only_shapes,
                                              const std::vector<StatedShapes>& functions) {
  const AnnotateOptions options = annotate_options(names_unknown, only_shapes, functions);
  const std::string name = path;
  const py::gil_scoped_release unlocked;
  return std::make_unique<OwnedAnnotated>(OwnedAnnotated{nullptr, annotate(name, options)});
}

std::unique_ptr<OwnedAnnotated> annotate_memory(const py::buffer& buffer, const py::bytes& base_dir, bool names_unknown,
                                                bool only_shapes, const std::vector<StatedShapes>& functions) {
  const AnnotateOptions options = annotate_options(names_unknown, only_shapes, functions);
  auto memory = std::make_unique<BorrowedBuffer>(buffer);
  const std::string folder = base_dir;
  std::optional<Annotated> made;
  {
    const py::gil_scoped_release unlocked;
    made = annotate(memory->bytes(), options, folder);
  }
  return std::make_unique<OwnedAnnotated>(OwnedAnnotated{std::move(memory), std::move(*made)});
}

void write_annotated(const OwnedAnnotated& made, const py::bytes& output) {
  const std::string name = output;
  const py::gil_scoped_release unlocked;
  made.annotated.write(name);
}

using ThreeTexts = std::tuple<py::str, py::str, py::str>;
using FourTexts = std::tuple<py::str, py::str, py::str, py::str>;

std::vector<ThreeTexts> contradictions_of(const OwnedAnnotated& made) {
  std::vector<ThreeTexts> all;
  for (const DeclaredOtherwise& one : made.annotated.contradictions()) {
    all.emplace_back(text(one.value), text(one.graph), text(one.message));
  }
  return all;
}

std::vector<ThreeTexts> unknown_of(const OwnedAnnotated& made) {
  std::vector<ThreeTexts> all;
  for (const UnknownShape& one : made.annotated.unknown()) {
    all.emplace_back(text(one.value), text(one.graph), text(one.message));
  }
  return all;
}

std::vector<FourTexts> impossible_of(const OwnedAnnotated& made) {
  std::vector<FourTexts> all;
  for (const ImpossibleNode& one : made.annotated.impossible()) {
    all.emplace_back(text(one.node), text(one.op_type), text(one.graph), text(one.message));
  }
  return all;
}

}  // namespace

void register_annotate(py::module_& module) {
  py::class_<OwnedAnnotated>(module, "AnnotatedModel")
      .def_property_readonly("added", [](const OwnedAnnotated& a) { return a.annotated.added(); })
      .def_property_readonly("refined", [](const OwnedAnnotated& a) { return a.annotated.refined(); })
      .def_property_readonly("unknown", &unknown_of)
      .def_property_readonly("contradictions", &contradictions_of)
      .def_property_readonly("impossible", &impossible_of)
      .def_property_readonly("is_changed", [](const OwnedAnnotated& a) { return a.annotated.is_changed(); })
      .def("write", &write_annotated, py::arg("output"))
      .def("content", [](const OwnedAnnotated& a) { return py::bytes(a.annotated.bytes()); });
  module.def("annotate_file", &annotate_file, py::arg("path"), py::kw_only(), py::arg("names_unknown"),
             py::arg("only_shapes"), py::arg("shape_functions"));
  module.def("annotate_memory", &annotate_memory, py::arg("buffer"), py::arg("base_dir"), py::kw_only(),
             py::arg("names_unknown"), py::arg("only_shapes"), py::arg("shape_functions"));
}

}  // namespace trtcheck::python
