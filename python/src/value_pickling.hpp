// How values with described fields are pickled: as the tuple of their fields, with a number for the form of all of
// them.
#pragma once

#include <cstdint>
#include <tuple>

#include "checked_report.hpp"
#include "one_report.hpp"
#include "pickling.hpp"
#include "text/hash.hpp"
#include "value_state.hpp"

namespace trtcheck::report {

template <>
struct Fields<python::CheckedReport> {
  static constexpr std::tuple kAll{Field{"report", &python::CheckedReport::report},
                                   Field{"remarks", &python::CheckedReport::remarks}};
};

template <>
struct Fields<python::OneReport> {
  static constexpr std::tuple kAll{Field{"report", &python::OneReport::report},
                                   Field{"matrix", &python::OneReport::matrix},
                                   Field{"profile", &python::OneReport::profile},
                                   Field{"json", &python::OneReport::json}, Field{"html", &python::OneReport::html}};
};

}  // namespace trtcheck::report

namespace trtcheck::python {

/// All that may be pickled, with what these hold.
using PickledValues =
    std::tuple<SourceLocation, Note, Fix, Neighbourhood::Node, Neighbourhood::Edge, Neighbourhood, Finding, Unlisted,
               Suppressed, TrtVersion, ComputeCapability, ProfileInput, ShapeFunction, Target, Report, CheckedReport,
               BaselineEntry, DiffSide, InterfaceChange, OperatorChange, ShapeChange, SymbolChange, ConstantChange,
               Diff, TakenBy, Matrix, SizeChoice, ProfileCommand, ProfileProposal, OneReport, Witness, WitnessMessage,
               Confirmation, MeasuredTensor, Ranges, LogMatch, AppliedCure, LeftFinding>;

template <class Class>
constexpr void add_names(Hash& hash) {
  for_each_field<Class>([&](const auto& field) { hash.add(field.name); });
}
template <class... Classes>
constexpr std::uint64_t format_of(const std::tuple<Classes...>*) {
  Hash hash(6);
  (add_names<Classes>(hash), ...);
  return hash.value();
}
/// Another one with every change of the fields.
inline constexpr std::uint64_t kFormat = format_of(static_cast<const PickledValues*>(nullptr));

template <class Value, class... Classes>
constexpr bool is_listed(const std::tuple<Classes...>*) {
  return (std::is_same_v<Value, Classes> || ...);
}

template <class Value>
py::tuple value_state(const Value& value) {
  static_assert(is_listed<Value>(static_cast<const PickledValues*>(nullptr)));
  return py::make_tuple(kFormat, state_of(value));
}

inline bool is_format(const py::handle& state) {
  return py::isinstance<py::int_>(state) && py::reinterpret_borrow<py::object>(state).equal(py::int_(kFormat));
}

/// @throws py::value_error  made by another version of trtcheck, or with a rule that is unknown here
template <class Value>
Value value_from(const py::tuple& state) {
  if (state.size() != 2 || !is_format(state[0])) refuse_state();
  Value value{};
  restore(value, state[1]);
  return value;
}

template <class Class>
void add_value_pickling(Class& made) {
  using Value = typename Class::type;
  add_pickling<Class, &value_state<Value>, &value_from<Value>>(made);
}

}  // namespace trtcheck::python
