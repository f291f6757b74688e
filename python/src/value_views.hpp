// What every value can be turned into: plain values of Python, and what a notebook shows. Both are made in Python, from
// the attributes of the class.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

namespace trtcheck::python {

namespace py = pybind11;

using PlainValues = py::typing::Dict<py::str, py::object>;

template <class Class>
void add_plain(Class& made) {
  made.def(
      "to_dict",
      [](const py::object& self) -> PlainValues { return py::module_::import("trtcheck._values").attr("plain")(self); },
      "Its attributes as plain Python values.");
}

template <class Class>
void add_html(Class& made) {
  made.def("_repr_html_", [](const py::object& self) -> py::str {
    return py::module_::import("trtcheck._values").attr("html")(self);
  });
}

/// Of a document: the same as its JSON.
inline PlainValues parsed(const py::str& json) { return py::module_::import("json").attr("loads")(json); }

/// For what is a part of a document, and has none of its own.
template <class Class>
void add_views(Class& made) {
  add_plain(made);
  add_html(made);
}

}  // namespace trtcheck::python
