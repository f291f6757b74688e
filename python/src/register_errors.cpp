#include "registers.hpp"
#include "text.hpp"

#include <pybind11/stl.h>

#include <trtcheck/error.hpp>

namespace trtcheck::python {
namespace {

// The class is written in Python, where attributes and documentation of an exception belong.
void raise(const Error& error) {
  const py::object make = py::module_::import("trtcheck._errors").attr("made");
  const py::object made = make(text(error.path()), text(error.cause()), error.offset());
  PyErr_SetObject(py::type::of(made).ptr(), made.ptr());
}

}  // namespace

void register_errors(py::module_&) {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace trtcheck::python
