// Settings and what they hold as plain Python values and back, by the members of each type.
#pragma once

#include <pybind11/pybind11.h>

#include <concepts>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trtcheck/settings.hpp>

namespace trtcheck::python {

namespace py = pybind11;

template <class T, class... Types>
concept OneOf = (std::same_as<std::remove_const_t<T>, Types> || ...);

auto members(OneOf<TrtVersion, ComputeCapability> auto& v) { return std::tie(v.major_version, v.minor_version); }
auto members(OneOf<ProfileInput> auto& v) { return std::tie(v.name, v.min, v.opt, v.max); }
auto members(OneOf<PathPattern> auto& v) { return std::tie(v.pattern, v.folder); }
auto members(OneOf<FileIgnore> auto& v) { return std::tie(v.models, v.rules); }
auto members(OneOf<NodeIgnore> auto& v) { return std::tie(v.node, v.rules, v.reason); }
auto members(OneOf<SeverityOverride> auto& v) { return std::tie(v.rule, v.severity); }
auto members(OneOf<SettingOrigin> auto& v) {
  return std::tie(v.key, v.entry, v.value, v.from, v.extended, v.file, v.line);
}

template <class T>
py::object state_of(const T& value);
template <class T>
py::object state_of(const std::optional<T>& value);
template <class T>
py::object state_of(const std::vector<T>& values);
template <class T>
void restore(T& value, const py::handle& state);
template <class T>
void restore(std::optional<T>& value, const py::handle& state);
template <class T>
void restore(std::vector<T>& values, const py::handle& state);

// Strings may be any bytes.
inline py::object state_of(const std::string& text) { return py::bytes(text); }
template <class T>
py::object state_of(const std::optional<T>& value) {
  return value ? state_of(*value) : py::object(py::none());
}
template <class T>
py::object state_of(const std::vector<T>& values) {
  py::list made;
  for (const T& value : values) made.append(state_of(value));
  return made;
}
template <class T>
py::object state_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return py::cast(static_cast<int>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return py::cast(value);
  } else {
    return std::apply([](const auto&... each) -> py::object { return py::make_tuple(state_of(each)...); },
                      members(value));
  }
}

inline void restore(std::string& text, const py::handle& state) { text = state.cast<std::string>(); }
template <class T>
void restore(std::optional<T>& value, const py::handle& state) {
  if (!state.is_none()) restore(value.emplace(), state);
}
template <class T>
void restore(std::vector<T>& values, const py::handle& state) {
  for (const py::handle each : state.cast<py::list>()) restore(values.emplace_back(), each);
}
template <class T>
void restore(T& value, const py::handle& state) {
  if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(state.cast<int>());
  } else if constexpr (std::is_arithmetic_v<T>) {
    value = state.cast<T>();
  } else {
    const auto entries = state.cast<py::tuple>();
    std::apply([&, i = std::size_t{0}](auto&... each) mutable { (restore(each, entries[i++]), ...); }, members(value));
  }
}

}  // namespace trtcheck::python
