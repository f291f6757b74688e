#include "registers.hpp"
#include "text.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/rule.hpp>

namespace trtcheck::python {
namespace {

std::vector<const Rule*> rules() { return {all_rules().begin(), all_rules().end()}; }

const Rule& rule(const std::string& code_or_name) {
  const Rule* found = find_rule(code_or_name);
  if (found == nullptr) throw py::key_error(code_or_name);
  return *found;
}

}  // namespace

void register_rules(py::module_& module) {
  py::class_<Rule, std::unique_ptr<Rule, py::nodelete>>(module, "Rule", "One thing that a check looks for.")
      .def_property_readonly(
          "code", [](const Rule& r) { return text(r.code); }, "\"QDQ104\": family and number, for ever.")
      .def_property_readonly(
          "name", [](const Rule& r) { return text(r.name); }, "The defect: \"residual-not-quantized\".")
      .def_property_readonly(
          "since", [](const Rule& r) { return text(r.since); }, "The version of trtcheck that brought it.")
      .def_property_readonly(
          "severity", [](const Rule& r) { return word<SeverityWord>(r.severity); },
          "The highest severity that it reports.")
      .def_property_readonly(
          "certainty", [](const Rule& r) { return word<CertaintyWord>(r.certainty); },
          "The highest certainty that it reports.")
      .def_property_readonly(
          "fix", [](const Rule& r) { return word<ApplicabilityWord>(r.fix); },
          "What its fixes can promise: \"safe\" keeps the outputs.")
      .def_property_readonly("summary", [](const Rule& r) { return text(r.summary); })
      .def_property_readonly(
          "docs", [](const Rule& r) { return text(r.docs); }, "Markdown.")
      .def_property_readonly(
          "evidence", [](const Rule& r) { return texts(r.evidence); }, "Sources, most direct first.")
      .def_property_readonly(
          "ops", [](const Rule& r) { return texts(r.ops); }, "Operators it looks at; empty: whole models.")
      .def("__repr__", [](const Rule& r) { return py::str("<Rule {} {}>").format(text(r.code), text(r.name)); });

  module.def("rules", &rules, py::return_value_policy::reference, "All rules, sorted by code.");
  module.def("rule", &rule, py::return_value_policy::reference, py::arg("code_or_name"),
             "One rule by its code (in any case) or name; KeyError when there is none.");
}

}  // namespace trtcheck::python
