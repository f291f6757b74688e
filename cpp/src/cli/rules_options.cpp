#include "cli/rules_options.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/ranges.h>

#include <trtcheck/messages.hpp>

#include "engine/selection.hpp"
#include "facts/fact.hpp"
#include "text/suggest.hpp"

namespace trtcheck::cli {
namespace {

std::string suggestion(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Rule* rule : all_rules()) {
    names.push_back(rule->code);
    names.push_back(rule->name);
  }
  for (const facts::Fact& fact : facts::all_facts()) names.push_back(fact.id);
  const std::string text = did_you_mean(word, names);
  return text.empty() ? "; `trtcheck rules` lists them" : text;
}

/// "OPS401:pad-mode", "pad-mode": its cases.
bool add_fact(ExplainRequest& request, const std::string& word) {
  const auto fact = engine::fact_in(word);
  if (!fact || engine::rule_of(word) == nullptr) return false;
  if (const auto why = engine::why_unknown(word)) refuse(*why);
  const std::vector<FactCases> facts = explain::cases_of(*fact);
  request.facts.insert(request.facts.end(), facts.begin(), facts.end());
  return true;
}

/// Nobody spells a rule with a space; some messages ("_Map_base::at") have none.
bool is_message(const std::string& word) {
  return word.find_first_of(" \t\n") != std::string::npos || !rules_for(word).empty();
}

/// A message that somebody gave without quotes.
std::optional<std::string> message_in(const Words& words) {
  const auto has_blank = [](const std::string& word) { return word.find(' ') != std::string::npos; };
  if (words.size() < 2 || std::ranges::any_of(words, has_blank)) return std::nullopt;
  if (find_rule(words.front()) != nullptr) return std::nullopt;
  std::string joined = fmt::format("{}", fmt::join(words, " "));
  return rules_for(joined).empty() ? std::nullopt : std::optional(std::move(joined));
}

/// "WGT", "WGT1": the rules whose codes begin so.
std::vector<const Rule*> family_of(const std::string& word) {
  std::vector<const Rule*> family;
  std::ranges::copy_if(all_rules(), std::back_inserter(family),
                       [&](const Rule* rule) { return word.size() >= 3 && engine::names(*rule, word); });
  return family;
}

/// Adds what the word is about.
/// @throws Error  it is about nothing
void add_word(ExplainRequest& request, const std::string& word) {
  if (const Rule* rule = find_rule(word)) {
    request.rules.push_back(rule);
  } else if (add_fact(request, word)) {
    return;
  } else if (is_message(word)) {
    request.messages.push_back(word);
  } else if (const auto family = family_of(word); !family.empty()) {
    request.families.insert(request.families.end(), family.begin(), family.end());
  } else {
    refuse(fmt::format("there is no rule and no fact `{}`{}", word, suggestion(word)));
  }
}

}  // namespace

void RulesWords::add_to(Options& options) {
  options.add_argument("RULE", words, "codes, prefixes (WGT) or names; none = all");
  options.add_list("--select", select, "the same, as `trtcheck check` has it").value("RULES");
  output.add_to(options);
}

RulesRequest RulesWords::request() const {
  Words asked = words;
  asked.insert(asked.end(), select.begin(), select.end());
  RulesRequest request{{}, output.request()};
  for (const std::string& word : asked) {
    if (auto why = engine::why_unknown(word)) refuse(std::move(*why));
  }
  std::ranges::copy_if(all_rules(), std::back_inserter(request.rules), [&](const Rule* rule) {
    return asked.empty() ||
           std::ranges::any_of(asked, [&](const std::string& word) { return engine::names(*rule, word); });
  });
  return request;
}

void ExplainWords::add_to(Options& options) {
  options.add_argument("RULE", words,
                       "code such as QDQ104, fact (pad-mode), prefix (QDQ), name, or a message of TensorRT");
  options.add("--error-log", error_log, "explain the lines of a TensorRT log; - is standard input").value("FILE");
  options.add("--model", model, "the model that the log is about: finds the nodes that it names").value("MODEL");
  output.add_to(options);
}

ExplainRequest ExplainWords::request() const {
  ExplainRequest request{{}, {}, {}, {}, error_log, model, output.request()};
  if (words.empty() && error_log.empty()) refuse("nothing to explain; give a rule, a message in quotes or --error-log");
  if (auto message = message_in(words)) {
    request.messages.push_back(std::move(*message));
  } else {
    for (const std::string& word : words) add_word(request, word);
  }
  if (!model.empty() && error_log.empty() && request.messages.empty()) {
    refuse("--model goes with --error-log, or with a message in quotes");
  }
  return request;
}

}  // namespace trtcheck::cli
