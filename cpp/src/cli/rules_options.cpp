#include "cli/rules_options.hpp"

#include <CLI/CLI.hpp>
#include <trtcheck/messages.hpp>

#include "target/suggest.hpp"

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

/// Nobody spells a rule with a space; some messages ("_Map_base::at") have none.
bool is_message(const std::string& word) {
  return word.find_first_of(" \t\n") != std::string::npos || !rules_for(word).empty();
}

}  // namespace

void ExplainWords::add_to(CLI::App& app) {
  app.add_option("RULE", words, "code such as QDQ104, name, or a message of TensorRT in quotes")->type_name("");
  app.add_option("--error-log", error_log, "explain the lines of a TensorRT log; - is standard input")
      ->type_name("FILE");
  output.add_to(app);
}

ExplainRequest ExplainWords::request() const {
  ExplainRequest request{{}, {}, error_log, output.request()};
  if (words.empty() && error_log.empty()) refuse("nothing to explain; give a rule, a message in quotes or --error-log");
  for (const std::string& word : words) {
    if (const Rule* rule = find_rule(word)) {
      request.rules.push_back(rule);
    } else if (is_message(word)) {
      request.messages.push_back(word);
    } else {
      refuse(fmt::format("there is no rule `{}`{}", word, suggestion(word)));
    }
  }
  return request;
}

}  // namespace trtcheck::cli
