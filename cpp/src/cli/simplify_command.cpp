// `trtcheck simplify`: simplifies models, one after the other.
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/all_models.hpp"
#include "cli/beside.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/found_models.hpp"
#include "cli/interrupts.hpp"
#include "cli/open_model.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/simplify_options.hpp"
#include "cli/simplify_text.hpp"
#include "cli/terminal.hpp"
#include "report/envelope.hpp"

namespace trtcheck::cli {
namespace {

using Mode = SimplifyRequest::Mode;

/// What a worker needs; it owns that, because a stuck one outlives the command.
struct AskedToSimplify {
  explicit AskedToSimplify(const SimplifyRequest& r) : request(r), resolver(r.config, r.overrides) {}

  SimplifyRequest request;
  SettingsResolver resolver;

  [[nodiscard]] SimplifiedFile simplified_file(const std::string& path) const {
    const Source source(path);
    if (source.is_standard_input()) throw Error(source.shown(), "cannot be simplified: a file is required");
    SimplifyOptions options = request.options;
    options.shape_functions = settings_of(resolver, source).check.target.shape_functions;
    Bytes binary;
    Simplified simplified = made_of(
        path, binary, [&](const auto& model, const auto&... folder) { return simplify(model, options, folder...); });
    SimplifiedFile file{path, std::move(binary), std::move(simplified)};
    const bool only_shows = request.mode == Mode::list || request.mode == Mode::diff;
    if (!file.simplified.is_changed() || only_shows) return file;
    const bool is_in_place = request.mode == Mode::in_place;
    const std::string output = place_of_changed(path, is_in_place, request.output, "simplified");
    if (is_in_place && request.keeps_old) keep_old(path);
    file.simplified.write(output);
    file.output = output;
    return file;
  }
};

std::string simplified_document(const SimplifyRequest& request, const Done<std::shared_ptr<SimplifiedFile>>& done,
                                const OutputRequest& output) {
  if (!request.is_json) {
    const report::Style style(use_color(output));
    const Detail detail = request.mode == Mode::diff   ? Detail::nodes
                          : request.mode == Mode::list ? Detail::changes
                                                       : Detail::counts;
    std::string out;
    for (const auto& file : done.made) out += (out.empty() ? "" : "\n") + simplify_text(*file, style, detail);
    return out;
  }
  report::Json models = report::Json::array();
  for (const auto& file : done.made) models.push_back(simplify_json(*file));
  return report::document_text(
      report::enveloped({{"models", std::move(models)}, {"failures", report::failures_json(done.failures)}}));
}

}  // namespace

int run(const SimplifyRequest& request) {
  const OutputRequest output{
      .format = request.is_json ? Format::json : Format::full, .file = {}, .no_color = request.no_color};
  const auto asked = std::make_shared<const AskedToSimplify>(request);
  const FoundModels found = found_models(asked->resolver, request.paths, request.force_exclude);
  complain_about(found, false);
  if (!request.output.empty() && found.models.size() > 1) {
    refuse(fmt::format("--output is for one model, there are {}", found.models.size()));
  }
  const GracefulInterrupts interrupts;
  Progress progress(true, found.models.size());
  const auto make = [asked](const std::string& path) {
    return std::make_shared<SimplifiedFile>(asked->simplified_file(path));
  };
  const Done<std::shared_ptr<SimplifiedFile>> done =
      make_all<std::shared_ptr<SimplifiedFile>>(found, {}, make, interrupts, progress);
  write_output(output, simplified_document(request, done, output));
  return done.code;
}

}  // namespace trtcheck::cli
