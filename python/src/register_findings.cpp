#include "fields.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/finding.hpp>
#include <trtcheck/picture.hpp>
#include <trtcheck/report.hpp>

#include "report/html_parts.hpp"
#include "report/repairs.hpp"
#include "report/wording.hpp"

namespace trtcheck::python {
namespace {

std::string summary(const Finding& f) {
  std::string made = report::code_text(f) + " " + std::string(to_string(f.severity)) + ": ";
  if (!f.node.empty()) made += "`" + f.node + "`: ";
  return made + f.message;
}

py::str picture(const Finding& f) {
  std::string made;
  {
    const py::gil_scoped_release unlocked;
    made = draw(f.neighbourhood, {.title = std::string(f.rule->code) + ": " + f.message});
  }
  return text(made);
}

void register_notes(py::module_& module) {
  py::class_<SourceLocation> location(module, "SourceLocation",
                                      "A line of the PyTorch program that the model was exported from.");
  add_fields(location);
  location.def("__repr__", [](const SourceLocation& s) {
    return text("<SourceLocation " + s.file + ":" + std::to_string(s.line) + ">");
  });

  add_value_pickling(location);
  add_views(location);

  py::class_<Note> note(module, "Note", "One step in the chain of reasons.");
  add_fields(note);
  note.def("__repr__", [](const Note& n) { return text("<Note: " + n.message + ">"); });

  add_value_pickling(note);
  add_views(note);

  py::class_<Fix> fix(module, "Fix", "The remedy.");
  add_fields(fix);
  fix.def("__repr__", [](const Fix& f) { return text("<Fix: " + f.title + ">"); });
  add_value_pickling(fix);
  add_views(fix);
}

void register_suppressed(py::module_& module) {
  py::class_<Suppressed> made(module, "Suppressed", "A finding that somebody does not want to hear of.");
  add_fields(made);
  made.def("__repr__", [](const Suppressed& s) {
    return text("<Suppressed by " + std::string(to_string(s.by)) + ": " + summary(s.finding) + ">");
  });
  add_value_pickling(made);
  add_views(made);
}

}  // namespace

void register_findings(py::module_& module) {
  register_notes(module);
  py::class_<Finding> made(module, "Finding",
                           "One thing that a check found. The attributes are those of the JSON output.");
  add_fields(made);
  made.def_property_readonly(
          "code", [](const Finding& f) { return text(f.rule->code); }, "\"QDQ104\"")
      .def_property_readonly(
          "name", [](const Finding& f) { return text(f.rule->name); }, "\"residual-not-quantized\"")
      .def_property_readonly(
          "cures", [](const Finding& f) { return texts(report::cure_names(f)); },
          "Repairs that `fix` would try, in order; whether one helps, only trying tells.")
      .def("picture", &picture,
           "The nodes around it as an SVG; \"\" when it is about no node, follows from another or is beyond the 500th.")
      .def("_repr_html_", [](const Finding& f) { return text(render_html(f)); })
      .def("__str__", [](const Finding& f) { return text(summary(f)); })
      .def("__repr__", [](const Finding& f) { return text("<Finding " + summary(f) + ">"); });
  add_value_pickling(made);
  add_plain(made);
  register_suppressed(module);
}

}  // namespace trtcheck::python
