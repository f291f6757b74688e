// From TOML to settings, one function for each type of key.
#pragma once

#include <string>
#include <vector>

#include "settings/keys.hpp"

namespace trtcheck::settings {

/// A string and its line.
struct Word {
  std::string text;
  int line = 0;
};

/// @throws Error  anything but a string
[[nodiscard]] std::string read_string(const Source& source, const Key& key, const TomlValue& value);
/// A string is a list of one.
/// @throws Error  anything but strings
[[nodiscard]] std::vector<Word> read_words(const Source& source, const Key& key, const TomlValue& value);
/// @throws Error  a word that names no rule
[[nodiscard]] std::vector<std::string> read_rules(const Source& source, const Key& key, const TomlValue& value);
/// @throws Error  a pattern that makes no sense
[[nodiscard]] std::vector<std::string> read_patterns(const Source& source, const Key& key, const TomlValue& value);
[[nodiscard]] std::vector<Precision> read_precisions(const Source& source, const Key& key, const TomlValue& value);
[[nodiscard]] std::vector<ProfileInput> read_profile(const Source& source, const Key& key, const TomlValue& value);
[[nodiscard]] std::vector<SeverityOverride> read_severities(const Source& source, const Key& key,
                                                            const TomlValue& value);
/// The folders of the patterns are left empty.
[[nodiscard]] std::vector<FileIgnore> read_file_ignores(const Source& source, const Key& key, const TomlValue& value);
[[nodiscard]] std::vector<NodeIgnore> read_node_ignores(const Source& source, const Key& key, const TomlValue& value);

/// `parse()`, with place and key in front of what it complains about.
template <class Parse>
auto checked(const Source& source, const Key& key, int line, Parse parse) {
  try {
    return parse();
  } catch (const Error& error) {
    source.fail(line, std::string(key.name) + ": " + error.cause());
  }
}

}  // namespace trtcheck::settings
