#include "checked_report.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"

#include <pybind11/stl.h>

#include <trtcheck/reduce.hpp>

namespace trtcheck::python {
namespace {

/// With the memory that the unchanged bytes are in.
struct OwnedReduced {
  std::unique_ptr<BorrowedBuffer> memory;
  Reduced reduced;
};

/// A Python function as the judge; its exceptions end the search.
ReduceJudge judge_from(const py::object& function) {
  if (function.is_none()) return {};
  // Destroyed wherever the last copy is, with the GIL.
  const std::shared_ptr<py::object> kept(new py::object(function), [](py::object* held) {
    const py::gil_scoped_acquire locked;
    delete held;
  });
  return [kept](const std::string& path) {
    const py::gil_scoped_acquire locked;
    return py::cast<bool>(py::bool_((*kept)(text(path))));
  };
}

/// Ctrl-C in a notebook or a script ends the search, not the script: the smallest model so far is the result.
std::function<bool()> interrupted() {
  const auto was = std::make_shared<bool>(false);
  return [was] {
    if (*was) return true;
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) return false;
    PyErr_Clear();
    return *was = true;
  };
}

ReduceOptions reduce_options(const Target& target, std::vector<std::string> select, std::vector<std::string> ignore,
                             bool read_weights, std::string finding, std::string command, const py::object& judge,
                             double timeout, const std::string& weights, bool anonymous) {
  ReduceOptions options;
  options.check.target = target;
  options.check.select = std::move(select);
  options.check.ignore = std::move(ignore);
  options.check.read_weights = read_weights;
  options.finding = std::move(finding);
  options.command = std::move(command);
  options.judge = judge_from(judge);
  options.timeout = timeout;
  options.weights = parse_reduced_weights(weights);
  options.anonymous = anonymous;
  options.cancelled = interrupted();
  return options;
}

/// @param memory  None: `path` is read
std::unique_ptr<OwnedReduced> reduce_model(const py::object& memory, const py::bytes& path, const Target& target,
                                           std::vector<std::string> select, std::vector<std::string> ignore,
                                           bool read_weights, std::string finding, std::string command,
                                           const py::object& judge, double timeout, const std::string& weights,
                                           bool anonymous) {
  const ReduceOptions options =
      reduce_options(target, std::move(select), std::move(ignore), read_weights, std::move(finding), std::move(command),
                     judge, timeout, weights, anonymous);
  auto held = memory.is_none() ? nullptr : std::make_unique<BorrowedBuffer>(memory);
  const std::string name = path;
  std::optional<Reduced> made;
  {
    const py::gil_scoped_release unlocked;
    made = held ? reduce(held->bytes(), options, name) : reduce(name, options);
  }
  return std::make_unique<OwnedReduced>(OwnedReduced{std::move(held), std::move(*made)});
}

void write_reduced(const OwnedReduced& made, const py::bytes& output, const std::string& data) {
  const std::string name = output;
  const edit::DataPlace place = edit::parse_data_place(data);
  const py::gil_scoped_release unlocked;
  made.reduced.write(name, place);
}

void write_bug_report(const OwnedReduced& made, const py::bytes& folder, const std::vector<std::string>& versions) {
  const std::string name = folder;
  const py::gil_scoped_release unlocked;
  made.reduced.write_report(name, versions);
}

std::vector<py::str> lines(std::span<const std::string> items) {
  std::vector<py::str> made;
  for (const std::string& item : items) made.push_back(text(item));
  return made;
}

}  // namespace

void register_reduce(py::module_& module) {
  py::class_<OwnedReduced>(module, "ReducedModel")
      .def_property_readonly("report",
                             [](const OwnedReduced& r) {
                               return CheckedReport{r.reduced.report(), {}};
                             })
      .def_property_readonly("finding",
                             [](const OwnedReduced& r) {
                               const Finding* const finding = r.reduced.finding();
                               return finding == nullptr ? std::optional<Finding>() : *finding;
                             })
      .def_property_readonly("before", [](const OwnedReduced& r) { return r.reduced.before(); })
      .def_property_readonly("after", [](const OwnedReduced& r) { return r.reduced.after(); })
      .def_property_readonly("steps", [](const OwnedReduced& r) { return r.reduced.steps(); })
      .def_property_readonly("is_partial", [](const OwnedReduced& r) { return r.reduced.is_partial(); })
      .def_property_readonly("nodes", [](const OwnedReduced& r) { return lines(r.reduced.nodes()); })
      .def_property_readonly("notes", [](const OwnedReduced& r) { return lines(r.reduced.notes()); })
      .def("write", &write_reduced, py::arg("output"), py::arg("data"))
      .def("write_report", &write_bug_report, py::arg("folder"), py::arg("versions"))
      .def("content", [](const OwnedReduced& r) { return py::bytes(r.reduced.bytes()); });
  module.def("reduce_model", &reduce_model, py::arg("memory"), py::arg("path"), py::kw_only(), py::arg("target"),
             py::arg("select"), py::arg("ignore"), py::arg("read_weights"), py::arg("finding"), py::arg("command"),
             py::arg("judge"), py::arg("timeout"), py::arg("weights"), py::arg("anonymous"));
}

}  // namespace trtcheck::python
