#include "pickling.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/finding.hpp>
#include <trtcheck/picture.hpp>
#include <trtcheck/report.hpp>

#include "report/html_parts.hpp"
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

void register_parts(py::module_& module) {
  py::class_<SourceLocation>(module, "SourceLocation",
                             "A line of the PyTorch program that the model was exported from.")
      .def_property_readonly(
          "file", [](const SourceLocation& s) { return text(s.file); }, "As the exporter recorded it.")
      .def_property_readonly(
          "line", [](const SourceLocation& s) { return s.line; }, "Counted from 1.")
      .def_property_readonly(
          "function", [](const SourceLocation& s) { return text(s.function); }, "\"\" when not recorded.")
      .def_property_readonly(
          "code", [](const SourceLocation& s) { return text(s.code); }, "The text of the line; \"\" when not recorded.")
      .def("__repr__", [](const SourceLocation& s) {
        return text("<SourceLocation " + s.file + ":" + std::to_string(s.line) + ">");
      });

  py::class_<Note>(module, "Note", "One step in the chain of reasons.")
      .def_property_readonly(
          "message", [](const Note& n) { return text(n.message); }, "One line.")
      .def_property_readonly(
          "node", [](const Note& n) { return text(n.node); }, "The node that it is about, or \"\".")
      .def_property_readonly(
          "source", [](const Note& n) { return n.source; }, "The line of that node, when the exporter recorded it.")
      .def_property_readonly(
          "library", [](const Note& n) { return n.library; }, "The line of the library that `source` called, if any.")
      .def("__repr__", [](const Note& n) { return text("<Note: " + n.message + ">"); });

  py::class_<Fix>(module, "Fix", "The remedy.")
      .def_property_readonly(
          "title", [](const Fix& f) { return text(f.title); }, "Imperative, one line.")
      .def_property_readonly(
          "applicability", [](const Fix& f) { return word<ApplicabilityWord>(f.applicability); },
          "\"safe\" keeps the outputs, \"unsafe\" needs your consent, \"display\" is words only.")
      .def_property_readonly(
          "node", [](const Fix& f) { return text(f.node); },
          "The node to change; \"\" when that is the node of the finding, or none.")
      .def_property_readonly(
          "source", [](const Fix& f) { return f.source; }, "The line of that node, when the exporter recorded it.")
      .def_property_readonly(
          "library", [](const Fix& f) { return f.library; }, "The line of the library that `source` called, if any.")
      .def("__repr__", [](const Fix& f) { return text("<Fix: " + f.title + ">"); });
}

void register_suppressed(py::module_& module) {
  py::class_<Suppressed> made(module, "Suppressed", "A finding that somebody does not want to hear of.");
  made.def_property_readonly(
          "finding", [](const Suppressed& s) { return s.finding; }, "As it would have been reported.")
      .def_property_readonly(
          "by", [](const Suppressed& s) { return word<SuppressedByWord>(s.by); },
          "Metadata of the \"model\" or of a \"node\", \"settings\" (per-node-ignores), or the \"baseline\".")
      .def_property_readonly(
          "reason", [](const Suppressed& s) { return text(s.reason); }, "As it was written; \"\" when none was given.")
      .def("__repr__", [](const Suppressed& s) {
        return text("<Suppressed by " + std::string(to_string(s.by)) + ": " + summary(s.finding) + ">");
      });
  add_pickling<decltype(made), &suppressed_state, &suppressed_from>(made);
}

}  // namespace

void register_findings(py::module_& module) {
  register_parts(module);
  py::class_<Finding> made(module, "Finding",
                           "One thing that a check found. The attributes are those of the JSON output.");
  made.def_property_readonly(
          "rule", [](const Finding& f) { return f.rule; }, py::return_value_policy::reference,
          "The rule that found it.")
      .def_property_readonly(
          "code", [](const Finding& f) { return text(f.rule->code); }, "\"QDQ104\"")
      .def_property_readonly(
          "name", [](const Finding& f) { return text(f.rule->name); }, "\"residual-not-quantized\"")
      .def_property_readonly(
          "fact", [](const Finding& f) { return text(f.fact); },
          "\"pad-mode\": which of the facts that the rule tells; \"\" = it tells one.")
      .def_property_readonly(
          "severity", [](const Finding& f) { return word<SeverityWord>(f.severity); },
          "Of this finding; at most that of the rule, unless overridden.")
      .def_property_readonly(
          "certainty", [](const Finding& f) { return word<CertaintyWord>(f.certainty); },
          "Of this finding; at most that of the rule.")
      .def_property_readonly(
          "message", [](const Finding& f) { return text(f.message); }, "One line.")
      .def_property_readonly(
          "node", [](const Finding& f) { return text(f.node); },
          "Name of the node, or OpType_position; \"\" when it concerns the whole model.")
      .def_property_readonly(
          "op_type", [](const Finding& f) { return text(f.op_type); }, "Operator of the node; \"\" without a node.")
      .def_property_readonly(
          "graph", [](const Finding& f) { return text(f.graph); }, "\"main\", \"main/If_3.then_branch\", ...")
      .def_property_readonly(
          "value", [](const Finding& f) { return text(f.value); }, "The tensor at fault, or \"\".")
      .def_property_readonly(
          "signature", [](const Finding& f) { return texts(f.signature); },
          "One line for each input of the node: \"x: FLOAT[N,4,H,W]\".")
      .def_property_readonly(
          "source", [](const Finding& f) { return f.source; },
          "The recorded line of the PyTorch program: the innermost one outside of installed packages, if there is one.")
      .def_property_readonly(
          "library", [](const Finding& f) { return f.library; },
          "The innermost line of an installed package that `source` called, if any.")
      .def_property_readonly(
          "module", [](const Finding& f) { return text(f.module); },
          "Path of the PyTorch module: \"encoder.layers.10\"; \"\" when not recorded.")
      .def_property_readonly(
          "notes", [](const Finding& f) { return f.notes; }, "The chain of reasons.")
      .def_property_readonly(
          "fix", [](const Finding& f) { return f.fix; }, "The remedy, when there is one.")
      .def_property_readonly(
          "evidence", [](const Finding& f) { return texts(f.evidence); }, "Sources, most direct first.")
      .def_property_readonly(
          "consequences", [](const Finding& f) { return f.consequences; }, "Findings that follow from this one.")
      .def_property_readonly(
          "fingerprint", [](const Finding& f) { return text(f.fingerprint); },
          "16 hexadecimal digits, the same for the same defect in a new export of the model.")
      .def("picture", &picture,
           "The nodes around it as an SVG; \"\" when it is about no node, follows from another or is beyond the 500th.")
      .def("_repr_html_", [](const Finding& f) { return text(render_html(f)); })
      .def("__str__", [](const Finding& f) { return text(summary(f)); })
      .def("__repr__", [](const Finding& f) { return text("<Finding " + summary(f) + ">"); });
  add_pickling<decltype(made), &finding_state, &finding_from>(made);
  register_suppressed(module);
}

}  // namespace trtcheck::python
