#include "registers.hpp"
#include "text.hpp"

#include <pybind11/stl.h>

#include <trtcheck/error.hpp>

namespace trtcheck::python {
namespace {

// The class is written in Python, where attributes and documentation of an exception belong.
void raise(const Error& error) {
  const py::object type = py::module_::import("trtcheck._errors").attr("Error");
  const py::object made = type(text(error.path()), text(error.cause()), error.offset());
  PyErr_SetObject(type.ptr(), made.ptr());
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
