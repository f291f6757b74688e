#include "checked_report.hpp"
#include "one_report.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "one_report/one_report.hpp"

namespace trtcheck::python {
namespace {

using RangesPtr = std::optional<std::shared_ptr<Ranges>>;

OneReport made_of(const Analysis& analysis, const CheckOptions& options, const std::vector<SizeRange>& dims) {
  const one_report::LayersOfModel of(analysis, options);
  one_report::OneReport one = one_report::collect(of, of.report(), options, dims);
  std::string json;
  one_report::write_report_json([&json](std::string_view part) { json += part; }, one);
  std::string html = one_report::report_page(one);
  return {std::move(one.report), std::move(one.matrix), std::move(one.profile), std::move(json), std::move(html)};
}

OneReport report_of(const OwnedAnalysis& analysis, const Target& target, const std::vector<std::string>& dims,
                    std::vector<std::string> select, std::vector<std::string> ignore, RangesPtr ranges,
                    bool read_weights) {
  CheckOptions options;
  options.target = target;
  options.select = std::move(select);
  options.ignore = std::move(ignore);
  options.neighbourhoods = true;
  if (ranges) options.ranges = std::move(*ranges);
  options.read_weights = read_weights;
  std::vector<SizeRange> sizes;
  for (const std::string& dim : dims) sizes.push_back(parse_size_range(dim));
  const py::gil_scoped_release unlocked;
  return made_of(analysis.analysis, options, sizes);
}

}  // namespace

void register_one_report(py::module_& module) {
  py::class_<OneReport> type(module, "OneReport", R"(All that is said of one model.

`to_html()` is the page that `trtcheck report` writes, `to_json()` what it prints as JSON.)");
  type.def_property_readonly(
          "path", [](const OneReport& r) { return text(r.report.path); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "verdict", [](const OneReport& r) { return word<VerdictWord>(r.report.verdict()); }, "Of `report`.")
      .def_property_readonly(
          "report",
          [](const OneReport& r) {
            return CheckedReport{r.report, {}};
          },
          "What `check` says.")
      .def_property_readonly(
          "matrix", [](const OneReport& r) { return r.matrix; }, "What `matrix` says of all known releases.")
      .def_property_readonly(
          "profile", [](const OneReport& r) { return r.profile; }, "What `propose_profile` says.")
      .def(
          "to_json", [](const OneReport& r) { return text(r.json); },
          "The JSON document that `trtcheck report --output-format json` prints.")
      .def(
          "to_dict", [](const OneReport& r) { return parsed(text(r.json)); }, "The same document as Python values.")
      .def(
          "to_html", [](const OneReport& r) { return text(r.html); }, "The page that `trtcheck report` writes.")
      .def("__str__",
           [](const OneReport& r) {
             return text(render({&r.report, 1}, {.format = Format::full}));
           })
      .def("_repr_html_", [](const OneReport& r) { return text(render_html(r.report)); })
      .def("__repr__", [](const OneReport& r) {
        return text("<OneReport " + std::string(to_string(r.report.verdict())) + ": " + r.report.path + ">");
      });
  add_value_pickling(type);
  module.def("report", &report_of, py::arg("analysis"), py::kw_only(), py::arg("target"), py::arg("dims"),
             py::arg("select"), py::arg("ignore"), py::arg("ranges") = py::none(), py::arg("read_weights") = false);
}

}  // namespace trtcheck::python
