#include "checked_report.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/fix.hpp>
#include <trtcheck/picture.hpp>

namespace trtcheck::python {
namespace {

/// With the memory that the unchanged bytes are in.
struct OwnedFixed {
  std::unique_ptr<BorrowedBuffer> memory;
  Fixed fixed;
};

/// Of inputs or symbols all dims, and of axes that become dynamic the input, the axis and the symbol.
using Pinned = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;
using Freed = std::vector<std::tuple<std::string, std::size_t, std::string>>;

FixOptions fix_options_of(const Target& target, std::vector<std::string> select, std::vector<std::string> ignore,
                          const std::vector<std::string>& classes, std::vector<std::string> cures, std::size_t rounds,
                          const Pinned& pinned, const Freed& freed) {
  FixOptions options;
  options.check.target = target;
  options.check.select = std::move(select);
  options.check.ignore = std::move(ignore);
  options.check.neighbourhoods = true;
  options.classes.clear();
  for (const std::string& name : classes) options.classes.push_back(parse_cure_class(name));
  options.cures = std::move(cures);
  options.rounds = rounds;
  for (const auto& [name, dims] : pinned) options.sizes.push_back({name, dims});
  for (const auto& [input, axis, symbol] : freed) options.dynamic.push_back({input, axis, symbol});
  return options;
}

std::unique_ptr<OwnedFixed> fix_file(const py::bytes& path, const Target& target, std::vector<std::string> select,
                                     std::vector<std::string> ignore, const std::vector<std::string>& classes,
                                     std::vector<std::string> cures, std::size_t rounds, const Pinned& pinned,
                                     const Freed& freed) {
  const FixOptions options =
      fix_options_of(target, std::move(select), std::move(ignore), classes, std::move(cures), rounds, pinned, freed);
  const std::string name = path;
  const py::gil_scoped_release unlocked;
  return std::make_unique<OwnedFixed>(OwnedFixed{nullptr, fix(name, options)});
}

std::unique_ptr<OwnedFixed> fix_memory(const py::buffer& buffer, const py::bytes& base_dir, const Target& target,
                                       std::vector<std::string> select, std::vector<std::string> ignore,
                                       const std::vector<std::string>& classes, std::vector<std::string> cures,
                                       std::size_t rounds, const Pinned& pinned, const Freed& freed) {
  const FixOptions options =
      fix_options_of(target, std::move(select), std::move(ignore), classes, std::move(cures), rounds, pinned, freed);
  auto memory = std::make_unique<BorrowedBuffer>(buffer);
  const std::string folder = base_dir;
  std::optional<Fixed> made;
  {
    const py::gil_scoped_release unlocked;
    made = fix(memory->bytes(), options, folder);
  }
  return std::make_unique<OwnedFixed>(OwnedFixed{std::move(memory), std::move(*made)});
}

CheckedReport write(const OwnedFixed& fixed, const py::bytes& output, const std::string& data) {
  const std::string name = output;
  const edit::DataPlace place = edit::parse_data_place(data);
  const py::gil_scoped_release unlocked;
  return {fixed.fixed.write(name, place), {}};
}

py::bytes bytes_of_fixed(const OwnedFixed& fixed) { return py::bytes(fixed.fixed.bytes()); }

template <class T>
std::vector<T> copied(std::span<const T> items) {
  return {items.begin(), items.end()};
}

py::str picture_around(const AppliedCure& applied, const std::string& which) {
  if (which != "before" && which != "after") throw py::value_error("which picture: \"before\" or \"after\"");
  std::string made;
  {
    const bool is_before = which == "before";
    const py::gil_scoped_release unlocked;
    made = draw(is_before ? applied.before_picture : applied.after_picture,
                {.title = applied.code + ", " + which + ": " + applied.title, .is_finding = is_before});
  }
  return text(made);
}

py::tuple cure_state(const CureInfo& cure) { return py::make_tuple(text(cure.name)); }
CureInfo cure_from(const py::tuple& state) {
  const auto name = state[0].cast<std::string>();
  for (const CureInfo& cure : all_cures()) {
    if (cure.name == name) return cure;
  }
  throw py::value_error("pickled by another version of trtcheck");
}

void register_repairs(py::module_& module) {
  py::class_<AppliedCure> applied(module, "AppliedCure", "A repair that was made.");
  applied
      .def_property_readonly(
          "cure", [](const AppliedCure& a) { return text(a.cure); }, "Its name.")
      .def_property_readonly(
          "kind", [](const AppliedCure& a) { return text(to_string(a.kind)); },
          "\"proven\", \"rounding\", \"interface\" or \"choice\".")
      .def_property_readonly(
          "title", [](const AppliedCure& a) { return text(a.title); }, "What was done.")
      .def_property_readonly(
          "code", [](const AppliedCure& a) { return text(a.code); }, "Of the finding.")
      .def_property_readonly(
          "fact", [](const AppliedCure& a) { return text(a.fact); }, "Of the finding; \"\" = none.")
      .def_property_readonly(
          "message", [](const AppliedCure& a) { return text(a.message); }, "Of the finding.")
      .def_property_readonly(
          "node", [](const AppliedCure& a) { return text(a.node); }, "Label of the node.")
      .def_property_readonly(
          "op_type", [](const AppliedCure& a) { return text(a.op_type); }, "Of the node.")
      .def_property_readonly(
          "graph", [](const AppliedCure& a) { return text(a.graph); }, "Of the node.")
      .def_property_readonly(
          "source", [](const AppliedCure& a) { return a.source; }, "Line of the PyTorch program; None: not recorded.")
      .def_property_readonly(
          "before", [](const AppliedCure& a) { return texts(a.before); }, "Nodes that were changed, as ONNX text.")
      .def_property_readonly(
          "after", [](const AppliedCure& a) { return texts(a.after); }, "What stands there now.")
      .def("picture", &picture_around, py::arg("which"),
           "The graph around the node as an SVG, \"before\" the repair or \"after\" it; \"\" = none, or beyond the "
           "100th.")
      .def_property_readonly(
          "round", [](const AppliedCure& a) { return a.round; }, "In which round it was made, from 1.")
      .def("__repr__", [](const AppliedCure& a) { return text("<AppliedCure " + a.cure + ": " + a.title + ">"); });
  add_value_pickling(applied);
  add_views(applied);
  py::class_<LeftFinding> left(module, "LeftFinding", "An error or a warning that remains after repairs.");
  left.def_property_readonly(
          "code", [](const LeftFinding& l) { return text(l.code); }, "Of the finding.")
      .def_property_readonly(
          "fact", [](const LeftFinding& l) { return text(l.fact); }, "Of the finding; \"\" = none.")
      .def_property_readonly(
          "message", [](const LeftFinding& l) { return text(l.message); }, "Of the finding.")
      .def_property_readonly(
          "node", [](const LeftFinding& l) { return text(l.node); }, "Label of the node.")
      .def_property_readonly(
          "severity", [](const LeftFinding& l) { return word<SeverityWord>(l.severity); }, "Of the finding.")
      .def_property_readonly(
          "reason", [](const LeftFinding& l) { return text(l.reason); }, "Why it remains.")
      .def_property_readonly(
          "cure", [](const LeftFinding& l) { return text(l.cure); },
          "The cure that would be made if its class were asked for; \"\" = none.")
      .def("__repr__", [](const LeftFinding& l) { return text("<LeftFinding " + l.code + ": " + l.reason + ">"); });
  add_value_pickling(left);
  add_views(left);
  py::class_<CureInfo> cure(module, "Cure", "One kind of repair.");
  cure.def_property_readonly(
          "name", [](const CureInfo& c) { return text(c.name); }, "Lower-case words with hyphens.")
      .def_property_readonly(
          "kind", [](const CureInfo& c) { return text(to_string(c.kind)); }, "The least that it promises.")
      .def_property_readonly(
          "summary", [](const CureInfo& c) { return text(c.summary); }, "One line.")
      .def_property_readonly(
          "findings", [](const CureInfo& c) { return texts(c.findings); }, "What it repairs: \"OPS401:pad-mode\".")
      .def("__repr__", [](const CureInfo& c) { return text("<Cure " + std::string(c.name) + ">"); });
  add_pickling<decltype(cure), &cure_state, &cure_from>(cure);
  add_views(cure);
}

}  // namespace

void register_fix(py::module_& module) {
  register_repairs(module);
  py::class_<OwnedFixed>(module, "FixedModel")
      .def_property_readonly("before",
                             [](const OwnedFixed& f) {
                               return CheckedReport{f.fixed.before(), {}};
                             })
      .def_property_readonly("after",
                             [](const OwnedFixed& f) {
                               return CheckedReport{f.fixed.after(), {}};
                             })
      .def_property_readonly("applied", [](const OwnedFixed& f) { return copied(f.fixed.applied()); })
      .def_property_readonly("left", [](const OwnedFixed& f) { return copied(f.fixed.left()); })
      .def("write", &write, py::arg("output"), py::arg("data"))
      .def("content", &bytes_of_fixed);
  module.def("fix_file", &fix_file, py::arg("path"), py::kw_only(), py::arg("target"), py::arg("select"),
             py::arg("ignore"), py::arg("classes"), py::arg("cures"), py::arg("rounds"), py::arg("sizes"),
             py::arg("dynamic"));
  module.def("fix_memory", &fix_memory, py::arg("buffer"), py::arg("base_dir"), py::kw_only(), py::arg("target"),
             py::arg("select"), py::arg("ignore"), py::arg("classes"), py::arg("cures"), py::arg("rounds"),
             py::arg("sizes"), py::arg("dynamic"));
  module.def("cures", [] { return copied(all_cures()); });
}

}  // namespace trtcheck::python
