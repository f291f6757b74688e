#include "checked_report.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "release_text.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include <trtcheck/matrix.hpp>

namespace trtcheck::python {
namespace {

std::string rendered_matrix(const Matrix& m, Format format) { return render({&m, 1}, {.format = format}); }

std::optional<py::str> release_text(const std::optional<TrtVersion>& release) {
  return release ? std::optional(text(to_string(*release))) : std::nullopt;
}

/// A range with findings of its own, which outlive the matrix.
struct Range {
  TrtVersion first;
  TrtVersion last;
  Verdict verdict;
  std::vector<Finding> deciding;
  std::size_t unlisted;
};

py::tuple range_state(const Range& r) {
  return py::make_tuple(kFormat, state_of(r.first), state_of(r.last), state_of(r.verdict), state_of(r.deciding),
                        r.unlisted);
}

Range range_from(const py::tuple& state) {
  if (state.size() != 6 || !is_format(state[0])) refuse_state();
  Range made{};
  restore(made.first, state[1]);
  restore(made.last, state[2]);
  restore(made.verdict, state[3]);
  restore(made.deciding, state[4]);
  made.unlisted = state[5].cast<std::size_t>();
  return made;
}

std::vector<Range> ranges_of(const Matrix& m) {
  std::vector<Range> made;
  for (const MatrixRange& range : m.ranges()) {
    made.push_back({range.first, range.last, range.verdict, {}, range.unlisted});
    for (const Finding* finding : range.deciding) made.back().deciding.push_back(*finding);
  }
  return made;
}

/// Each release once, in the order of all.
std::vector<TrtVersion> releases_of(const std::vector<ReleaseText>& targets) {
  std::vector<TrtVersion> named;
  for (const ReleaseText& target : targets) {
    for (const TrtVersion release : parse_releases(target.text)) named.push_back(release);
  }
  std::vector<TrtVersion> releases = parse_releases("all");
  std::erase_if(releases, [&](TrtVersion release) { return std::ranges::find(named, release) == named.end(); });
  if (releases.empty()) static_cast<void>(parse_releases(""));
  return releases;
}

Matrix matrix_of(const OwnedAnalysis& analysis, const Target& target, const std::vector<ReleaseText>& releases,
                 std::vector<std::string> select, std::vector<std::string> ignore) {
  CheckOptions options;
  options.target = target;
  options.select = std::move(select);
  options.ignore = std::move(ignore);
  const std::vector<TrtVersion> asked = releases_of(releases);
  const py::gil_scoped_release unlocked;
  return matrix(analysis.analysis, options, asked);
}

void register_ranges_of_releases(py::module_& module) {
  py::class_<Range> range(module, "MatrixRange", "Neighbouring releases with the same answer.");
  range
      .def_property_readonly(
          "first", [](const Range& r) { return text(to_string(r.first)); }, "The oldest of them: \"8.0\".")
      .def_property_readonly(
          "last", [](const Range& r) { return text(to_string(r.last)); }, "The newest of them; may be the same.")
      .def_property_readonly(
          "verdict", [](const Range& r) { return word<VerdictWord>(r.verdict); }, "Of all of them.")
      .def_property_readonly(
          "deciding", [](const Range& r) { return r.deciding; },
          "Errors of a refused model, warnings of an uncertain one, as the newest of them has them; one of each cause.")
      .def_property_readonly(
          "unlisted", [](const Range& r) { return r.unlisted; },
          "How many more such findings are counted only: of a rule and severity the first 200 are listed.")
      .def("__repr__", [](const Range& r) {
        return text("<MatrixRange " + to_string(r.first) + " .. " + to_string(r.last) + ": " +
                    std::string(to_string(r.verdict)) + ">");
      });
  add_pickling<decltype(range), &range_state, &range_from>(range);
  add_views(range);
  py::class_<TakenBy> taken(module, "TakenBy", "The oldest and newest releases of one product that take a model.");
  taken
      .def_property_readonly(
          "product", [](const TakenBy& t) { return text(to_string(t.product)); }, "\"TensorRT\" or \"TensorRT-RTX\".")
      .def_property_readonly(
          "oldest_clean", [](const TakenBy& t) { return release_text(t.oldest_clean); },
          "The first release with nothing to object to; None: there is none.")
      .def_property_readonly(
          "newest_clean", [](const TakenBy& t) { return release_text(t.newest_clean); }, "The last such release.")
      .def_property_readonly(
          "oldest_not_refused", [](const TakenBy& t) { return release_text(t.oldest_not_refused); },
          "The first release that is clean or uncertain; None: all refuse.")
      .def_property_readonly(
          "newest_not_refused", [](const TakenBy& t) { return release_text(t.newest_not_refused); },
          "The last such release.")
      .def("__repr__", [](const TakenBy& t) { return text("<TakenBy " + std::string(to_string(t.product)) + ">"); });
  add_value_pickling(taken);
  add_views(taken);
}

}  // namespace

void register_matrix(py::module_& module) {
  register_ranges_of_releases(module);
  py::class_<Matrix> type(module, "Matrix", R"(What each of several releases makes of one model.

`str()` is the full text, `to_json()` what the command line prints as JSON.)");
  type.def_property_readonly(
          "path", [](const Matrix& m) { return text(m.path); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "node_count", [](const Matrix& m) { return m.node_count; }, "Of all graphs.")
      .def_property_readonly(
          "reports",
          [](const Matrix& m) {
            std::vector<CheckedReport> made;
            for (const Report& report : m.reports) made.push_back({report, {}});
            return made;
          },
          "One for each release, oldest first, TensorRT before TensorRT-RTX: as from `check`, with 200 findings of a "
          "rule.")
      .def_property_readonly("ranges", &ranges_of, "`reports` with neighbours of one answer put together.")
      .def_property_readonly(
          "taken_by", [](const Matrix& m) { return m.taken_by(); },
          "One for each product that was asked, TensorRT first.")
      .def(
          "to_json", [](const Matrix& m) { return text(rendered_matrix(m, Format::json)); },
          "The JSON document that `trtcheck matrix --output-format json` prints.")
      .def(
          "to_dict",
          [](const Matrix& m) -> py::typing::Dict<py::str, py::object> {
            return py::module_::import("json").attr("loads")(text(rendered_matrix(m, Format::json)));
          },
          "The same document as Python values.")
      .def(
          "to_markdown", [](const Matrix& m) { return text(rendered_matrix(m, Format::markdown)); },
          "A table for a wiki.")
      .def(
          "to_html", [](const Matrix& m) { return text(rendered_matrix(m, Format::html)); }, "A page of its own.")
      .def("__str__", [](const Matrix& m) { return text(rendered_matrix(m, Format::full)); })
      .def("__repr__", [](const Matrix& m) {
        return text("<Matrix of " + std::to_string(m.reports.size()) + " releases: " + m.path + ">");
      });
  add_value_pickling(type);
  add_html(type);
  module.def("matrix", &matrix_of, py::arg("analysis"), py::kw_only(), py::arg("target"), py::arg("releases"),
             py::arg("select"), py::arg("ignore"));
}

}  // namespace trtcheck::python
