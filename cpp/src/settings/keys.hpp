// The keys of a configuration file. This table is the only source of the parser, the suggestions, `trtcheck settings`,
// the JSON schema and the reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "settings/config_file.hpp"
#include "settings/toml.hpp"

namespace trtcheck::settings {

using Json = nlohmann::ordered_json;

/// What stands behind a key; the JSON schema of each is in schema.cpp.
enum class Type : std::uint8_t {
  release,
  capability,
  fail_on,
  path,
  words,             ///< a string, or an array of them
  precisions,        ///< words
  rules,             ///< words
  patterns,          ///< words
  profile,           ///< a table by input, or words
  severities,        ///< a table by rule
  rules_by_pattern,  ///< a table by pattern
  node_ignores,      ///< a table by pattern
};

/// For errors: `path:line: cause`.
struct Source {
  std::string shown;
  [[noreturn]] void fail(int line, std::string cause) const;
};

struct Key {
  std::string_view name;
  Type type;
  std::string_view fallback;  ///< what holds without it, in words or as TOML writes it
  std::string_view option;    ///< of `trtcheck check`; "" = none
  std::string_view help;      ///< Markdown, one paragraph
  std::string_view example;   ///< TOML, a whole file
  void (*read)(const Source& source, const Key& key, const TomlValue& value, ConfigFile& into);
  Json (*show)(const Settings& settings);  ///< null = not set; nullptr = shown with another key
};

/// In the order of the reference.
[[nodiscard]] std::span<const Key> all_keys() noexcept;

/// "a string such as \"10.13\"", for errors.
[[nodiscard]] std::string_view expected(Type type) noexcept;
[[nodiscard]] bool is_table(Type type) noexcept;

}  // namespace trtcheck::settings
