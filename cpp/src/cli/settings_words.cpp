#include "cli/settings_words.hpp"

#include <CLI/CLI.hpp>

#include "engine/selection.hpp"

namespace trtcheck::cli {
namespace {

/// Nothing when the option was not given.
template <class Parse>
auto parsed_if(std::string_view option, const std::optional<std::string>& word, Parse parse) {
  return word ? std::optional(parsed(option, *word, parse)) : std::nullopt;
}

template <class Parse>
auto parsed_list(std::string_view option, const Words& words, Parse parse) {
  std::vector<decltype(parse(words.front()))> made;
  for (const std::string& word : words) made.push_back(parsed(option, word, parse));
  return words.empty() ? std::nullopt : std::optional(std::move(made));
}

std::string rule_word(const std::string& word) {
  if (auto why = engine::why_unknown(word)) throw Error("", std::move(*why));
  return word;
}

FailOn choose_fail_on(const std::string& word) {
  constexpr std::array<std::string_view, 4> kWords{"info", "warning", "error", "never"};
  return static_cast<FailOn>(choose("--fail-on", word, kWords));
}

}  // namespace

void SettingsWords::add_to(CLI::App& app) {
  app.add_option("--target", target, "such as 8.6 (default: the newest known)")
      ->type_name("RELEASE")
      ->group(kTargetOptions);
  add_list(app, "--precision", precisions, "fp16, bf16, int8, fp8, ...; repeatable")
      ->type_name("PRECISION")
      ->group(kTargetOptions);
  app.add_option("--compute-capability", compute_capability, "of the GPU, such as 8.6")
      ->type_name("X.Y")
      ->group(kTargetOptions);
  add_list(app, "--plugin", plugins, "operator of your plugin; repeatable")->type_name("NAME")->group(kTargetOptions);
  add_list(app, "--profile", profiles, "size range of an input; repeatable")
      ->type_name("NAME=MIN:OPT:MAX")
      ->group(kTargetOptions);
  add_list(app, "--select", select, "only these codes, prefixes or names")->type_name("RULES")->group(kRuleOptions);
  add_list(app, "--extend-select", extend_select, "these, too")->type_name("RULES")->group(kRuleOptions);
  add_list(app, "--ignore", ignore, "not these; wins over --select")->type_name("RULES")->group(kRuleOptions);
  app.add_option("--fail-on", fail_on, "error (default), warning, info, never")
      ->type_name("SEVERITY")
      ->group(kRuleOptions);
  app.add_option("--config", config, "this file, not the closest trtcheck.toml")
      ->type_name("FILE")
      ->group(kConfigOptions);
  app.add_flag("--no-config", no_config, "no configuration file")->group(kConfigOptions);
}

SettingsOverrides SettingsWords::overrides() const {
  SettingsOverrides made;
  made.release = parsed_if("--target", target, parse_release);
  made.precisions = parsed_list("--precision", precisions, parse_precision);
  made.compute_capability = parsed_if("--compute-capability", compute_capability, parse_compute_capability);
  if (!plugins.empty()) made.plugins = plugins;
  made.profile = parsed_list("--profile", profiles, parse_profile);
  made.select = parsed_list("--select", select, rule_word);
  if (auto words = parsed_list("--extend-select", extend_select, rule_word)) made.extend_select = std::move(*words);
  made.ignore = parsed_list("--ignore", ignore, rule_word);
  if (fail_on) made.fail_on = choose_fail_on(*fail_on);
  return made;
}

ConfigChoice SettingsWords::choice() const {
  if (config && no_config) refuse("--config and --no-config contradict each other");
  if (config && config->empty()) refuse("--config: the name of the file is empty");
  return {.file = config.value_or(""), .search = !no_config};
}

}  // namespace trtcheck::cli
