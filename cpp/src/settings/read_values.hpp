// From TOML to settings, one function for each type of value.
#pragma once

#include <string>
#include <vector>

#include "settings/keys.hpp"

namespace trtcheck::settings {

/// @throws Error  each: another type than the key's, or a value that makes no sense; `trtcheck.toml:3: key: cause`
void read_value(const Source& source, const Key& key, const TomlValue& value, TrtVersion& into);
void read_value(const Source& source, const Key& key, const TomlValue& value, ComputeCapability& into);
void read_value(const Source& source, const Key& key, const TomlValue& value, FailOn& into);
void read_value(const Source& source, const Key& key, const TomlValue& value, bool& into);
/// A path.
void read_value(const Source& source, const Key& key, const TomlValue& value, std::string& into);
/// Words of the key's type; a string is a list of one.
void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<std::string>& into);
void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<Precision>& into);
void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<ProfileInput>& into);
void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<SeverityOverride>& into);
/// The folders of the patterns are left empty.
void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<FileIgnore>& into);
void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<NodeIgnore>& into);

/// Of values that were not read.
/// @throws Error  names a rule or a pattern that does not exist; the path is the key
void check_given(const Key& key, const std::vector<std::string>& words);
void check_given(const Key& key, const std::vector<SeverityOverride>& severities);
void check_given(const Key& key, const std::vector<FileIgnore>& ignores);
void check_given(const Key& key, const std::vector<NodeIgnore>& ignores);
template <class T>
void check_given(const Key& key, const std::optional<T>& given) {
  if constexpr (requires { check_given(key, *given); }) {
    if (given) check_given(key, *given);
  }
}

}  // namespace trtcheck::settings
