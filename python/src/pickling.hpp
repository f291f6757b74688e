// A report as a tuple of plain Python values and back.
#pragma once

#include <pybind11/pybind11.h>

#include <trtcheck/report.hpp>

namespace trtcheck::python {

namespace py = pybind11;

py::tuple finding_state(const Finding& finding);
/// @throws py::value_error  made by another version of trtcheck, or with a rule that is unknown here
Finding finding_from(const py::tuple& state);

py::tuple target_state(const Target& target);
Target target_from(const py::tuple& state);

}  // namespace trtcheck::python
