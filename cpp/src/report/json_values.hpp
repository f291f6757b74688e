// Values as JSON: what report/fields.hpp describes, and what that is made of. Keys are never left out; what is not
// known is "" or null.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <trtcheck/report.hpp>

#include "report/envelope.hpp"
#include "report/fields.hpp"
#include "report/repairs.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {

[[nodiscard]] std::string_view to_string(Neighbourhood::Kind kind) noexcept;
[[nodiscard]] std::string_view to_string(Neighbourhood::Role role) noexcept;

template <class Value>
[[nodiscard]] Json json_value(const Value& value);
template <class Value>
[[nodiscard]] Json json_value(const std::vector<Value>& list);
template <class Value>
[[nodiscard]] Json json_value(const std::optional<Value>& value);
[[nodiscard]] inline Json json_value(const std::string& text) { return valid_utf8(text); }
[[nodiscard]] inline Json json_value(const Neighbourhood& around);

template <Described Class>
[[nodiscard]] Json json_object(const Class& object) {
  Json made = Json::object();
  for_each_field<Class>([&](const auto& field) {
    const auto& value = object.*field.member;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, const Rule*>) {
      made["code"] = value->code;
      made["name"] = value->name;
    } else if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(value)>, NodeId>) {
      made[field.name] = json_value(value);
    }
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::optional<Fix>>) {
      made["cures"] = cure_names(object);
    }
  });
  return made;
}

template <class Value>
Json json_value(const Value& value) {
  if constexpr (Described<Value>) {
    return json_object(value);
  } else if constexpr (std::is_enum_v<Value>) {
    return to_string(value);
  } else {
    return value;
  }
}

template <class Value>
Json json_value(const std::vector<Value>& list) {
  Json made = Json::array();
  for (const Value& value : list) made.push_back(json_value(value));
  return made;
}

template <class Value>
Json json_value(const std::optional<Value>& value) {
  return value ? json_value(*value) : Json(nullptr);
}

inline Json json_value(const Neighbourhood& around) { return around.empty() ? Json(nullptr) : json_object(around); }

}  // namespace trtcheck::report
