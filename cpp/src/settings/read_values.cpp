#include "settings/read_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "engine/selection.hpp"
#include "text/glob.hpp"
#include "text/ignore_patterns.hpp"
#include "text/suggest.hpp"

namespace trtcheck::settings {
namespace {

using Kind = TomlValue::Kind;

[[noreturn]] void wrong_type(const Source& source, const Key& key, const TomlValue& value) {
  source.fail(value.line,
              fmt::format("`{}` must be {}, it is {}", key.name, expected(key.type), kind_name(value.kind)));
}

const std::vector<TomlEntry>& entries_of(const Source& source, const Key& key, const TomlValue& value) {
  if (value.kind != Kind::table) wrong_type(source, key, value);
  return value.entries;
}

void check_rules(const Source& source, const Key& key, const std::vector<Word>& words) {
  for (const Word& word : words) {
    if (const auto why = engine::why_unknown(word.text)) source.fail(word.line, fmt::format("{}: {}", key.name, *why));
  }
}

std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> made;
  made.reserve(words.size());
  for (const Word& word : words) made.push_back(word.text);
  return made;
}

Severity parse_severity(std::string_view text) {
  constexpr std::array kSeverities{Severity::error, Severity::warning, Severity::info};
  std::array<std::string_view, 3> words;
  std::ranges::transform(kSeverities, words.begin(), [](Severity severity) { return to_string(severity); });
  const auto found = std::ranges::find(words, text);
  if (found != words.end()) return kSeverities[static_cast<std::size_t>(found - words.begin())];
  throw Error("severity", fmt::format("`{}` is none of {}{}", text, fmt::join(words, ", "), did_you_mean(text, words)));
}

std::string string_in(const Source& source, const Key& key, const TomlEntry& entry) {
  if (entry.value.kind == Kind::string) return entry.value.text;
  source.fail(entry.value.line,
              fmt::format("`{}` of `{}` must be a string, it is {}", entry.key, key.name, kind_name(entry.value.kind)));
}

/// The one entry of a per-node-ignores table that must be there.
std::string read_reason(const Source& source, const TomlEntry& node, const TomlValue& reason) {
  if (reason.kind != Kind::string) {
    source.fail(reason.line,
                fmt::format("the reason of `{}` must be a string, it is {}", node.key, kind_name(reason.kind)));
  }
  if (reason.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    source.fail(reason.line, fmt::format("the reason of `{}` is empty", node.key));
  }
  return reason.text;
}

NodeIgnore read_node_ignore(const Source& source, const Key& key, const TomlEntry& node) {
  constexpr std::array<std::string_view, 2> kParts{"rules", "reason"};
  if (node.value.kind != Kind::table) {
    source.fail(node.line,
                fmt::format("`{}` must be a table such as {{ rules = [\"QDQ\"], reason = \"...\" }}, it is {}",
                            node.key, kind_name(node.value.kind)));
  }
  checked(source, key, node.line, [&] { check_glob(node.key); });
  NodeIgnore made{node.key, {}, {}};
  for (const TomlEntry& part : node.value.entries) {
    if (part.key == "rules") {
      made.rules = read_rules(source, key, part.value);
      if (made.rules.empty()) source.fail(part.line, "`rules` is empty; leave it out to ignore all rules");
    } else if (part.key == "reason") {
      made.reason = read_reason(source, node, part.value);
    } else {
      source.fail(part.line, fmt::format("unknown key `{}`{}", part.key, did_you_mean(part.key, kParts)));
    }
  }
  if (made.reason.empty()) source.fail(node.line, fmt::format("`{}` needs a reason = \"...\"", node.key));
  return made;
}

}  // namespace

std::string read_string(const Source& source, const Key& key, const TomlValue& value) {
  if (value.kind != Kind::string) wrong_type(source, key, value);
  return value.text;
}

std::vector<Word> read_words(const Source& source, const Key& key, const TomlValue& value) {
  if (value.kind == Kind::string) return {{value.text, value.line}};
  if (value.kind != Kind::array) wrong_type(source, key, value);
  std::vector<Word> words;
  for (const TomlValue& item : value.items) {
    if (item.kind != Kind::string) {
      source.fail(item.line,
                  fmt::format("`{}` may hold strings only, one of them is {}", key.name, kind_name(item.kind)));
    }
    words.push_back({item.text, item.line});
  }
  return words;
}

std::vector<std::string> read_rules(const Source& source, const Key& key, const TomlValue& value) {
  const std::vector<Word> words = read_words(source, key, value);
  check_rules(source, key, words);
  return texts(words);
}

std::vector<std::string> read_patterns(const Source& source, const Key& key, const TomlValue& value) {
  const std::vector<Word> words = read_words(source, key, value);
  for (const Word& word : words) {
    checked(source, key, word.line, [&] { check_ignore_pattern(word.text); });
  }
  return texts(words);
}

std::vector<Precision> read_precisions(const Source& source, const Key& key, const TomlValue& value) {
  std::vector<Precision> made;
  for (const Word& word : read_words(source, key, value)) {
    made.push_back(checked(source, key, word.line, [&] { return parse_precision(word.text); }));
  }
  return made;
}

std::vector<ProfileInput> read_profile(const Source& source, const Key& key, const TomlValue& value) {
  std::vector<Word> words;
  if (value.kind == Kind::table) {
    for (const TomlEntry& input : value.entries) {
      words.push_back({input.key + "=" + string_in(source, key, input), input.line});
    }
  } else {
    words = read_words(source, key, value);
  }
  std::vector<ProfileInput> made;
  for (const Word& word : words) {
    ProfileInput input = checked(source, key, word.line, [&] { return parse_profile(word.text); });
    if (std::ranges::find(made, input.name, &ProfileInput::name) != made.end()) {
      source.fail(word.line, fmt::format("profile: input `{}` is named twice", input.name));
    }
    made.push_back(std::move(input));
  }
  return made;
}

std::vector<SeverityOverride> read_severities(const Source& source, const Key& key, const TomlValue& value) {
  std::vector<SeverityOverride> made;
  for (const TomlEntry& entry : entries_of(source, key, value)) {
    check_rules(source, key, {{entry.key, entry.line}});
    const std::string word = string_in(source, key, entry);
    made.push_back({entry.key, checked(source, key, entry.value.line, [&] { return parse_severity(word); })});
  }
  return made;
}

std::vector<FileIgnore> read_file_ignores(const Source& source, const Key& key, const TomlValue& value) {
  std::vector<FileIgnore> made;
  for (const TomlEntry& entry : entries_of(source, key, value)) {
    checked(source, key, entry.line, [&] { check_ignore_pattern(entry.key); });
    if (entry.key.starts_with('!'))
      source.fail(entry.line, fmt::format("`{}`: a pattern here cannot begin with !", entry.key));
    std::vector<std::string> rules = read_rules(source, key, entry.value);
    if (rules.empty()) source.fail(entry.line, fmt::format("`{}` names no rules", entry.key));
    made.push_back({{entry.key, {}}, std::move(rules)});
  }
  return made;
}

std::vector<NodeIgnore> read_node_ignores(const Source& source, const Key& key, const TomlValue& value) {
  std::vector<NodeIgnore> made;
  for (const TomlEntry& entry : entries_of(source, key, value)) made.push_back(read_node_ignore(source, key, entry));
  return made;
}

}  // namespace trtcheck::settings
