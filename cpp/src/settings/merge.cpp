#include "settings/merge.hpp"

#include <algorithm>
#include <utility>

#include "settings/keys.hpp"
#include "settings/places.hpp"
#include "settings/toml_text.hpp"

namespace trtcheck::settings {
namespace {

template <class T, class U>
void replace(T& into, const std::optional<U>& given) {
  if (given) into = *given;
}

template <class T>
void append(std::vector<T>& into, const std::vector<T>& given) {
  into.insert(into.end(), given.begin(), given.end());
}

/// One layer over what is there already.
void lay(Settings& settings, const SettingsOverrides& given, const std::string& folder) {
  Target& target = settings.check.target;
  replace(target.release, given.release);
  replace(target.precisions, given.precisions);
  replace(target.compute_capability, given.compute_capability);
  replace(target.plugins, given.plugins);
  replace(target.profile, given.profile);
  replace(settings.check.select, given.select);
  // An empty selection is all rules: there is nothing to add.
  if (!settings.check.select.empty()) append(settings.check.select, given.extend_select);
  replace(settings.check.ignore, given.ignore);
  append(settings.check.severities, given.severities);
  replace(settings.fail_on, given.fail_on);
  if (given.exclude) {
    settings.exclude.clear();
    for (const std::string& pattern : *given.exclude) settings.exclude.push_back({pattern, folder});
  }
  if (!given.baseline) return;
  const std::string& path = *given.baseline;
  settings.baseline = path.empty() || path.starts_with('/') ? path : absolute_path(folder + "/" + path);
}

enum class Part : std::uint8_t { none, added, replaced };

/// What the caller did to a key, or to one entry of a table.
Part by_caller(const SettingsOverrides& given, std::string_view key, std::string_view entry) {
  const auto replaced = [](bool has) { return has ? Part::replaced : Part::none; };
  if (key == "target") return replaced(given.release.has_value());
  if (key == "precision") return replaced(given.precisions.has_value());
  if (key == "compute-capability") return replaced(given.compute_capability.has_value());
  if (key == "plugins") return replaced(given.plugins.has_value());
  if (key == "profile") return replaced(given.profile.has_value());
  if (key == "ignore") return replaced(given.ignore.has_value());
  if (key == "fail-on") return replaced(given.fail_on.has_value());
  if (key == "exclude") return replaced(given.exclude.has_value());
  if (key == "baseline") return replaced(given.baseline.has_value());
  if (key == "severity") {
    return replaced(std::ranges::find(given.severities, entry, &SeverityOverride::rule) != given.severities.end());
  }
  if (key != "select") return Part::none;
  if (given.select) return Part::replaced;
  return given.extend_select.empty() ? Part::none : Part::added;
}

SettingOrigin origin(const ConfigFile* file, const SettingsOverrides& overrides, std::string_view key,
                     const std::string& entry, const Json& value) {
  using From = SettingOrigin::From;
  SettingOrigin made{.key = std::string(key), .entry = entry, .value = {}, .file = {}};
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
    if (key.show == nullptr) continue;
    const Json value = key.show(settings);
    if (!is_table(key.type) || value.empty()) {
      made.push_back(origin(file, overrides, key.name, "", value));
      continue;
    }
    for (const auto& [entry, inner] : value.items()) made.push_back(origin(file, overrides, key.name, entry, inner));
  }
  return made;
}

}  // namespace

Settings merge(const ConfigFile* file, const SettingsOverrides& overrides, const std::string& here) {
  Settings settings;
  if (file != nullptr) {
    lay(settings, file->given, parent_of(file->path));
    settings.check.node_ignores = file->node_ignores;
    settings.file_ignores = file->file_ignores;
    settings.file = file->path;
    settings.check.skip_unknown_inputs = file->given.profile && !overrides.profile;
  }
  lay(settings, overrides, here);
  settings.origins = origins(settings, file, overrides);
  return settings;
}

}  // namespace trtcheck::settings
