#include "registers.hpp"
#include "text.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trtcheck/discover.hpp>
#include <trtcheck/settings.hpp>

namespace trtcheck::python {
namespace {

// Path and cause, as `render` takes them.
using Failures = std::vector<std::pair<py::str, py::str>>;

// Paths are bytes: file names need not be UTF-8.
std::pair<std::vector<py::bytes>, Failures> find_in(const std::vector<py::bytes>& words,
                                                    const std::optional<Settings>& settings,
                                                    std::optional<bool> respect_gitignore, bool force_exclude) {
  const std::vector<std::string> paths(words.begin(), words.end());
  DiscoverOptions options{.respect_gitignore = respect_gitignore.value_or(!settings || settings->respect_gitignore),
                          .force_exclude = force_exclude};
  if (settings) options.excluded = [&settings](const std::string& path) { return is_excluded(*settings, path); };
  const FoundModels found = [&] {
    const py::gil_scoped_release unlocked;
    return find_models(paths, options);
  }();
  Failures failures;
  for (const Error& error : found.errors) failures.emplace_back(text(error.path()), text(error.cause()));
  return {{found.models.begin(), found.models.end()}, std::move(failures)};
}

}  // namespace

void register_discover(py::module_& module) {
  module.def("find_models", &find_in, py::arg("words"), py::kw_only(), py::arg("settings"),
             py::arg("respect_gitignore"), py::arg("force_exclude"));
}

}  // namespace trtcheck::python
