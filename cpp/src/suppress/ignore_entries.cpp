#include "suppress/ignore_entries.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "engine/selection.hpp"
#include "text/trimmed.hpp"

namespace trtcheck {
namespace {

// Longer than any name of a rule; the search for a similar one takes time by length.
constexpr std::size_t kLongestName = 100;

/// The part up to one of the separators, taken off `text`.
std::string_view take_part(std::string_view& text, std::string_view separators) noexcept {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view part = trimmed(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string cut(std::string_view text) {
  return std::string(text.substr(0, kLongestName)) + (text.size() > kLongestName ? "..." : "");
}

/// Where the names end and the reason begins. A colon belongs to a name when one of its facts and another colon or a
/// comma stand behind it: "OPS401:pad-mode: reason".
std::size_t end_of_names(std::string_view text) {
  constexpr std::string_view kFact = "abcdefghijklmnopqrstuvwxyz0123456789-";
  std::size_t colon = text.find(':');
  while (colon != std::string_view::npos) {
    const std::size_t end = text.find_first_not_of(kFact, colon + 1);
    if (end == std::string_view::npos || (text[end] != ':' && text[end] != ',')) break;
    const std::size_t start = text.rfind(',', colon) == std::string_view::npos ? 0 : text.rfind(',', colon) + 1;
    const std::string_view name = trimmed(text.substr(start, end - start));
    if (name.size() > kLongestName || engine::why_unknown(name)) break;
    colon = text.find(':', end);
  }
  return colon;
}

IgnoreEntry parse_entry(std::string_view text, std::size_t most) {
  IgnoreEntry entry;
  const std::size_t colon = end_of_names(text);
  entry.reason = colon == std::string_view::npos ? std::string_view{} : trimmed(text.substr(colon + 1));
  if (entry.reason.empty()) {
    entry.mistakes.push_back(fmt::format("`{}` gives no reason, it has to be of the form `RULES: reason`", cut(text)));
    return entry;
  }
  std::string_view names = text.substr(0, colon);
  if (trimmed(names).empty()) {
    entry.mistakes.push_back(fmt::format("`{}` names no rule, it has to be of the form `RULES: reason`", cut(text)));
  }
  while (!names.empty() && entry.rules.size() + entry.mistakes.size() < most) {
    const std::string_view rule = take_part(names, ",");
    if (rule.empty()) continue;
    if (rule.size() > kLongestName) {
      entry.mistakes.push_back(fmt::format("`{}` is no rule code, prefix, name or fact", cut(rule)));
    } else if (auto why = engine::why_unknown(rule)) {
      entry.mistakes.push_back(std::move(*why));
    } else {
      entry.rules.push_back(rule);
    }
  }
  return entry;
}

}  // namespace

std::vector<IgnoreEntry> parse_ignore_entries(std::string_view text, std::size_t most) {
  std::vector<IgnoreEntry> entries;
  while (!text.empty() && entries.size() < most) {
    const std::string_view part = take_part(text, ";\n");
    if (!part.empty()) entries.push_back(parse_entry(part, most));
  }
  return entries;
}

}  // namespace trtcheck
