// The name of a release on its way from Python: a number in its place is answered in words, not with a signature.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace trtcheck::python {

struct ReleaseText {
  std::string text;
};

}  // namespace trtcheck::python

template <>
struct pybind11::detail::type_caster<trtcheck::python::ReleaseText> {
  PYBIND11_TYPE_CASTER(trtcheck::python::ReleaseText, const_name("str"));

  /// @throws TypeError  it is no text
  bool load(handle given, bool convert) {
    make_caster<std::string> text;
    if (PyUnicode_Check(given.ptr()) != 0 && text.load(given, convert)) {
      value.text = cast_op<std::string>(text);
      return true;
    }
    const std::string shown = str(repr(given));
    if (PyFloat_Check(given.ptr()) != 0 || PyLong_Check(given.ptr()) != 0) {
      throw type_error("a TensorRT release is text: write \"" + shown + "\", not " + shown +
                       "; as numbers, 10.1 and 10.10 are the same");
    }
    throw type_error("a TensorRT release is text such as \"8.6\", not " +
                     std::string(str(type::handle_of(given).attr("__name__"))));
  }
};
