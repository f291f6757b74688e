// The rows, without their types: what can be done with any key.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "settings/rows.hpp"
#include "settings/toml.hpp"

namespace trtcheck::settings {

using Json = nlohmann::ordered_json;

/// Where a value stands, for errors.
struct Source {
  std::string file = {};    ///< as it is shown; "" = the caller gave the value
  bool is_program = false;  ///< the caller is the command line: keys are named by their options

  /// @throws Error  always: `path:line: cause`
  [[noreturn]] void fail(int line, std::string cause) const;
};

struct Key : KeyText {
  /// @throws Error  the value makes no sense
  void (*read)(const Source& source, const Key& key, const TomlValue& value, SettingsOverrides& into);
  /// @throws Error  the value was not read but made, and makes no sense
  void (*check)(const Key& key, const SettingsOverrides& given);
  /// @param entry  of a table; "" = the whole
  bool (*is_given)(const SettingsOverrides& given, std::string_view entry);
  /// One layer over what is there already.
  /// @param folder  that patterns and paths are relative to
  void (*lay)(Settings& settings, const SettingsOverrides& given, const std::string& folder);
  Json (*show)(const Settings& settings);  ///< null = not set

  [[nodiscard]] std::string_view named_by(const Source& source) const noexcept {
    return source.is_program ? option.name : name;
  }
};

/// In the order of the reference.
[[nodiscard]] std::span<const Key> all_keys() noexcept;
/// nullptr when there is none.
[[nodiscard]] const Key* find_key(std::string_view name) noexcept;

/// "a string such as \"10.13\"", for errors.
[[nodiscard]] std::string_view expected(Type type) noexcept;
[[nodiscard]] bool is_table(Type type) noexcept;

}  // namespace trtcheck::settings
