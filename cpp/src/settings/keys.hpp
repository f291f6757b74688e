// The rows, without their types: what can be done with any key.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <trtcheck/settings.hpp>

#include "settings/toml.hpp"

namespace trtcheck::settings {

using Json = nlohmann::ordered_json;

/// What stands behind a key; the JSON schema of each is in schema.cpp.
enum class Type : std::uint8_t {
  release,
  capability,
  fail_on,
  path,
  boolean,
  words,             ///< a string, or an array of them
  precisions,        ///< words
  rules,             ///< words
  patterns,          ///< words
  profile,           ///< a table by input, or words
  severities,        ///< a table by rule
  rules_by_pattern,  ///< a table by pattern
  node_ignores,      ///< a table by pattern
};

/// Where an option stands in `--help`, and which commands have it.
enum class Heading : std::uint8_t {
  none,    ///< `check`, which adds it by itself
  target,  ///< every command with settings
  rules,   ///< every command with settings
  models,  ///< `check`
  data,    ///< `check`
};

/// The option of the command line.
struct Option {
  std::string_view name = {};   ///< "" = none; of a boolean "--no-x" turns it off
  std::string_view value = {};  ///< that the help shows behind it
  std::string_view brief = {};
  Heading heading = Heading::none;
  std::string_view also = {};  ///< a second name on the command line
};

struct KeyText {
  std::string_view name;
  Type type;
  std::string_view fallback;  ///< what holds without it, in words or as TOML writes it
  std::string_view help;      ///< Markdown, one paragraph
  std::string_view example;   ///< TOML, a whole file
  Option option = {};
  std::string_view shown_with = {};  ///< the key that shows it; "" = itself
};

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
