// What copies and pickles an object: a constructor from a tuple of plain Python values.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

namespace trtcheck::python {

namespace py = pybind11;

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
