// From what the user names to the models that are meant: files, folders, patterns, standard input.
//
//     const std::vector<std::string> words{"models", "exports/**/*.onnx"};
//     const trtcheck::FoundModels found = trtcheck::find_models(words, {});
//     for (const std::string& path : found.models) trtcheck::check(path, {});
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/error.hpp>
#include <trtcheck/export.hpp>

namespace trtcheck {

/// Where to look, and what to pass over.
struct DiscoverOptions {
  bool respect_gitignore = true;  ///< in folders of a Git repository, pass over what Git ignores
  bool force_exclude = false;     ///< ask `excluded` also about files that were named
  /// Whether to pass over a model; empty = none. See `is_excluded` in settings.hpp. May throw Error.
  std::function<bool(const std::string& path)> excluded = {};
};

/// What was found, and what was passed over.
struct FoundModels {
  /// In the order of the words, each file once; those of a folder or pattern sorted. "-" is standard input.
  std::vector<std::string> models;
  std::vector<Error> errors;          ///< a folder that cannot be read or has no model in it, a pattern without a match
  std::vector<std::string> warnings;  ///< folders all of whose models are excluded
};

/// - a file means itself, whatever its name; so does a path that does not exist
/// - a folder means all `*.onnx` in it, at any depth. Links are followed, each real folder is looked at once;
///   folders of version control, virtual environments and caches are passed over (.git, .venv, node_modules, ...)
/// - a pattern that no file has as its name (`*`, `?`, `[...]`, `**` for any number of folders) means all `*.onnx`
///   that match; as in a shell, a wildcard matches no leading dot
/// - "-" means standard input
///
/// Nothing is opened but folders and .gitignore files.
TRTCHECK_API FoundModels find_models(std::span<const std::string> words, const DiscoverOptions& options);

}  // namespace trtcheck
