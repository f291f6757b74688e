// A report as a tuple of plain Python values and back.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <trtcheck/report.hpp>

#include "checked_report.hpp"

namespace trtcheck::python {

namespace py = pybind11;

py::tuple finding_state(const Finding& finding);
/// @throws py::value_error  made by another version of trtcheck, or with a rule that is unknown here
Finding finding_from(const py::tuple& state);

py::tuple suppressed_state(const Suppressed& suppressed);
Suppressed suppressed_from(const py::tuple& state);

py::tuple target_state(const Target& target);
Target target_from(const py::tuple& state);

py::tuple report_state(const CheckedReport& report);
CheckedReport report_from(const py::tuple& state);

/// A constructor from the state, which only pickle is meant to call. Unlike py::pickle this serves protocols 0
/// and 1 too, on which that one aborts the process.
template <class Class, auto State, auto From>
void add_pickling(Class& made) {
  made.def(py::init(From), py::arg("state"), "For pickle.");
  made.def("__reduce__", [](const py::object& self) -> py::typing::Tuple<py::object, py::tuple> {
    const auto& value = self.template cast<const typename Class::type&>();
    return py::make_tuple(py::type::of(self), py::make_tuple(State(value)));
  });
}

}  // namespace trtcheck::python
