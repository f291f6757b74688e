#include "checked_report.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/baseline.hpp>

namespace trtcheck::python {
namespace {

Baseline read_known(const py::bytes& path) {
  const std::string name = path;
  const py::gil_scoped_release unlocked;
  return read_baseline(name);
}

CheckedReport applied(const Baseline& baseline, const CheckedReport& report) {
  const py::gil_scoped_release unlocked;
  CheckedReport copy = report;
  baseline.apply(copy.report, {});
  return copy;
}

py::tuple baseline_state(const Baseline& baseline) {
  return py::make_tuple(kFormat, state_of(baseline.path()),
                        state_of(std::vector<BaselineEntry>(baseline.entries().begin(), baseline.entries().end())));
}

Baseline baseline_from(const py::tuple& state) {
  if (state.size() != 3 || !is_format(state[0])) refuse_state();
  std::string path;
  std::vector<BaselineEntry> entries;
  restore(path, state[1]);
  restore(entries, state[2]);
  return {std::move(path), std::move(entries)};
}

}  // namespace

void register_baseline(py::module_& module) {
  py::class_<BaselineEntry> entry(module, "BaselineEntry", "One known finding, or several that share a fingerprint.");
  entry
      .def_property_readonly(
          "model", [](const BaselineEntry& e) { return text(e.model); }, "Relative to the folder of the baseline.")
      .def_property_readonly(
          "code", [](const BaselineEntry& e) { return text(e.code); }, "Of the rule.")
      .def_property_readonly(
          "fingerprint", [](const BaselineEntry& e) { return text(e.fingerprint); }, "See `Finding.fingerprint`.")
      .def_property_readonly(
          "count", [](const BaselineEntry& e) { return e.count; }, "How many findings share it.")
      .def_property_readonly(
          "message", [](const BaselineEntry& e) { return text(e.message); }, "Of one of them, for readers.")
      .def_property_readonly(
          "fact", [](const BaselineEntry& e) { return text(e.fact); },
          "Which of the facts that the rule tells; or \"\".")
      .def_property_readonly(
          "severity", [](const BaselineEntry& e) { return word<SeverityWord>(e.severity); },
          "That was accepted; the same finding with a higher one is new.")
      .def("__repr__", [](const BaselineEntry& e) {
        return text("<BaselineEntry " + e.model + ": " + e.code + " " + e.message + ">");
      });
  add_value_pickling(entry);
  add_views(entry);

  py::class_<Baseline> type(module, "Baseline", R"(Findings that are known and accepted for now.

The command line writes the file: `trtcheck check --baseline FILE --update-baseline`.)");
  type.def_property_readonly(
          "path", [](const Baseline& b) { return text(b.path()); }, "Of the file.")
      .def_property_readonly(
          "entries",
          [](const Baseline& b) { return std::vector<BaselineEntry>(b.entries().begin(), b.entries().end()); },
          "Sorted by model, code and fingerprint.")
      .def("__len__", [](const Baseline& b) { return b.entries().size(); })
      .def("apply", &applied, py::arg("report"),
           "A copy of the report in which the known findings are among the `suppressions`.")
      .def("__repr__", [](const Baseline& b) {
        return text("<Baseline " + b.path() + ": " + std::to_string(b.entries().size()) + " entries>");
      });
  type.def(
      "to_dict", [](const Baseline& b) { return parsed(text(b.to_json())); },
      "The document in the file, as it is written.");
  add_pickling<decltype(type), &baseline_state, &baseline_from>(type);
  add_html(type);
  module.def("read_baseline", &read_known, py::arg("path"));
}

}  // namespace trtcheck::python
