// Which file counts for which model.
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/settings.hpp>

#include "settings/config_file.hpp"
#include "settings/keys.hpp"
#include "settings/merge.hpp"
#include "settings/places.hpp"
#include "text/ignore_patterns.hpp"

namespace trtcheck {
namespace {

using settings::ConfigFile;

/// A file with the caller's words over it, and the patterns that tell which models its per-file-ignores concern.
struct Resolved {
  Settings common;
  std::vector<IgnorePatterns> file_patterns;  // one for each of common.file_ignores
};
using Shared = std::shared_ptr<const Resolved>;

/// A broken file is reported for every folder that it serves, and read once.
struct Answer {
  Shared resolved;
  std::optional<Error> error;

  [[nodiscard]] const Shared& get() const {
    if (error) throw *error;
    return resolved;
  }
};

/// The model's path as the patterns of `folder` see it; the bare name when it lies elsewhere.
std::string_view path_for(std::string_view folder, std::string_view model) {
  const std::string_view inside = settings::below(folder, model);
  return inside.empty() ? model.substr(model.rfind('/') + 1) : inside;
}

std::vector<IgnorePatterns> file_patterns(const Settings& common) {
  std::vector<IgnorePatterns> made(common.file_ignores.size());
  for (std::size_t i = 0; i < made.size(); ++i) made[i].add(common.file_ignores[i].models.pattern);
  return made;
}

Settings fitted(const Settings& common, std::span<const IgnorePatterns> patterns, const std::string& model) {
  Settings made = common;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const FileIgnore& ignore = common.file_ignores[i];
    if (patterns[i].ignores(path_for(ignore.models.folder, model))) {
      made.check.ignore.insert(made.check.ignore.end(), ignore.rules.begin(), ignore.rules.end());
    } else {
      made.unmatched.push_back(fmt::format("per-file-ignores `{}`", ignore.models.pattern));
    }
  }
  return made;
}

}  // namespace

struct SettingsResolver::State {
  ConfigChoice choice;
  SettingsOverrides overrides;
  std::string here;
  Shared fixed;  // for all models, unless there is a search
  std::mutex mutex;
  std::map<std::string, Answer, std::less<>> by_folder;

  Shared resolve(const ConfigFile* file) const {
    Settings common = settings::merge(file, overrides, here);
    if (!common.shape_functions.empty()) {
      common.check.target.shape_functions = read_shape_functions(common.shape_functions);
    }
    std::vector<IgnorePatterns> patterns = file_patterns(common);
    return std::make_shared<const Resolved>(Resolved{std::move(common), std::move(patterns)});
  }

  /// @pre the mutex is held
  const Answer& closest(const std::string& folder) {
    if (const auto known = by_folder.find(folder); known != by_folder.end()) return known->second;
    Answer answer;
    try {
      const std::string parent = settings::parent_of(folder);
      if (const auto file = settings::config_in(folder)) {
        answer.resolved = resolve(&*file);
      } else {
        answer = parent == folder ? Answer{resolve(nullptr), {}} : closest(parent);
      }
    } catch (const Error& error) {
      answer.error = error;
    }
    return by_folder.emplace(folder, std::move(answer)).first->second;
  }

  Shared in_folder(const std::string& folder) {
    if (fixed) return fixed;
    const std::lock_guard lock(mutex);
    return closest(folder).get();
  }
};

SettingsResolver::SettingsResolver(ConfigChoice choice, SettingsOverrides overrides)
    : state_(std::make_unique<State>()) {
  for (const settings::Key& key : settings::all_keys()) key.check(key, overrides);
  state_->choice = std::move(choice);
  state_->overrides = std::move(overrides);
  state_->here = settings::absolute_path("");
  if (!state_->choice.file.empty()) {
    const ConfigFile file = settings::config_at(settings::absolute_path(state_->choice.file));
    state_->fixed = state_->resolve(&file);
  } else if (!state_->choice.search) {
    state_->fixed = state_->resolve(nullptr);
  }
}

SettingsResolver::SettingsResolver(SettingsResolver&&) noexcept = default;
SettingsResolver& SettingsResolver::operator=(SettingsResolver&&) noexcept = default;
SettingsResolver::~SettingsResolver() = default;

Settings SettingsResolver::for_folder(const std::string& folder) const {
  return state_->in_folder(settings::absolute_path(folder))->common;
}

Settings SettingsResolver::for_model(const std::string& path) const {
  const std::string model = settings::absolute_path(path);
  const Shared resolved = state_->in_folder(settings::parent_of(model));
  return fitted(resolved->common, resolved->file_patterns, model);
}

Settings with_file_ignores(const Settings& common, const std::string& model) {
  return fitted(common, file_patterns(common), settings::absolute_path(model));
}

bool is_excluded(const Settings& settings, const std::string& path) {
  if (settings.exclude.empty()) return false;
  const std::string model = settings::absolute_path(path);
  IgnorePatterns patterns;
  for (const PathPattern& pattern : settings.exclude) patterns.add(pattern.pattern);
  return patterns.ignores(path_for(settings.exclude.front().folder, model));
}

}  // namespace trtcheck
