// Values as plain Python ones and back, by their fields.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <pybind11/pybind11.h>

#include "value_fields.hpp"

namespace trtcheck::python {

namespace py = pybind11;

using report::Described;
using report::for_each_field;

[[noreturn]] inline void refuse_state() { throw py::value_error("pickled by another version of trtcheck"); }

// File names and tensor names may be any bytes.
inline py::object state_of(const std::string& text) { return py::bytes(text); }
inline py::object state_of(const Rule* rule) { return py::str(std::string(rule->code)); }
inline py::object state_of(NodeId id) { return py::int_(id.index); }
inline py::object state_of(const MessageMatch& match) {
  return py::make_tuple(std::string(match.rule->code), py::bytes(std::string(match.text)),
                        py::bytes(std::string(match.op_type)), match.words,
                        std::vector<std::string>(match.facts.begin(), match.facts.end()));
}
template <class Value>
py::object state_of(const Value& value);
template <class Value>
py::object state_of(const std::optional<Value>& value);
template <class Value>
py::object state_of(const std::vector<Value>& list);

template <class Value>
py::object state_of(const Value& value) {
  if constexpr (Described<Value>) {
    py::list fields;
    for_each_field<Value>([&](const auto& field) { fields.append(state_of(value.*field.member)); });
    return py::tuple(fields);
  } else if constexpr (std::is_enum_v<Value>) {
    return py::int_(static_cast<int>(value));
  } else {
    return py::cast(value);
  }
}

template <class Value>
py::object state_of(const std::optional<Value>& value) {
  return value ? state_of(*value) : py::object(py::none());
}

template <class Value>
py::object state_of(const std::vector<Value>& list) {
  py::list made;
  for (const Value& value : list) made.append(state_of(value));
  return made;
}

inline void restore(std::string& text, const py::handle& state) { text = state.cast<std::string>(); }
inline void restore(NodeId& id, const py::handle& state) { id = NodeId{state.cast<std::uint32_t>()}; }
inline void restore(const Rule*& rule, const py::handle& state) {
  const auto code = state.cast<std::string>();
  rule = find_rule(code);
  if (rule == nullptr) throw py::value_error("rule " + code + " is not known here");
}
/// Its texts are those of the tables, which live for ever.
inline void restore(MessageMatch& match, const py::handle& state) {
  const auto fields = state.cast<py::tuple>();
  if (fields.size() != 5) refuse_state();
  restore(match.rule, fields[0]);
  const auto text = fields[1].cast<std::string>();
  const auto op_type = fields[2].cast<std::string>();
  const auto facts = fields[4].cast<std::vector<std::string>>();
  for (const KnownMessage& known : known_messages()) {
    if (known.rule != match.rule) continue;
    if (known.text == text) match.text = known.text;
    if (known.op_type == op_type) match.op_type = known.op_type;
    const bool is_meant = std::ranges::find(facts, known.fact) != facts.end();
    if (is_meant && std::ranges::find(match.facts, known.fact) == match.facts.end()) match.facts.push_back(known.fact);
  }
  if (match.text != text || match.op_type != op_type || match.facts.size() != facts.size()) refuse_state();
  match.words = fields[3].cast<std::size_t>();
}
template <class Value>
void restore(Value& value, const py::handle& state);
template <class Value>
void restore(std::optional<Value>& value, const py::handle& state);
template <class Value>
void restore(std::vector<Value>& list, const py::handle& state);
inline void restore(Neighbourhood& around, const py::handle& state);

template <Described Class>
void read_fields(Class& value, const py::handle& state) {
  const auto fields = state.cast<py::tuple>();
  if (fields.size() != std::tuple_size_v<decltype(report::Fields<Class>::kAll)>) refuse_state();
  std::size_t index = 0;
  for_each_field<Class>([&](const auto& field) { restore(value.*field.member, fields[index++]); });
}

template <class Value>
void restore(Value& value, const py::handle& state) {
  if constexpr (Described<Value>) {
    read_fields(value, state);
  } else if constexpr (std::is_enum_v<Value>) {
    value = static_cast<Value>(state.cast<int>());
  } else {
    value = state.cast<Value>();
  }
}

template <class Value>
void restore(std::optional<Value>& value, const py::handle& state) {
  if (!state.is_none()) restore(value.emplace(), state);
}

template <class Value>
void restore(std::vector<Value>& list, const py::handle& state) {
  for (const py::handle each : state.cast<py::list>()) restore(list.emplace_back(), each);
}

inline void restore(Neighbourhood& around, const py::handle& state) {
  read_fields(around, state);
  for (const Neighbourhood::Edge& edge : around.edges) {
    if (std::max(edge.from, edge.to) >= around.nodes.size())
      throw py::value_error("a pickled picture has an edge to nowhere");
  }
}

}  // namespace trtcheck::python
