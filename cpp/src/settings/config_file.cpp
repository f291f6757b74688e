#include "settings/config_file.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "settings/keys.hpp"
#include "settings/places.hpp"
#include "settings/toml.hpp"
#include "text/suggest.hpp"

namespace trtcheck::settings {
namespace {

constexpr std::string_view kOwn = "trtcheck.toml";
constexpr std::string_view kShared = "pyproject.toml";
constexpr std::array<std::string_view, 2> kTable{"tool", "trtcheck"};

std::string in_folder(const std::string& folder, std::string_view name) {
  return fmt::format("{}/{}", folder == "/" ? "" : folder, name);
}

bool is_shared(const std::string& path) { return path.ends_with(fmt::format("/{}", kShared)); }

[[noreturn]] void refuse_key(const Source& source, const TomlEntry& entry) {
  if (entry.key == kTable.front() && entry.value.kind == TomlValue::Kind::table) {
    source.fail(entry.line, "here the keys stand at the top of the file, not in [tool.trtcheck]");
  }
  std::vector<std::string_view> names;
  for (const Key& key : all_keys()) names.push_back(key.name);
  std::string hint = did_you_mean(entry.key, names);
  if (hint.empty()) hint = fmt::format("; the keys are {}", fmt::join(names, ", "));
  source.fail(entry.line, fmt::format("unknown key `{}`{}", entry.key, hint));
}

ConfigFile understood(const std::string& path, const TomlValue& table) {
  const Source source{.file = shown_path(path)};
  ConfigFile made;
  made.path = path;
  for (const TomlEntry& entry : table.entries) {
    const Key* const key = find_key(entry.key);
    if (key == nullptr) refuse_key(source, entry);
    key->read(source, *key, entry.value, made.given);
    made.lines[entry.key] = entry.line;
    for (const TomlEntry& inner : entry.value.entries) made.lines[entry.key + "." + inner.key] = inner.line;
  }
  return made;
}

/// Nothing when a pyproject.toml does not speak of us.
std::optional<ConfigFile> read_config(const std::string& path) {
  const bool shared = is_shared(path);
  const std::string text = read_file(path);
  // Most have no such table; then the file is somebody else's, whatever is in it.
  if (shared && text.find(kTable.back()) == std::string::npos) return std::nullopt;
  const auto table = read_toml(text, shown_path(path), std::span(kTable).first(shared ? kTable.size() : 0));
  return table ? std::optional(understood(path, *table)) : std::nullopt;
}

}  // namespace

void Source::fail(int line, std::string cause) const {
  throw Error(file.empty() ? "" : fmt::format("{}:{}", file, line), std::move(cause));
}

std::optional<ConfigFile> config_in(const std::string& folder) {
  for (const std::string_view name : {kOwn, kShared}) {
    const std::string path = in_folder(folder, name);
    if (!is_file(path)) continue;
    if (auto found = read_config(path)) return found;
  }
  return std::nullopt;
}

ConfigFile config_at(const std::string& path) {
  if (auto found = read_config(path)) return *std::move(found);
  throw Error(shown_path(path), "has no table [tool.trtcheck]");
}

}  // namespace trtcheck::settings
