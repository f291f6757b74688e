#include "checked_report.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/diff.hpp>

namespace trtcheck::python {
namespace {

std::string rendered_diff(const Diff& d, Format format) { return render(d, {.format = format}); }

Diff diff_models(const ModelView& before, const CheckedReport& before_report, const ModelView& after,
                 const CheckedReport& after_report) {
  const py::gil_scoped_release unlocked;
  return diff(before.owner->model, before_report.report, after.owner->model, after_report.report);
}

/// "" is None: the thing was not there.
std::optional<py::str> side_text(const std::string& side) { return optional_text(side); }

void register_sides(py::module_& module) {
  py::class_<DiffSide> side(module, "DiffSide", "One of the two models of a comparison.");
  side.def_property_readonly(
          "path", [](const DiffSide& s) { return text(s.path); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "release", [](const DiffSide& s) { return text(to_string(s.release)); }, "Of TensorRT: \"10.13\".")
      .def_property_readonly(
          "verdict", [](const DiffSide& s) { return word<VerdictWord>(s.verdict); }, "Of its report.")
      .def_property_readonly(
          "node_count", [](const DiffSide& s) { return s.node_count; }, "Of all graphs.")
      .def_property_readonly(
          "suppressed", [](const DiffSide& s) { return s.suppressed; }, "Findings that are left out of the comparison.")
      .def("__repr__", [](const DiffSide& s) {
        return text("<DiffSide " + std::string(to_string(s.verdict)) + ": " + s.path + ">");
      });
  add_value_pickling(side);
  add_views(side);

  py::class_<InterfaceChange> change(module, "InterfaceChange", "What the caller of the model sees differently.");
  change
      .def_property_readonly(
          "kind", [](const InterfaceChange& c) { return text(to_string(c.kind)); },
          "\"input\", \"output\", \"order of inputs\", \"order of outputs\", \"opset\", \"IR version\" or "
          "\"producer\".")
      .def_property_readonly(
          "name", [](const InterfaceChange& c) { return text(c.name); },
          "Of the input, output or opset domain, or \"\".")
      .def_property_readonly(
          "before", [](const InterfaceChange& c) { return side_text(c.before); },
          "\"FLOAT[N,3]\", a version, names in order; None when it was not there.")
      .def_property_readonly(
          "after", [](const InterfaceChange& c) { return side_text(c.after); }, "As `before`.")
      .def("__repr__", [](const InterfaceChange& c) {
        return text("<InterfaceChange " + std::string(to_string(c.kind)) + " " + c.name + ": " + c.before + " -> " +
                    c.after + ">");
      });
  add_value_pickling(change);
  add_views(change);

  py::class_<OperatorChange> op(module, "OperatorChange", "An operator that stands in the model more or less often.");
  op.def_property_readonly(
        "op_type", [](const OperatorChange& c) { return text(c.op_type); }, "With its domain, unless it is ONNX's own.")
      .def_property_readonly(
          "before", [](const OperatorChange& c) { return c.before; }, "How many in the first model.")
      .def_property_readonly(
          "after", [](const OperatorChange& c) { return c.after; }, "How many in the second model.")
      .def("__repr__", [](const OperatorChange& c) {
        return text("<OperatorChange " + c.op_type + ": " + std::to_string(c.before) + " -> " +
                    std::to_string(c.after) + ">");
      });
  add_value_pickling(op);
  add_views(op);
}

void register_shape_changes(py::module_& module) {
  py::class_<ShapeChange> shape(module, "ShapeChange", "What is known of the sizes of a tensor that both models have.");
  shape
      .def_property_readonly(
          "kind", [](const ShapeChange& c) { return text(to_string(c.kind)); }, "\"lost\", \"gained\" or \"changed\".")
      .def_property_readonly(
          "value", [](const ShapeChange& c) { return text(c.value); }, "Name of the tensor.")
      .def_property_readonly(
          "before", [](const ShapeChange& c) { return text(c.before); }, "\"FLOAT[1,64]\".")
      .def_property_readonly(
          "after", [](const ShapeChange& c) { return text(c.after); }, "\"FLOAT[N,64]\".")
      .def_property_readonly(
          "reason", [](const ShapeChange& c) { return side_text(c.reason); },
          "Why something is unknown in the second model, if something is.")
      .def("__repr__", [](const ShapeChange& c) {
        return text("<ShapeChange " + std::string(to_string(c.kind)) + " " + c.value + ": " + c.before + " -> " +
                    c.after + ">");
      });
  add_value_pickling(shape);
  add_views(shape);

  py::class_<SymbolChange> symbol(module, "SymbolChange", "A named size that has another name in the second model.");
  symbol
      .def_property_readonly(
          "before", [](const SymbolChange& c) { return text(c.before); }, "Its name in the first model.")
      .def_property_readonly(
          "after", [](const SymbolChange& c) { return text(c.after); }, "Its name in the second model.")
      .def_property_readonly(
          "tensors", [](const SymbolChange& c) { return c.tensors; }, "How many have it.")
      .def("__repr__",
           [](const SymbolChange& c) { return text("<SymbolChange " + c.before + " -> " + c.after + ">"); });
  add_value_pickling(symbol);
  add_views(symbol);

  py::class_<ConstantChange> constant(module, "ConstantChange",
                                      "A constant of the first model that the second one computes.");
  constant
      .def_property_readonly(
          "value", [](const ConstantChange& c) { return text(c.value); }, "Name of the tensor.")
      .def_property_readonly(
          "shape", [](const ConstantChange& c) { return text(c.shape); }, "\"INT64[4]\".")
      .def_property_readonly(
          "node", [](const ConstantChange& c) { return text(c.node); }, "Label of the node that computes it.")
      .def_property_readonly(
          "op_type", [](const ConstantChange& c) { return text(c.op_type); }, "Of that node.")
      .def("__repr__",
           [](const ConstantChange& c) { return text("<ConstantChange " + c.value + " by " + c.op_type + ">"); });
  add_value_pickling(constant);
  add_views(constant);
}

}  // namespace

void register_diff(py::module_& module) {
  register_sides(module);
  register_shape_changes(module);
  py::class_<Diff> type(module, "Diff", R"(Two versions of a model: their findings and their interfaces.

`str()` is the full text, `to_json()` what the command line prints as JSON.)");
  type.def_property_readonly(
          "before", [](const Diff& d) { return d.before; }, "The first model.")
      .def_property_readonly(
          "after", [](const Diff& d) { return d.after; }, "The second model.")
      .def_property_readonly(
          "new", [](const Diff& d) { return d.fresh; }, "Findings of `after` only, the most severe first.")
      .def_property_readonly(
          "gone", [](const Diff& d) { return d.gone; }, "Findings of `before` only.")
      .def_property_readonly(
          "kept", [](const Diff& d) { return d.kept; }, "Findings of both, as they are in `after`.")
      .def_property_readonly(
          "interface", [](const Diff& d) { return d.interface; }, "What users of the model would notice.")
      .def_property_readonly(
          "operators", [](const Diff& d) { return d.operators; }, "Those whose number changed.")
      .def_property_readonly(
          "shapes", [](const Diff& d) { return d.shapes; }, "Tensors whose sizes are known differently.")
      .def_property_readonly(
          "symbols", [](const Diff& d) { return d.symbols; }, "Named sizes that have other names.")
      .def_property_readonly(
          "constants", [](const Diff& d) { return d.constants; }, "Constants that are computed now.")
      .def_property_readonly(
          "folds_before", [](const Diff& d) { return d.folds_before; },
          "Nodes of the first model that compute what is known without running it.")
      .def_property_readonly(
          "folds_after", [](const Diff& d) { return d.folds_after; }, "The same of the second model.")
      .def_property_readonly(
          "not_compared", [](const Diff& d) { return d.not_compared; },
          "Shapes that were not compared, and why, in sentences.")
      .def_property_readonly(
          "changes_interface", [](const Diff& d) { return d.changes_interface(); },
          "Whether an input, an output, their types or dims changed.")
      .def(
          "to_json", [](const Diff& d) { return text(rendered_diff(d, Format::json)); },
          "The JSON document that `trtcheck diff --output-format json` prints.")
      .def(
          "to_dict",
          [](const Diff& d) -> py::typing::Dict<py::str, py::object> {
            return py::module_::import("json").attr("loads")(text(rendered_diff(d, Format::json)));
          },
          "The same document as Python values.")
      .def("__str__", [](const Diff& d) { return text(rendered_diff(d, Format::full)); })
      .def("__repr__", [](const Diff& d) {
        return text("<Diff: " + std::to_string(d.fresh.size()) + " new, " + std::to_string(d.gone.size()) + " gone, " +
                    std::to_string(d.kept.size()) + " kept>");
      });
  add_value_pickling(type);
  add_html(type);
  module.def("diff", &diff_models, py::arg("before"), py::arg("before_report"), py::arg("after"),
             py::arg("after_report"));
}

}  // namespace trtcheck::python
