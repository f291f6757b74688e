#include <trtcheck/discover.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "bytes/source.hpp"
#include "discover/expand.hpp"
#include "discover/walk.hpp"

namespace trtcheck {
namespace {

namespace fs = std::filesystem;

class Discovery {
 public:
  explicit Discovery(const DiscoverOptions& options) : options_(options) {}

  void add(const std::string& word) {
    std::error_code ignored;
    if (Source::is_standard_input(word)) return add_named(word);
    if (fs::is_directory(word, ignored)) return add_folder(word);
    const bool exists = fs::symlink_status(word, ignored).type() != fs::file_type::not_found;
    if (!exists && discover::has_wildcard(word)) return add_pattern(word);
    add_named(word);
  }

  FoundModels take() { return std::move(found_); }

 private:
  void add_named(const std::string& word) {
    if (options_.force_exclude && !Source::is_standard_input(word) && is_excluded(word)) return;
    add_once(word);
  }

  void add_pattern(const std::string& word) {
    try {
      const std::vector<std::string> models = discover::expand(word);
      if (models.empty()) throw Error(word, "no model has such a name");
      for (const std::string& model : models) add_named(model);
    } catch (const Error& error) {
      found_.errors.push_back(error);
    }
  }

  void add_folder(const std::string& word) {
    discover::Walked walked = discover::walk(word, options_.respect_gitignore);
    const bool readable = walked.errors.empty();
    std::move(walked.errors.begin(), walked.errors.end(), std::back_inserter(found_.errors));
    const std::size_t all = walked.models.size();
    std::erase_if(walked.models, [this](const std::string& model) { return is_excluded(model); });
    for (const std::string& model : walked.models) add_once(model);
    if (!walked.models.empty() || !readable) return;
    if (all > 0) {
      found_.warnings.push_back(fmt::format("{}: all models ({}) are excluded", word, all));
    } else {
      found_.errors.emplace_back(word, walked.ignored ? "there is no model in this folder but what .gitignore names "
                                                        "(`--no-respect-gitignore` takes that, too)"
                                                      : "there is no model (`*.onnx`) in this folder");
    }
  }

  bool is_excluded(const std::string& path) {
    if (!options_.excluded) return false;
    try {
      return options_.excluded(path);
    } catch (const Error&) {
      // The settings of this model are broken: whoever checks it says so, with its name.
      return false;
    }
  }

  void add_once(const std::string& path) {
    std::error_code ignored;
    const std::string key =
        Source::is_standard_input(path) ? path : fs::absolute(path, ignored).lexically_normal().string();
    if (seen_.insert(key).second) found_.models.push_back(path);
  }

  const DiscoverOptions& options_;
  FoundModels found_;
  std::set<std::string> seen_;
};

}  // namespace

FoundModels find_models(std::span<const std::string> words, const DiscoverOptions& options) {
  Discovery discovery(options);
  for (const std::string& word : words) discovery.add(word);
  return discovery.take();
}

}  // namespace trtcheck
