#include "cli/settings_words.hpp"

#include <utility>

#include "settings/keys.hpp"

namespace trtcheck::cli {
namespace {

using settings::Heading;
using settings::Type;

const char* text_of(Heading heading) {
  switch (heading) {
    case Heading::none:
      break;
    case Heading::target:
      return kTargetOptions;
    case Heading::rules:
      return kRuleOptions;
    case Heading::models:
      return kPathOptions;
    case Heading::data:
      return kDataOptions;
  }
  return nullptr;
}

bool is_list(Type type) {
  return type == Type::words || type == Type::precisions || type == Type::rules || type == Type::patterns ||
         type == Type::profile;
}

}  // namespace

void SettingsWords::add_option(Options& options, const settings::Key& key, const char* heading) {
  Given& given = given_[&key];
  const std::string name =
      std::string(key.option.name).append(key.option.also.empty() ? "" : ",").append(key.option.also);
  const std::string brief(key.option.brief);
  if (key.type == Type::boolean) {
    options.add_flag(name, given.flag, brief).group(heading);
  } else if (is_list(key.type)) {
    options.add_list(name, given.list, brief).value(key.option.value).group(heading);
  } else {
    options.add(name, given.word, brief).value(key.option.value).group(heading);
  }
}

void SettingsWords::add_to(Options& options, bool finds_models, bool reads_data) {
  for (const settings::Key& key : settings::all_keys()) {
    const char* const heading = text_of(key.option.heading);
    const bool has = key.option.heading == Heading::models ? finds_models
                     : key.option.heading == Heading::data ? reads_data
                                                           : true;
    if (heading != nullptr && has) add_option(options, key, heading);
  }
  add_config(options);
}

void SettingsWords::add_paths_to(Options& options) {
  for (const settings::Key& key : settings::all_keys()) {
    if (key.option.heading == Heading::models) add_option(options, key, kPathOptions);
  }
  add_config(options);
}

void SettingsWords::add_shape_functions_to(Options& options) {
  for (const settings::Key& key : settings::all_keys()) {
    if (key.option.name == "--shape-functions") add_option(options, key, kConfigOptions);
  }
  add_config(options);
}

void SettingsWords::add_config(Options& options) {
  if (std::exchange(has_config_, true)) return;
  options.add("--config", config, "this file, not the closest trtcheck.toml").value("FILE").group(kConfigOptions);
  options.add_flag("--no-config", no_config, "no configuration file").group(kConfigOptions);
}

SettingsOverrides SettingsWords::overrides() const {
  using settings::TomlValue;
  SettingsOverrides made;
  for (const auto& [key, given] : given_) {
    TomlValue value;
    if (given.word) {
      value = TomlValue::of(*given.word);
    } else if (!given.list.empty()) {
      value.kind = TomlValue::Kind::array;
      for (const std::string& word : given.list) value.items.push_back(TomlValue::of(word));
    } else if (given.flag) {
      value = TomlValue::of(!key->option.name.starts_with("--no-"));
    } else {
      continue;
    }
    key->read({.is_program = true}, *key, value, made);
  }
  return made;
}

ConfigChoice SettingsWords::choice() const {
  if (config && no_config) refuse("--config and --no-config contradict each other");
  if (config && config->empty()) refuse("--config: the name of the file is empty");
  return {.file = config.value_or(""), .search = !no_config};
}

}  // namespace trtcheck::cli
