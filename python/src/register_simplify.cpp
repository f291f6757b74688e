#include "own_pickling.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "shape_functions.hpp"
#include "text.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/simplify.hpp>

namespace trtcheck::python {
namespace {

/// With the memory that the unchanged bytes are in.
struct OwnedSimplified {
  std::unique_ptr<BorrowedBuffer> memory;
  Simplified simplified;
};

using InputSizes = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

SimplifyOptions simplify_options(InputSizes sizes, const std::vector<std::string>& classes, bool fuses,
                                 const std::vector<StatedShapes>& functions) {
  SimplifyOptions options;
  options.fuses = fuses;
  for (auto& [name, dims] : sizes) options.sizes.push_back({std::move(name), std::move(dims)});
  options.classes.clear();
  for (const std::string& name : classes) options.classes.push_back(parse_cure_class(name));
  options.texts = true;
  options.shape_functions = shape_functions(functions);
  return options;
}

std::unique_ptr<OwnedSimplified> simplify_file(const py::bytes& path, InputSizes sizes,
                                               const std::vector<std::string>& classes, bool fuses,
                                               const std::vector<StatedShapes>& functions) {
  const SimplifyOptions options = simplify_options(std::move(sizes), classes, fuses, functions);
  const std::string name = path;
  const py::gil_scoped_release unlocked;
  return std::make_unique<OwnedSimplified>(OwnedSimplified{nullptr, simplify(name, options)});
}

std::unique_ptr<OwnedSimplified> simplify_memory(const py::buffer& buffer, const py::bytes& base_dir, InputSizes sizes,
                                                 const std::vector<std::string>& classes, bool fuses,
                                                 const std::vector<StatedShapes>& functions) {
  const SimplifyOptions options = simplify_options(std::move(sizes), classes, fuses, functions);
  auto memory = std::make_unique<BorrowedBuffer>(buffer);
  const std::string folder = base_dir;
  std::optional<Simplified> made;
  {
    const py::gil_scoped_release unlocked;
    made = simplify(memory->bytes(), options, folder);
  }
  return std::make_unique<OwnedSimplified>(OwnedSimplified{std::move(memory), std::move(*made)});
}

void write_simplified(const OwnedSimplified& made, const py::bytes& output) {
  const std::string name = output;
  const py::gil_scoped_release unlocked;
  made.simplified.write(name);
}

using OwnValues = std::tuple<Simplification, ModelCounts>;

py::tuple kind_state(const SimplificationInfo& kind) { return py::make_tuple(text(kind.name)); }
SimplificationInfo kind_from(const py::tuple& state) {
  const auto name = state[0].cast<std::string>();
  for (const SimplificationInfo& kind : all_simplifications()) {
    if (kind.name == name) return kind;
  }
  throw py::value_error("pickled by another version of trtcheck");
}

void register_simplification(py::module_& module) {
  py::class_<Simplification> made(module, "Simplification", "A change that was made to simplify a model.");
  made.def_property_readonly(
          "name", [](const Simplification& s) { return text(s.name); }, "Its kind: \"constant-stored\".")
      .def_property_readonly(
          "kind", [](const Simplification& s) { return text(to_string(s.kind)); },
          "\"proven\", \"rounding\", \"interface\" or \"choice\".")
      .def_property_readonly(
          "title", [](const Simplification& s) { return text(s.title); }, "What was done.")
      .def_property_readonly(
          "node", [](const Simplification& s) { return text(s.node); }, "Label of the node; \"\" = the whole model.")
      .def_property_readonly(
          "op_type", [](const Simplification& s) { return text(s.op_type); }, "Of the node.")
      .def_property_readonly(
          "graph", [](const Simplification& s) { return text(s.graph); }, "Of the node.")
      .def_property_readonly(
          "before", [](const Simplification& s) { return texts(s.before); }, "The node, as ONNX text.")
      .def_property_readonly(
          "after", [](const Simplification& s) { return texts(s.after); }, "What stands there now; [] = nothing.")
      .def_property_readonly(
          "pass_", [](const Simplification& s) { return s.pass; }, "In which pass it was made, from 1; 0 = before.")
      .def("__repr__",
           [](const Simplification& s) { return text("<Simplification " + s.name + ": " + s.title + ">"); });
  add_own_pickling<OwnValues>(made);
  add_views(made);
  py::class_<ModelCounts> counts(module, "ModelCounts", "How large a model is.");
  counts
      .def_property_readonly(
          "nodes", [](const ModelCounts& c) { return c.nodes; }, "Of the main graph and of bodies.")
      .def_property_readonly(
          "shapes", [](const ModelCounts& c) { return c.shapes; }, "Shape and Size among them.")
      .def_property_readonly(
          "constants", [](const ModelCounts& c) { return c.constants; }, "Initializers.")
      .def_property_readonly(
          "file_bytes", [](const ModelCounts& c) { return c.file_bytes; }, "Size of the file, without external data.")
      .def("__repr__", [](const ModelCounts& c) {
        return text("<ModelCounts: " + std::to_string(c.nodes) + " nodes, " + std::to_string(c.shapes) + " Shape>");
      });
  add_own_pickling<OwnValues>(counts);
  add_views(counts);
  py::class_<SimplificationInfo> kind(module, "SimplificationKind", "One kind of change.");
  kind.def_property_readonly(
          "name", [](const SimplificationInfo& k) { return text(k.name); }, "Lower-case words with hyphens.")
      .def_property_readonly(
          "kind", [](const SimplificationInfo& k) { return text(to_string(k.kind)); }, "The least that it promises.")
      .def_property_readonly(
          "summary", [](const SimplificationInfo& k) { return text(k.summary); }, "One line.")
      .def("__repr__",
           [](const SimplificationInfo& k) { return text("<SimplificationKind " + std::string(k.name) + ">"); });
  add_pickling<decltype(kind), &kind_state, &kind_from>(kind);
  add_views(kind);
}

}  // namespace

void register_simplify(py::module_& module) {
  register_simplification(module);
  py::class_<OwnedSimplified>(module, "SimplifiedModel")
      .def_property_readonly("before", [](const OwnedSimplified& s) { return s.simplified.before(); })
      .def_property_readonly("after", [](const OwnedSimplified& s) { return s.simplified.after(); })
      .def_property_readonly("applied",
                             [](const OwnedSimplified& s) {
                               return std::vector<Simplification>(s.simplified.applied().begin(),
                                                                  s.simplified.applied().end());
                             })
      .def_property_readonly("left", [](const OwnedSimplified& s) { return texts(s.simplified.left()); })
      .def_property_readonly("is_changed", [](const OwnedSimplified& s) { return s.simplified.is_changed(); })
      .def("write", &write_simplified, py::arg("output"))
      .def("content", [](const OwnedSimplified& s) { return py::bytes(s.simplified.bytes()); });
  module.def("simplify_file", &simplify_file, py::arg("path"), py::kw_only(), py::arg("sizes"), py::arg("classes"),
             py::arg("fuses"), py::arg("shape_functions"));
  module.def("simplify_memory", &simplify_memory, py::arg("buffer"), py::arg("base_dir"), py::kw_only(),
             py::arg("sizes"), py::arg("classes"), py::arg("fuses"), py::arg("shape_functions"));
  module.def("simplifications", [] {
    return std::vector<SimplificationInfo>(all_simplifications().begin(), all_simplifications().end());
  });
}

}  // namespace trtcheck::python
