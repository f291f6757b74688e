#include "registers.hpp"
#include "rendering.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <trtcheck/confirm.hpp>
#include <trtcheck/error.hpp>
#include <trtcheck/matrix.hpp>

#include "report/format_rows.hpp"
#include "report/surroundings.hpp"

namespace trtcheck::python {
namespace {

std::optional<Severity> fails_from(const std::string& word) {
  if (word == "never") return std::nullopt;
  for (const Severity severity : {Severity::info, Severity::warning, Severity::error}) {
    if (word == to_string(severity)) return severity;
  }
  throw Error("fail_on", "unknown value `" + word + "`; it takes error, warning, info, never");
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatName& entry : formats()) names.emplace_back(entry.name);
  return names;
}

std::map<std::string, std::string> format_endings() {
  std::map<std::string, std::string> made;
  for (const report::FormatRow& row : report::format_rows()) {
    if (!row.ending.empty()) made.emplace(row.ending, row.name.name);
  }
  return made;
}

using PathAndCause = std::pair<std::string, std::string>;

std::vector<Failure> failures_of(const std::vector<PathAndCause>& given) {
  std::vector<Failure> made;
  for (const auto& [path, cause] : given) made.push_back({path, cause});
  return made;
}

/// Of matrices or confirmations, as the command line writes them.
template <class Value>
py::str render_others(const std::vector<Value>& values, const std::vector<PathAndCause>& failures,
                      const std::string& format, bool color, int width) {
  const std::vector<Failure> missing = failures_of(failures);
  std::string made;
  {
    const py::gil_scoped_release unlocked;
    made = render(values, {.format = parse_format(format), .color = color, .width = width, .failures = missing});
  }
  return text(made);
}

template <class Value>
void define_render(py::module_& module, const char* name) {
  module.def(name, &render_others<Value>, py::arg("values"), py::arg("failures"), py::kw_only(), py::arg("format"),
             py::arg("color"), py::arg("width"));
}

py::str render_list(const std::vector<CheckedReport>& reports, const std::vector<PathAndCause>& failures,
                    std::string format, bool color, int width, std::string fail_on, bool show_all) {
  RenderWords words{std::move(format), color, width, std::move(fail_on), show_all, failures_of(failures)};
  std::string made;
  {
    const py::gil_scoped_release unlocked;
    made = render_reports(reports, words);
  }
  return text(made);
}

}  // namespace

std::string render_reports(std::span<const CheckedReport> reports, const RenderWords& words) {
  const report::Surroundings around = report::surroundings();
  RenderOptions options;
  options.format = parse_format(words.format);
  options.color = words.color;
  options.width = words.width;
  options.show_all = words.show_all;
  options.folder = around.folder;
  options.root = around.root;
  const std::vector<std::optional<Severity>> severities(reports.size(), fails_from(words.fail_on));
  options.fails_from = severities;
  options.failures = words.failures;
  std::vector<Report> plain;
  std::string notes;
  for (const CheckedReport& checked : reports) {
    plain.push_back(checked.report);
    for (const std::string& remark : checked.remarks) notes += "note: " + remark + "\n";
  }
  const std::string made = render(plain, options);
  return options.format == Format::full ? notes + made : made;
}

void register_render(py::module_& module) {
  module.def("formats", &format_names, "Names of the output formats, as `render` and the command line take them.");
  module.def("format_endings", &format_endings, "Formats by the endings of the files that hold them.");
  module.def("render", &render_list, py::arg("reports"), py::arg("failures"), py::kw_only(), py::arg("format"),
             py::arg("color"), py::arg("width"), py::arg("fail_on"), py::arg("show_all"));
  define_render<Matrix>(module, "render_matrices");
  define_render<Confirmation>(module, "render_confirmations");
}

}  // namespace trtcheck::python
