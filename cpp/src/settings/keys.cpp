#include "settings/keys.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "settings/lay_values.hpp"
#include "settings/read_values.hpp"
#include "settings/rows.hpp"
#include "settings/show_values.hpp"

namespace trtcheck::settings {
namespace {

template <class T>
struct ValueOf {
  using Type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
  using Type = T;
};

template <class Row>
constexpr Key key_of(const Row& row) {
  return {row.text,
          [](const Source& source, const Key& key, const TomlValue& value, SettingsOverrides& into) {
            auto& given = Row::given(into);
            typename ValueOf<std::remove_reference_t<decltype(given)>>::Type made{};
            read_value(source, key, value, made);
            given = std::move(made);
          },
          [](const Key& key, const SettingsOverrides& given) { check_given(key, Row::given(given)); },
          [](const SettingsOverrides& given, std::string_view entry) { return is_given(Row::given(given), entry); },
          [](Settings& settings, const SettingsOverrides& given, const std::string& folder) {
            lay_value(Row::at(settings), Row::given(given), folder);
          },
          [](const Settings& settings) { return show_value(Row::at(settings)); }};
}

constexpr auto kKeys = std::apply([](const auto&... rows) { return std::array{key_of(rows)...}; }, kRows);

}  // namespace

std::span<const Key> all_keys() noexcept { return kKeys; }

const Key* find_key(std::string_view name) noexcept {
  const auto* const key = std::ranges::find(kKeys, name, &Key::name);
  return key == kKeys.end() ? nullptr : key;
}

std::string_view expected(Type type) noexcept {
  switch (type) {
    case Type::release:
      return "a string such as \"10.13\"";
    case Type::capability:
      return "a string such as \"8.6\" or \"h100\"";
    case Type::fail_on:
      return "a string: \"error\", \"warning\", \"info\" or \"never\"";
    case Type::path:
      return "a string";
    case Type::boolean:
      return "true or false";
    case Type::words:
    case Type::precisions:
    case Type::rules:
    case Type::patterns:
      return "a string or an array of strings";
    case Type::profile:
      return "a table such as { x = \"1x3:4x3:8x3\" } or an array of strings such as [\"x=1x3:4x3:8x3\"]";
    case Type::severities:
      return "a table such as { QDQ = \"info\" }";
    case Type::rules_by_pattern:
      return "a table such as { \"legacy/**\" = [\"QDQ\"] }";
    case Type::node_ignores:
      return "a table such as { \"/decoder/*\" = { rules = [\"QDQ\"], reason = \"...\" } }";
  }
  return "?";
}

bool is_table(Type type) noexcept {
  return type == Type::profile || type == Type::severities || type == Type::rules_by_pattern ||
         type == Type::node_ignores;
}

}  // namespace trtcheck::settings
