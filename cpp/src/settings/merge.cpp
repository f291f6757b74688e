#include "settings/merge.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "settings/keys.hpp"
#include "settings/places.hpp"
#include "settings/toml_text.hpp"

namespace trtcheck::settings {
namespace {

void lay(Settings& settings, const SettingsOverrides& given, const std::string& folder) {
  for (const Key& key : all_keys()) key.lay(settings, given, folder);
}

enum class Part : std::uint8_t { none, added, replaced };

/// What the caller did to a key, or to one entry of a table.
Part by_caller(const SettingsOverrides& given, const Key& key, std::string_view entry) {
  if (key.is_given(given, entry)) return Part::replaced;
  const bool adds = std::ranges::any_of(
      all_keys(), [&](const Key& other) { return other.shown_with == key.name && other.is_given(given, entry); });
  return adds ? Part::added : Part::none;
}

SettingOrigin origin(const ConfigFile* file, const SettingsOverrides& overrides, const Key& key,
                     const std::string& entry, const Json& value) {
  using From = SettingOrigin::From;
  SettingOrigin made{.key = std::string(key.name), .entry = entry, .value = {}, .file = {}};
  if (!value.is_null()) made.value = toml_text(value);
  const Part part = by_caller(overrides, key, entry);
  if (part == Part::replaced) {
    made.from = From::caller;
    return made;
  }
  if (file == nullptr) return made;
  const auto line = file->lines.find(entry.empty() ? made.key : made.key + "." + entry);
  const auto whole = file->lines.find(made.key);  // a profile may be a list, which has no entries
  if (whole == file->lines.end()) return made;
  made.from = From::file;
  made.file = file->path;
  made.line = line == file->lines.end() ? whole->second : line->second;
  made.extended = part == Part::added && value != Json::array();
  return made;
}

std::vector<SettingOrigin> origins(const Settings& settings, const ConfigFile* file,
                                   const SettingsOverrides& overrides) {
  std::vector<SettingOrigin> made;
  for (const Key& key : all_keys()) {
    if (!key.shown_with.empty()) continue;
    const Json value = key.show(settings);
    if (!is_table(key.type) || value.empty()) {
      made.push_back(origin(file, overrides, key, "", value));
      continue;
    }
    for (const auto& [entry, inner] : value.items()) made.push_back(origin(file, overrides, key, entry, inner));
  }
  return made;
}

}  // namespace

Settings merge(const ConfigFile* file, const SettingsOverrides& overrides, const std::string& here) {
  Settings settings;
  if (file != nullptr) {
    lay(settings, file->given, parent_of(file->path));
    settings.file = file->path;
    settings.check.skip_unknown_inputs = file->given.profile && !overrides.profile;
  }
  lay(settings, overrides, here);
  settings.origins = origins(settings, file, overrides);
  return settings;
}

}  // namespace trtcheck::settings
