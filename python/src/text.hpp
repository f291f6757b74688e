// Strings on their way to Python.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

namespace trtcheck::python {

namespace py = pybind11;

/// Names in a file may be any bytes: what is not UTF-8 appears as `\xNN`.
inline py::str text(std::string_view bytes) {
  PyObject* made = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "backslashreplace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(made);
}

/// "" is None, as in the JSON output.
inline std::optional<py::str> optional_text(std::string_view bytes) {
  return bytes.empty() ? std::nullopt : std::optional(text(bytes));
}

template <std::ranges::sized_range Range>
std::vector<py::str> texts(const Range& range) {
  std::vector<py::str> made;
  made.reserve(std::ranges::size(range));
  for (const auto& entry : range) made.push_back(text(entry));
  return made;
}

}  // namespace trtcheck::python
