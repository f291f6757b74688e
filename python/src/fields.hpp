// The fields of report/fields.hpp as attributes of a Python class.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "report/fields.hpp"
#include "text.hpp"
#include "words.hpp"

namespace trtcheck::python {

inline py::str attribute(const std::string& value) { return text(value); }
inline std::vector<py::str> attribute(const std::vector<std::string>& value) { return texts(value); }
inline SeverityWord attribute(Severity value) { return word<SeverityWord>(value); }
inline CertaintyWord attribute(Certainty value) { return word<CertaintyWord>(value); }
inline ApplicabilityWord attribute(Applicability value) { return word<ApplicabilityWord>(value); }
inline SuppressedByWord attribute(Suppressed::By value) { return word<SuppressedByWord>(value); }
/// Another object, a list of them, a number: as it is.
template <class Value>
Value attribute(const Value& value) {
  return value;
}

/// Ids of nodes mean nothing without the model, and a neighbourhood is shown as a picture.
template <class Member>
inline constexpr bool kIsAttribute = !std::is_same_v<Member, NodeId> && !std::is_same_v<Member, Neighbourhood>;

template <class Class>
void add_fields(py::class_<Class>& made) {
  report::for_each_field<Class>([&]<class Member>(const report::Field<Class, Member>& field) {
    if constexpr (kIsAttribute<Member>) {
      const auto get = [member = field.member](const Class& object) { return attribute(object.*member); };
      made.def_property_readonly(field.name, get, py::return_value_policy::reference, field.doc);
    }
  });
}

}  // namespace trtcheck::python
