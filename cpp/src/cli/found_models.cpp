#include "cli/found_models.hpp"

#include "cli/check_source.hpp"
#include "cli/output.hpp"

namespace trtcheck::cli {
namespace {

bool respects_gitignore(const SettingsResolver& resolver) {
  try {
    return settings_of(resolver, Source::standard_input()).respect_gitignore;
  } catch (const Error&) {
    // The settings of this folder are broken: whoever checks a model with them says so.
    return true;
  }
}

}  // namespace

FoundModels found_models(const SettingsResolver& resolver, std::span<const std::string> words, bool force_exclude) {
  return find_models(
      words, {.respect_gitignore = respects_gitignore(resolver),
              .force_exclude = force_exclude,
              .excluded = [&](const std::string& path) { return is_excluded(settings_of(resolver, path), path); }});
}

void complain_about(const FoundModels& found, bool quiet) {
  for (const std::string& warning : found.warnings) {
    if (!quiet) complain("warning: " + warning);
  }
  for (const Error& error : found.errors) complain(error.what());
}

}  // namespace trtcheck::cli
