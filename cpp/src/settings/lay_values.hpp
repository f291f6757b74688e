// One layer of settings over another, one function for each type of value.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/settings.hpp>

#include "settings/places.hpp"

namespace trtcheck::settings {

template <class T>
bool is_given(const std::optional<T>& given, std::string_view /*entry*/) {
  return given.has_value();
}
inline bool is_given(const std::vector<std::string>& given, std::string_view /*entry*/) { return !given.empty(); }
inline bool is_given(const std::vector<SeverityOverride>& given, std::string_view entry) {
  return std::ranges::find(given, entry, &SeverityOverride::rule) != given.end();
}

template <class T, class U>
void lay_value(T& into, const std::optional<U>& given, const std::string& /*folder*/) {
  if (given) into = *given;
}
/// What is added to a selection. An empty one is all rules: there is nothing to add.
inline void lay_value(std::vector<std::string>& into, const std::vector<std::string>& given, const std::string&) {
  if (!into.empty()) into.insert(into.end(), given.begin(), given.end());
}
inline void lay_value(std::vector<SeverityOverride>& into, const std::vector<SeverityOverride>& given,
                      const std::string&) {
  into.insert(into.end(), given.begin(), given.end());
}
inline void lay_value(std::vector<PathPattern>& into, const std::optional<std::vector<std::string>>& given,
                      const std::string& folder) {
  if (!given) return;
  into.clear();
  for (const std::string& pattern : *given) into.push_back({pattern, folder});
}
inline void lay_value(std::vector<FileIgnore>& into, const std::optional<std::vector<FileIgnore>>& given,
                      const std::string& folder) {
  if (!given) return;
  into = *given;
  for (FileIgnore& ignore : into) ignore.models.folder = folder;
}
/// A path.
inline void lay_value(std::string& into, const std::optional<std::string>& given, const std::string& folder) {
  if (given) into = given->empty() || given->starts_with('/') ? *given : absolute_path(folder + "/" + *given);
}

}  // namespace trtcheck::settings
