// Values that are pickled in a format of their own: another one with every change of their fields, whatever changes
// elsewhere.
//
//     add_own_pickling<std::tuple<CutTensor, PartCounts>>(made);
#pragma once

#include <cstdint>
#include <tuple>

#include "value_pickling.hpp"

namespace trtcheck::python {

/// @tparam All  the values whose fields make the format, as a tuple
template <class All, class Value>
py::tuple own_state(const Value& value) {
  return py::make_tuple(format_of(static_cast<const All*>(nullptr)), state_of(value));
}
/// @throws py::value_error  made by another version of trtcheck
template <class All, class Value>
Value own_from(const py::tuple& state) {
  constexpr std::uint64_t kOwn = format_of(static_cast<const All*>(nullptr));
  const bool is_own = state.size() == 2 && py::isinstance<py::int_>(state[0]) &&
                      py::reinterpret_borrow<py::object>(state[0]).equal(py::int_(kOwn));
  if (!is_own) refuse_state();
  Value value{};
  restore(value, state[1]);
  return value;
}

template <class All, class Class>
void add_own_pickling(Class& made) {
  using Value = typename Class::type;
  add_pickling<Class, &own_state<All, Value>, &own_from<All, Value>>(made);
}

}  // namespace trtcheck::python
