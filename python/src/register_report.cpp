#include "checked_report.hpp"
#include "registers.hpp"
#include "rendering.hpp"
#include "text.hpp"
#include "text/plural.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <map>
#include <string>

#include <pybind11/stl.h>

namespace trtcheck::python {
namespace {

class Fixed;

}  // namespace
}  // namespace trtcheck::python

template <>
struct pybind11::detail::handle_type_name<trtcheck::python::Fixed> {
  static constexpr auto name = const_name("trtcheck._fix.Fixed");
};

namespace trtcheck::python {
namespace {

std::string rendered_report(const CheckedReport& r, Format format) {
  return render({&r.report, 1}, {.format = format});
}

std::string full(const CheckedReport& r) {
  std::string made;
  for (const std::string& remark : r.remarks) made += "note: " + remark + "\n";
  return made + rendered_report(r, Format::full);
}

void collect(const std::vector<Finding>& findings, Severity severity, std::vector<Finding>& found) {
  for (const Finding& finding : findings) {
    if (finding.severity == severity) found.push_back(finding);
    collect(finding.consequences, severity, found);
  }
}

/// Consequences count too, as in `Report::count`.
std::vector<Finding> of_severity(const CheckedReport& r, Severity severity) {
  std::vector<Finding> found;
  collect(r.report.findings, severity, found);
  return found;
}

std::map<std::string, std::size_t> unlisted(const CheckedReport& r) {
  std::map<std::string, std::size_t> counts;
  for (const Unlisted& each : r.report.unlisted) counts[std::string(each.rule->code)] += each.count;
  return counts;
}

std::vector<std::vector<Finding>> groups(const CheckedReport& r) {
  std::vector<std::vector<Finding>> made;
  for (const FindingGroup& group : r.report.groups()) {
    std::vector<Finding>& copy = made.emplace_back();
    for (const Finding* finding : group) copy.push_back(*finding);
  }
  return made;
}

bool is_ok(const CheckedReport& r) { return r.report.verdict() != Verdict::refused; }

/// What `trtcheck.fix` returns.
class Fixed : public py::object {
 public:
  using py::object::object;
};

Fixed fix(const py::object& self, const py::KWArgs<py::object>& options) {
  return py::reinterpret_steal<Fixed>(
      py::module_::import("trtcheck._fix").attr("fix_report")(self, **options).release());
}

void raise_for_errors(const py::object& self) {
  if (is_ok(self.cast<const CheckedReport&>())) return;
  const py::object type = py::module_::import("trtcheck._errors").attr("ConversionError");
  PyErr_SetObject(type.ptr(), type(self).ptr());
  throw py::error_already_set();
}

std::string brief(const CheckedReport& r) {
  const auto part = [&](Severity severity, const char* one) { return counted(r.report.count(severity), one); };
  return "<Report " + std::string(to_string(r.report.verdict())) + ": " + part(Severity::error, "error") + ", " +
         part(Severity::warning, "warning") + ", " + std::to_string(r.report.count(Severity::info)) + " info>";
}

}  // namespace

void register_report(py::module_& module) {
  py::class_<CheckedReport> type(module, "Report",
                                 R"(What a check found, sorted: errors first, then by place in the model.

Iterates over its findings; `str()` is the full text, `to_json()` what the command line prints as JSON.)");
  type.def_property_readonly(
          "path", [](const CheckedReport& r) { return text(r.report.path); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "target", [](const CheckedReport& r) { return r.report.target; }, "What was checked for.")
      .def_property_readonly(
          "findings", [](const CheckedReport& r) { return r.report.findings; },
          "First cause first; what follows from one stands in its `consequences`.")
      .def_property_readonly(
          "groups", &groups,
          "`findings` by cause: those that share a `Finding.group`, in the place of the first of them.")
      .def_property_readonly(
          "unlisted", &unlisted,
          "How many findings are not listed, by rule code: of a rule and severity `findings` has the first 2,000.")
      .def_property_readonly(
          "errors", [](const CheckedReport& r) { return of_severity(r, Severity::error); },
          "TensorRT refuses the model for every allowed shape. Consequences of other findings are among them.")
      .def_property_readonly(
          "warnings", [](const CheckedReport& r) { return of_severity(r, Severity::warning); },
          "TensorRT refuses for some shape, computes something else, or it could not be proved.")
      .def_property_readonly(
          "infos", [](const CheckedReport& r) { return of_severity(r, Severity::info); }, "Cost or advice.")
      .def_property_readonly(
          "verdict", [](const CheckedReport& r) { return word<VerdictWord>(r.report.verdict()); },
          "\"refused\" with an error, \"uncertain\" with a warning, else \"clean\".")
      .def_property_readonly("ok", &is_ok, "True unless the verdict is \"refused\".")
      .def_property_readonly(
          "node_count", [](const CheckedReport& r) { return r.report.node_count; }, "Of all graphs.")
      .def_property_readonly(
          "suppressed", [](const CheckedReport& r) { return r.report.suppressed; },
          "Number of findings left out: by `select` and `ignore`, and all that are in `suppressions`.")
      .def_property_readonly(
          "suppressions", [](const CheckedReport& r) { return r.report.suppressions; },
          "Findings left out by metadata of the model, per-node-ignores, or a baseline.")
      .def_property_readonly(
          "unmatched", [](const CheckedReport& r) { return texts(r.report.unmatched); },
          "Options that had nothing to do in this model, one line each.")
      .def_property_readonly(
          "remarks", [](const CheckedReport& r) { return texts(r.remarks); },
          "What was said about the way to the model, by `trtcheck.torch.check_module`.")
      .def("__len__", [](const CheckedReport& r) { return r.report.findings.size(); })
      .def(
          "__bool__", [](const CheckedReport&) { return true; }, "A report is true, also without findings; ask `ok`.")
      .def(
          "__getitem__",
          [](const CheckedReport& r, py::ssize_t index) {
            const auto count = static_cast<py::ssize_t>(r.report.findings.size());
            if (index < 0) index += count;
            if (index < 0 || index >= count) throw py::index_error("finding index out of range");
            return r.report.findings[static_cast<std::size_t>(index)];
          },
          py::arg("index"))
      .def(
          "__iter__",
          [](const CheckedReport& r) -> py::typing::Iterator<Finding> { return py::iter(py::cast(r.report.findings)); })
      .def(
          "to_json", [](const CheckedReport& r) { return text(rendered_report(r, Format::json)); },
          "The JSON document that `trtcheck check --output-format json` prints for this model.")
      .def(
          "to_dict",
          [](const CheckedReport& r) -> py::typing::Dict<py::str, py::object> {
            return py::module_::import("json").attr("loads")(text(rendered_report(r, Format::json)));
          },
          "The same document as Python values.")
      .def(
          "render",
          [](const CheckedReport& r, const std::string& format, bool color, int width, const std::string& fail_on,
             bool show_all) {
            return text(render_reports({&r, 1}, {format, color, width, fail_on, show_all}));
          },
          py::arg("format") = "full", py::kw_only(), py::arg("color") = false, py::arg("width") = 100,
          py::arg("fail_on") = "error", py::arg("show_all") = false,
          "This report in an output format; see `trtcheck.render`.")
      .def("fix", &fix,
           "`trtcheck.fix` of the model that was checked, for the same target; other options are given again.")
      .def("raise_for_errors", &raise_for_errors, "Raises `trtcheck.ConversionError` when the verdict is \"refused\".")
      .def(
          "_with_remarks",
          [](const CheckedReport& r, std::string path, std::vector<std::string> remarks) {
            CheckedReport copy = r;
            copy.report.path = std::move(path);
            copy.remarks = std::move(remarks);
            return copy;
          },
          py::arg("path"), py::arg("remarks"))
      .def(
          "_renamed",
          [](const CheckedReport& r, const py::bytes& path) {
            CheckedReport copy = r;
            copy.report.path = path;
            return copy;
          },
          py::arg("path"))
      .def("_repr_html_", [](const CheckedReport& r) { return text(render_html(r.report)); })
      .def(
          "_repr_pretty_",
          [](const CheckedReport& r, const py::object& printer, bool cycle) {
            printer.attr("text")(cycle ? text(brief(r)) : text(full(r)));
          },
          py::arg("printer"), py::arg("cycle"), "For IPython: the full text.")
      .def("__str__", [](const CheckedReport& r) { return text(full(r)); })
      .def("__repr__", [](const CheckedReport& r) { return text(brief(r)); });
  add_value_pickling(type);
}

}  // namespace trtcheck::python
