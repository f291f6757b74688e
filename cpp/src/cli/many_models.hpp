// One document about several models: what `confirm` and `matrix` do before the first model and after the last.
#pragma once

#include <algorithm>
#include <functional>

#include "cli/all_models.hpp"
#include "cli/found_models.hpp"
#include "cli/output_place.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {

/// The models that a request names. What is wrong with its words was said, and its output can be written.
/// @throws Error  it cannot
template <class Request>
[[nodiscard]] FoundModels models_of(const Request& request, const SettingsResolver& resolver) {
  FoundModels found = found_models(resolver, request.paths, request.force_exclude);
  complain_about(found, request.quiet);
  refuse_unwritable(request.output, found.models);
  return found;
}

template <class Request>
[[nodiscard]] RenderOptions render_options_of(const Request& request, std::span<const Failure> failures = {}) {
  return {.format = request.output.format,
          .color = use_color(request.output),
          .width = text_width(request.output),
          .summary = !request.quiet,
          .failures = failures};
}

/// @param is_said  there is nothing to write: what failed stands on standard error
/// @return kExitFindings where one of them fails
template <class Request, class T>
[[nodiscard]] int write_all(const Request& request, const FoundModels& found, const Done<T>& done, bool is_said,
                            const std::function<bool(const T&)>& fails) {
  if (!is_said) {
    write_output(request.output, render(done.made, render_options_of(request, done.failures)), found.models);
  }
  if (done.code != kExitClean) return done.code;
  return std::ranges::any_of(done.made, fails) ? kExitFindings : kExitClean;
}

}  // namespace trtcheck::cli
