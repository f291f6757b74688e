#include "settings/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include <trtcheck/error.hpp>

// Trees of this depth are made and taken down by recursion: the limit keeps hostile files off the stack.
#define TOML_MAX_NESTED_VALUES 32
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace trtcheck::settings {
namespace {

constexpr std::size_t kMostDots = 32;

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

TomlValue plain(const toml::node& node);

std::vector<TomlEntry> plain_entries(const toml::table& table) {
  std::vector<std::pair<toml::source_position, TomlEntry>> found;
  for (const auto& [key, value] : table) {
    const toml::source_position place = key.source().begin;
    found.emplace_back(place, TomlEntry{std::string(key.str()), static_cast<int>(place.line), plain(value)});
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<TomlEntry> entries;
  for (auto& [place, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

TomlValue plain(const toml::node& node) {
  using Kind = TomlValue::Kind;
  TomlValue made{.kind = Kind::date, .line = line_of(node), .text = {}, .items = {}, .entries = {}};
  if (const auto* text = node.as_string()) {
    made.kind = Kind::string;
    made.text = text->get();
  } else if (const auto* array = node.as_array()) {
    made.kind = Kind::array;
    for (const toml::node& item : *array) made.items.push_back(plain(item));
  } else if (const auto* table = node.as_table()) {
    made.kind = Kind::table;
    made.entries = plain_entries(*table);
  } else if (node.is_integer()) {
    made.kind = Kind::integer;
  } else if (node.is_floating_point()) {
    made.kind = Kind::floating;
  } else if (node.is_boolean()) {
    made.kind = Kind::boolean;
  }
  return made;
}

/// Moves behind the string that begins at `at`, whichever of the four kinds it is.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string long_quote(3, quote);
  const bool is_long = text.substr(at, 3) == long_quote;
  at += is_long ? 3 : 1;
  while (at < text.size()) {
    if (text[at] == '\\' && quote == '"') {
      at += 2;
    } else if (is_long ? text.substr(at, 3) == long_quote : text[at] == quote) {
      return at + (is_long ? 3 : 1);
    } else if (!is_long && text[at] == '\n') {
      return at;  // never closed: the parser says so
    } else {
      ++at;
    }
  }
  return text.size();
}

/// The library limits the depth of arrays and inline tables, but not that of `a.a.a.a = 1`.
void check_dots(std::string_view text, const std::string& shown) {
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = skip_string(text, at);
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else {
      if (c == '.') ++dots;
      if (c == '\n' || c == ',' || c == '=' || c == '{') dots = 0;
      if (dots > kMostDots) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw Error(fmt::format("{}:{}", shown, line), fmt::format("a key of more than {} parts", kMostDots));
      }
      ++at;
    }
  }
}

std::string cause_of(const toml::parse_error& error) {
  std::string cause(error.description());
  if (!cause.empty()) cause[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(cause[0])));
  return cause;
}

}  // namespace

std::string_view kind_name(TomlValue::Kind kind) noexcept {
  switch (kind) {
    case TomlValue::Kind::string:
      return "a string";
    case TomlValue::Kind::integer:
      return "an integer";
    case TomlValue::Kind::floating:
      return "a float";
    case TomlValue::Kind::boolean:
      return "a boolean";
    case TomlValue::Kind::date:
      return "a date or time";
    case TomlValue::Kind::array:
      return "an array";
    case TomlValue::Kind::table:
      return "a table";
  }
  return "?";
}

std::optional<TomlValue> read_toml(std::string_view text, const std::string& shown,
                                   std::span<const std::string_view> path) {
  check_dots(text, shown);
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    throw Error(fmt::format("{}:{}:{}", shown, at.line, at.column),
                fmt::format("not TOML: {}", cause_of(parsed.error())));
  }
  const toml::node* node = &parsed.table();
  for (const std::string_view key : path) {
    const toml::node* next = node->as_table()->get(key);
    if (next == nullptr) return std::nullopt;
    if (!next->is_table()) {
      throw Error(fmt::format("{}:{}", shown, line_of(*next)),
                  fmt::format("`{}` must be a table, it is {}", key, kind_name(plain(*next).kind)));
    }
    node = next;
  }
  return plain(*node);
}

}  // namespace trtcheck::settings
