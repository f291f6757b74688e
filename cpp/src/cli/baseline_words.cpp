#include "cli/baseline_words.hpp"

#include "cli/option_words.hpp"

namespace trtcheck::cli {

void BaselineWords::add_to(Options& options) {
  options.add("--baseline", file, "known findings; only new ones count").value("FILE").group(kConfigOptions);
  options.add_flag("--update-baseline", update, "write what is found now to the baseline").group(kConfigOptions);
  options.add_flag("--prune-baseline", prune, "remove from the baseline what is gone").group(kConfigOptions);
}

void BaselineWords::put_into(SettingsOverrides& overrides) const {
  if (!file) return;
  if (file_of_word(*file).empty()) refuse("--baseline needs the name of a file");
  overrides.baseline = file;
}

Baselines::Mode BaselineWords::mode() const {
  if (update && prune) refuse("--update-baseline and --prune-baseline contradict each other: the first prunes, too");
  if (update) return Baselines::Mode::update;
  return prune ? Baselines::Mode::prune : Baselines::Mode::apply;
}

}  // namespace trtcheck::cli
