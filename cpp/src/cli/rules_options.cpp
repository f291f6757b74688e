#include "cli/rules_options.hpp"

#include <algorithm>
#include <trtcheck/messages.hpp>

#include "engine/selection.hpp"
#include "text/suggest.hpp"

namespace trtcheck::cli {
namespace {

std::string suggestion(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Rule* rule : all_rules()) {
    names.push_back(rule->code);
    names.push_back(rule->name);
  }
  const std::string text = did_you_mean(word, names);
  return text.empty() ? "; `trtcheck rules` lists them" : text;
}

/// "OPS401:pad-mode": its rule and its rows.
bool add_fact(ExplainRequest& request, const std::string& word) {
  const auto named = engine::fact_in(word);
  const Rule* rule = named ? find_rule(named->first) : nullptr;
  if (rule == nullptr) return false;
  if (const auto why = engine::why_unknown(word)) refuse(*why);
  const std::vector<FactRow> rows = rows_called(*rule, named->second);
  if (std::ranges::find(request.rules, rule) == request.rules.end()) request.rules.push_back(rule);
  request.facts.insert(request.facts.end(), rows.begin(), rows.end());
  return true;
}

/// Nobody spells a rule with a space; some messages ("_Map_base::at") have none.
bool is_message(const std::string& word) {
  return word.find_first_of(" \t\n") != std::string::npos || !rules_for(word).empty();
}

}  // namespace

void ExplainWords::add_to(Options& options) {
  options.add_argument("RULE", words,
                       "code such as QDQ104 or OPS401:pad-mode, name, or a message of TensorRT in quotes");
  options.add("--error-log", error_log, "explain the lines of a TensorRT log; - is standard input").value("FILE");
  options.add("--model", model, "the model that the log is about: finds the nodes that it names").value("MODEL");
  output.add_to(options);
}

ExplainRequest ExplainWords::request() const {
  ExplainRequest request{{}, {}, {}, error_log, model, output.request()};
  if (words.empty() && error_log.empty()) refuse("nothing to explain; give a rule, a message in quotes or --error-log");
  for (const std::string& word : words) {
    if (const Rule* rule = find_rule(word)) {
      request.rules.push_back(rule);
    } else if (add_fact(request, word)) {
      continue;
    } else if (is_message(word)) {
      request.messages.push_back(word);
    } else {
      refuse(fmt::format("there is no rule `{}`{}", word, suggestion(word)));
    }
  }
  if (!model.empty() && error_log.empty() && request.messages.empty()) {
    refuse("--model goes with --error-log, or with a message in quotes");
  }
  return request;
}

}  // namespace trtcheck::cli
