#include "settings/read_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

#include "engine/selection.hpp"
#include "text/glob.hpp"
#include "text/ignore_patterns.hpp"
#include "text/suggest.hpp"
#include "text/trimmed.hpp"

namespace trtcheck::settings {
namespace {

using Kind = TomlValue::Kind;

/// A string and its line.
struct Word {
  std::string text;
  int line = 0;
};

/// With place and key in front.
[[noreturn]] void refuse(const Source& source, const Key& key, int line, const std::string& cause) {
  if (source.file.empty()) throw Error(std::string(key.named_by(source)), cause);
  source.fail(line, fmt::format("{}: {}", key.name, cause));
}

template <class Parse>
auto checked(const Source& source, const Key& key, int line, Parse parse) {
  try {
    return parse();
  } catch (const Error& error) {
    refuse(source, key, line, error.cause());
  }
}

[[noreturn]] void wrong_type(const Source& source, const Key& key, const TomlValue& value) {
  source.fail(value.line, fmt::format("`{}` must be {}, it is {}", key.named_by(source), expected(key.type),
                                      kind_name(value.kind)));
}

const std::vector<TomlEntry>& entries_of(const Source& source, const Key& key, const TomlValue& value) {
  if (value.kind != Kind::table) wrong_type(source, key, value);
  return value.entries;
}

void check_rule(const std::string& word) {
  if (auto why = engine::why_unknown(word)) throw Error("rule", std::move(*why));
}

void check_rules(const Source& source, const Key& key, const std::vector<Word>& words) {
  for (const Word& word : words) {
    checked(source, key, word.line, [&] { check_rule(word.text); });
  }
}

std::string read_string(const Source& source, const Key& key, const TomlValue& value) {
  if (value.kind != Kind::string) wrong_type(source, key, value);
  return value.text;
}

/// A string is a list of one.
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

std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> made;
  made.reserve(words.size());
  for (const Word& word : words) made.push_back(word.text);
  return made;
}

std::vector<std::string> read_rules(const Source& source, const Key& key, const TomlValue& value) {
  const std::vector<Word> words = read_words(source, key, value);
  check_rules(source, key, words);
  return texts(words);
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
  if (trimmed(reason.text, " \t\r\n").empty()) {
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

/// One of a list, as the type of the key wants it.
void check_word(Type type, const std::string& word) {
  if (type == Type::rules) check_rule(word);
  if (type == Type::patterns) check_ignore_pattern(word);
}

}  // namespace

void read_value(const Source& source, const Key& key, const TomlValue& value, TrtVersion& into) {
  const std::string text = read_string(source, key, value);
  into = checked(source, key, value.line, [&] { return parse_release(text); });
}

void read_value(const Source& source, const Key& key, const TomlValue& value, ComputeCapability& into) {
  const std::string text = read_string(source, key, value);
  into = checked(source, key, value.line, [&] { return parse_compute_capability(text); });
}

void read_value(const Source& source, const Key& key, const TomlValue& value, FailOn& into) {
  const std::string text = read_string(source, key, value);
  into = checked(source, key, value.line, [&] { return parse_fail_on(text); });
}

void read_value(const Source& source, const Key& key, const TomlValue& value, bool& into) {
  if (value.kind != Kind::boolean) wrong_type(source, key, value);
  into = value.truth;
}

void read_value(const Source& source, const Key& key, const TomlValue& value, std::string& into) {
  into = read_string(source, key, value);
  if (into.empty()) refuse(source, key, value.line, "the path is empty");
}

void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<std::string>& into) {
  const std::vector<Word> words = read_words(source, key, value);
  into = texts(words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    checked(source, key, words[i].line, [&] { check_word(key.type, into[i]); });
  }
}

void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<Precision>& into) {
  for (const Word& word : read_words(source, key, value)) {
    into.push_back(checked(source, key, word.line, [&] { return parse_precision(word.text); }));
  }
}

void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<ProfileInput>& into) {
  std::vector<Word> words;
  if (value.kind == Kind::table) {
    for (const TomlEntry& input : value.entries) {
      words.push_back({input.key + "=" + string_in(source, key, input), input.line});
    }
  } else {
    words = read_words(source, key, value);
  }
  std::unordered_set<std::string> named;
  for (const ProfileInput& input : into) named.insert(input.name);
  for (const Word& word : words) {
    ProfileInput input = checked(source, key, word.line, [&] { return parse_profile(word.text); });
    if (!named.insert(input.name).second) {
      refuse(source, key, word.line, fmt::format("input `{}` is named twice", input.name));
    }
    into.push_back(std::move(input));
  }
}

void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<SeverityOverride>& into) {
  for (const TomlEntry& entry : entries_of(source, key, value)) {
    check_rules(source, key, {{entry.key, entry.line}});
    const std::string word = string_in(source, key, entry);
    into.push_back({entry.key, checked(source, key, entry.value.line, [&] { return parse_severity(word); })});
  }
}

void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<FileIgnore>& into) {
  for (const TomlEntry& entry : entries_of(source, key, value)) {
    checked(source, key, entry.line, [&] { check_ignore_pattern(entry.key); });
    if (entry.key.starts_with('!'))
      source.fail(entry.line, fmt::format("`{}`: a pattern here cannot begin with !", entry.key));
    std::vector<std::string> rules = read_rules(source, key, entry.value);
    if (rules.empty()) source.fail(entry.line, fmt::format("`{}` names no rules", entry.key));
    into.push_back({{entry.key, {}}, std::move(rules)});
  }
}

void read_value(const Source& source, const Key& key, const TomlValue& value, std::vector<NodeIgnore>& into) {
  for (const TomlEntry& entry : entries_of(source, key, value)) into.push_back(read_node_ignore(source, key, entry));
}

void check_given(const Key& key, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    checked({}, key, 0, [&] { check_word(key.type, word); });
  }
}

void check_given(const Key& key, const std::vector<SeverityOverride>& severities) {
  for (const SeverityOverride& entry : severities) checked({}, key, 0, [&] { check_rule(entry.rule); });
}

void check_given(const Key& key, const std::vector<FileIgnore>& ignores) {
  for (const FileIgnore& ignore : ignores) {
    checked({}, key, 0, [&] {
      check_ignore_pattern(ignore.models.pattern);
      for (const std::string& rule : ignore.rules) check_rule(rule);
    });
  }
}

void check_given(const Key& key, const std::vector<NodeIgnore>& ignores) {
  for (const NodeIgnore& ignore : ignores) {
    checked({}, key, 0, [&] {
      check_glob(ignore.node);
      for (const std::string& rule : ignore.rules) check_rule(rule);
    });
  }
}

}  // namespace trtcheck::settings
