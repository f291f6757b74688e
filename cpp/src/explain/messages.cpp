// Finds the texts of rules and of facts in what TensorRT printed.
#include <trtcheck/messages.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "engine/tell_facts.hpp"
#include "explain/message_words.hpp"
#include "explain/printed_line.hpp"
#include "text/lines.hpp"

namespace trtcheck {
namespace {

using explain::Agreement;
using explain::Words;

// Fewer words than this are no message that could be told from ordinary text.
constexpr std::size_t kFewestWords = 3;
// In bytes; nothing that TensorRT prints on one line comes near.
constexpr std::size_t kLongestMessage = 16384;

struct Known {
  KnownMessage message;
  Words words;
};

std::vector<Known> known_words() {
  std::vector<Known> known;
  for (const KnownMessage& message : known_messages()) known.push_back({message, explain::words_of(message.text)});
  return known;
}

Words words_of_message(std::string_view message) {
  Words words = explain::words_of(message.substr(0, kLongestMessage));
  // Only our own texts have wildcards.
  std::erase(words, "*");
  return words;
}

std::optional<std::size_t> agreement(const Words& message, const Words& known) {
  if (const auto found = explain::find_words(known, message, Agreement::nearly)) return found;
  // A piece of a message: all of it has to be in the text that we know.
  if (message.size() < kFewestWords || message.size() >= known.size()) return std::nullopt;
  const auto found = explain::find_words(message, known, Agreement::exactly);
  return found && *found >= kFewestWords ? found : std::nullopt;
}

/// "importReduceSum" and "[ReduceSum -> ..." name the operator.
bool names_operator(const Words& message, std::string_view op_type) {
  const Words op = explain::words_of(op_type);
  const Words importer = explain::words_of("import" + std::string(op_type));
  return std::ranges::any_of(message, [&](const std::string& word) { return word == op[0] || word == importer[0]; });
}

/// One entry for each rule: the text with the most words, and the operator when only one is left or one is named.
class Found {
 public:
  explicit Found(const Words& message) : message_(&message) {}

  void add(const Known& known) {
    const auto words = agreement(*message_, known.words);
    if (!words) return;
    const KnownMessage& text = known.message;
    const bool is_named = !text.op_type.empty() && names_operator(*message_, text.op_type);
    Entry entry{{text.rule, text.text, text.op_type, *words}, is_named};
    if (!text.fact.empty()) entry.match.facts.push_back(text.fact);
    const auto same = std::ranges::find(entries_, text.rule, [](const Entry& e) { return e.match.rule; });
    if (same == entries_.end()) {
      entries_.push_back(entry);
    } else if (*words > same->match.words || (*words == same->match.words && is_named && !same->is_named)) {
      *same = entry;
    } else if (*words == same->match.words && is_named == same->is_named) {
      if (same->match.op_type != text.op_type) same->match.op_type = {};
      std::vector<std::string_view>& facts = same->match.facts;
      if (!text.fact.empty() && std::ranges::find(facts, text.fact) == facts.end()) facts.push_back(text.fact);
    }
  }

  [[nodiscard]] std::vector<MessageMatch> sorted() const {
    std::vector<MessageMatch> matches;
    matches.reserve(entries_.size());
    for (const Entry& entry : entries_) matches.push_back(entry.match);
    std::ranges::sort(matches, [](const MessageMatch& a, const MessageMatch& b) {
      return a.words != b.words ? a.words > b.words : a.rule->code < b.rule->code;
    });
    return matches;
  }

 private:
  struct Entry {
    MessageMatch match;
    bool is_named = false;
  };
  const Words* message_;
  std::vector<Entry> entries_;
};

std::vector<MessageMatch> matches(std::span<const Known> known, std::string_view message) {
  const Words words = words_of_message(message);
  Found found(words);
  for (const Known& text : known) found.add(text);
  return found.sorted();
}

}  // namespace

std::vector<KnownMessage> known_messages() {
  std::vector<KnownMessage> known;
  for (const Rule* rule : all_rules()) {
    for (const std::string_view text : rule->messages) known.push_back({rule, text, {}, {}});
  }
  for (const facts::Fact& fact : facts::all_facts()) {
    if (!fact.says.empty()) known.push_back({&engine::rule_of(fact), fact.says, fact.op, fact.id});
  }
  const auto key = [](const KnownMessage& m) { return std::tie(m.rule->code, m.op_type, m.text, m.fact); };
  std::ranges::stable_sort(known, {}, [](const KnownMessage& m) { return m.rule->code; });
  std::set<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>> met;
  std::erase_if(known, [&](const KnownMessage& message) { return !met.insert(key(message)).second; });
  return known;
}

std::vector<MessageMatch> rules_for(std::string_view message) { return matches(known_words(), message); }

std::vector<LogMatch> rules_for_log(std::string_view log) {
  std::vector<LogMatch> found;
  const std::vector<Known> known = known_words();
  std::set<std::string_view> met;
  for (std::size_t number = 1; !log.empty(); ++number) {
    const std::string_view text = next_line(log);
    const PrintedLine line = printed_line(text);
    if (!line.counts() || !met.insert(line.text).second) continue;
    std::vector<MessageMatch> rules = matches(known, line.text);
    if (!rules.empty()) found.push_back({number, std::string(line.text), std::move(rules)});
  }
  return found;
}

}  // namespace trtcheck
