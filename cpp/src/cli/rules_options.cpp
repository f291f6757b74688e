#include "cli/rules_options.hpp"

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

}  // namespace

void ExplainWords::add_to(CLI::App& app) {
  app.add_option("RULE", words, "code such as QDQ104, or name")->required()->type_name("");
  output.add_to(app);
}

ExplainRequest ExplainWords::request() const {
  ExplainRequest request{{}, output.request()};
  for (const std::string& word : words) {
    const Rule* rule = find_rule(word);
    if (rule == nullptr) refuse(fmt::format("there is no rule `{}`{}", word, suggestion(word)));
    request.rules.push_back(rule);
  }
  return request;
}

}  // namespace trtcheck::cli
