// TOML as plain values with their lines. The one place that knows the library behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::settings {

struct TomlEntry;

struct TomlValue {
  enum class Kind : std::uint8_t { string, integer, floating, boolean, date, array, table };
  Kind kind = Kind::table;
  int line = 0;
  bool truth = false;              ///< of a boolean
  std::string text;                ///< of a string
  std::vector<TomlValue> items;    ///< of an array
  std::vector<TomlEntry> entries;  ///< of a table, in the order of the file

  static TomlValue of(std::string text);
  static TomlValue of(bool truth);
};

struct TomlEntry {
  std::string key;
  int line = 0;
  TomlValue value;
};

/// "a string", "an integer", ...
[[nodiscard]] std::string_view kind_name(TomlValue::Kind kind) noexcept;

/// The table at `path` ({"tool", "trtcheck"}; {} is the whole document); nothing when it is not there.
/// @param shown  name of the file in errors
/// @throws Error  `shown:3:7: not TOML: cause`, or what stands at the path is no table
[[nodiscard]] std::optional<TomlValue> read_toml(std::string_view text, const std::string& shown,
                                                 std::span<const std::string_view> path);

}  // namespace trtcheck::settings
