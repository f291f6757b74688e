#include "cli/options.hpp"

#include <CLI/CLI.hpp>

namespace trtcheck::cli {

Option& Option::value(std::string_view name) {
  option_->type_name(std::string(name));
  return *this;
}

Option& Option::group(const char* heading) {
  option_->group(heading);
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option Options::add(const std::string& names, std::string& into, const std::string& help) {
  return Option(*app_->add_option(names, into, help));
}

Option Options::add(const std::string& names, std::optional<std::string>& into, const std::string& help) {
  return Option(*app_->add_option(names, into, help));
}

Option Options::add(const std::string& names, Words& into, const std::string& help) {
  return Option(*app_->add_option(names, into, help)->allow_extra_args(false));
}

Option Options::add_list(const std::string& names, Words& into, const std::string& help) {
  return Option(*app_->add_option(names, into, help)->allow_extra_args(false)->delimiter(','));
}

Option Options::add_flag(const std::string& names, bool& into, const std::string& help) {
  return Option(*app_->add_flag(names, into, help));
}

Option Options::add_argument(const std::string& name, std::string& into, const std::string& help) {
  return add(name, into, help).value("");
}

Option Options::add_argument(const std::string& name, Words& into, const std::string& help) {
  return Option(*app_->add_option(name, into, help)).value("");
}

void Options::remove(const std::string& name) { app_->remove_option(app_->get_option(name)); }

void Options::read_order(Words& into) {
  app_->parse_complete_callback([app = app_, &into] {
    for (const CLI::Option* option : app->parse_order()) into.push_back(option->get_name());
  });
}

void Options::hide_command() { app_->group(""); }

bool Options::has(const std::string& name) const { return app_->get_option_no_throw(name) != nullptr; }

Words Options::long_names() const {
  Words names;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const CLI::App& Options::program() const { return *app_->get_parent(); }

}  // namespace trtcheck::cli
