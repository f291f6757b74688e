// What `trtcheck settings` shows.
#include <trtcheck/settings.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "report/envelope.hpp"
#include "settings/keys.hpp"
#include "settings/places.hpp"
#include "settings/toml_text.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace {

using settings::Json;

// Longer lines do not push the comments of all others to the right.
constexpr std::size_t kCommentColumn = 48;

std::string line_of(const SettingOrigin& origin) {
  std::string key = settings::toml_key(origin.key);
  if (!origin.entry.empty()) key += "." + settings::toml_key(origin.entry);
  return origin.value.empty() ? fmt::format("# {} is not set", key) : fmt::format("{} = {}", key, origin.value);
}

std::string comment_on(const Settings& settings, const SettingOrigin& origin) {
  const std::string option = fmt::format("{} `{}`", origin.key, origin.entry);
  const bool is_unmatched = std::ranges::find(settings.unmatched, option) != settings.unmatched.end();
  return origin.place() + (is_unmatched ? ", not for this model" : "");
}

std::string_view word(SettingOrigin::From from) {
  switch (from) {
    case SettingOrigin::From::defaults:
      return "default";
    case SettingOrigin::From::file:
      return "file";
    case SettingOrigin::From::caller:
      return "command line";
  }
  return "?";
}

/// Paths and words of the caller may be any bytes.
Json valid(const Json& value) {
  if (value.is_string()) return valid_utf8(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json made = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, item] : value.items()) {
    if (value.is_array()) {
      made.push_back(valid(item));
    } else {
      made[valid_utf8(key)] = valid(item);
    }
  }
  return made;
}

Json value_of(const Settings& settings, const SettingOrigin& origin) {
  const Json value = settings::find_key(origin.key)->show(settings);
  return valid(origin.entry.empty() ? value : value.at(origin.entry));
}

Json to_json(const Settings& settings, const SettingOrigin& origin) {
  const bool in_file = origin.from == SettingOrigin::From::file;
  return {{"key", origin.key},
          {"entry", origin.entry.empty() ? Json(nullptr) : Json(valid_utf8(origin.entry))},
          {"value", value_of(settings, origin)},
          {"from", word(origin.from)},
          {"extended", origin.extended},
          {"line", in_file ? Json(origin.line) : Json(nullptr)}};
}

}  // namespace

std::string settings_toml(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t column = 0;
  for (const SettingOrigin& origin : settings.origins) {
    lines.emplace_back(printable(line_of(origin)), printable(comment_on(settings, origin)));
    const std::size_t width = display_width(lines.back().first);
    if (width <= kCommentColumn) column = std::max(column, width);
  }
  std::string out;
  for (const auto& [line, comment] : lines) {
    const std::size_t width = display_width(line);
    out += fmt::format("{}{}  # {}\n", line, std::string(column > width ? column - width : 0, ' '), comment);
  }
  return out;
}

std::string settings_json(const Settings& settings, const std::string& path) {
  Json list = Json::array();
  for (const SettingOrigin& origin : settings.origins) list.push_back(to_json(settings, origin));
  return report::document_text(
      report::enveloped({{"path", valid_utf8(path)},
                         {"file", settings.file.empty() ? Json(nullptr) : Json(valid_utf8(settings.file))},
                         {"settings", std::move(list)}}));
}

}  // namespace trtcheck
