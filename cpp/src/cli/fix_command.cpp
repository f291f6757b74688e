// `trtcheck fix`: repairs models, one after the other.
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/version.hpp>

#include "cli/all_models.hpp"
#include "cli/beside.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/fix_html.hpp"
#include "cli/fix_options.hpp"
#include "cli/fix_text.hpp"
#include "cli/found_models.hpp"
#include "cli/interrupts.hpp"
#include "cli/open_model.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/witness_source.hpp"
#include "report/envelope.hpp"

namespace trtcheck::cli {
namespace {

using Mode = FixRequest::Mode;

// As `confirm`: the witness of an interrupted run is stopped.
constexpr std::chrono::milliseconds kPatience{2000};

/// What a worker needs; it owns that, because a stuck one outlives the command.
struct Asked {
  explicit Asked(const FixRequest& r) : request(r), resolver(r.config, r.overrides) {}

  FixRequest request;
  SettingsResolver resolver;
  std::optional<Witness> witness{};  ///< nothing: nobody wants it, or the run was interrupted before

  [[nodiscard]] FixedFile fixed_file(const std::string& path) const {
    const Source source(path);
    if (source.is_standard_input()) throw Error(source.shown(), "cannot be repaired: a file is required");
    FixOptions options;
    options.check = settings_of(resolver, path).check;
    options.check.neighbourhoods = request.format == Format::html;
    options.classes = request.classes;
    options.cures = request.cures;
    options.rounds = request.rounds;
    options.sizes = request.sizes;
    options.dynamic = request.dynamic;
    Bytes binary;
    Fixed fixed =
        made_of(path, binary, [&](const auto& model, const auto&... folder) { return fix(model, options, folder...); });
    FixedFile file{path, std::move(binary), std::move(fixed), {}, {}, {}};
    if (request.mode == Mode::list || request.mode == Mode::diff) return file;
    if (file.fixed.is_changed() || request.data) write(file);
    if (request.witness) file.confirmation = confirmed(file, options.check);
    return file;
  }

 private:
  void write(FixedFile& file) const {
    const bool is_in_place = request.mode == Mode::in_place;
    const std::string output = place_of_changed(file.path, is_in_place, request.output, "fixed");
    if (is_in_place && request.keeps_old) keep_old(file.path);
    file.written = file.fixed.write(output, request.data.value_or(edit::DataPlace::kept));
    file.output = output;
  }

  /// Of what was written; where nothing had to be, of the model itself.
  [[nodiscard]] Confirmation confirmed(const FixedFile& file, const CheckOptions& check) const {
    if (!witness) throw Interrupted{};
    ConfirmOptions options;
    options.check = check;
    options.check.neighbourhoods = false;
    options.propose_profile = true;
    return confirm_source(file.output.empty() ? file.path : file.output, *witness, std::move(options));
  }
};

bool is_clean(const FixedFile& file) {
  const Report& report = file.written ? *file.written : file.fixed.after();
  if (file.confirmation && file.confirmation->is_refused()) return false;
  return report.verdict() == Verdict::clean;
}

std::string document(const FixRequest& request, const Done<FixedFile>& done, const OutputRequest& output) {
  if (request.format == Format::html) return fix_html(done.made, done.failures);
  if (request.format == Format::full) {
    const report::Style style(use_color(output));
    std::string out;
    for (const FixedFile& file : done.made)
      out += (out.empty() ? "" : "\n") + fix_text(file, style, request.mode == Mode::diff);
    return out;
  }
  report::Json models = report::Json::array();
  for (const FixedFile& file : done.made) models.push_back(fix_json(file));
  return report::document_text(
      report::enveloped({{"models", std::move(models)}, {"failures", report::failures_json(done.failures)}}));
}

OutputRequest standard_output(const FixRequest& request) {
  return {.format = request.format, .file = {}, .no_color = request.no_color};
}

}  // namespace

int run(const FixRequest& request) {
  const OutputRequest output = standard_output(request);
  if (request.mode == Mode::cures) {
    write_output(output, request.format == Format::json ? report::document_text(cures_json())
                                                        : cures_text(report::Style(use_color(output))));
    return kExitClean;
  }
  const auto asked = std::make_shared<Asked>(request);
  const FoundModels found = found_models(asked->resolver, request.paths, request.force_exclude);
  complain_about(found, false);
  if (!request.output.empty() && found.models.size() > 1) {
    refuse(fmt::format("--output is for one model, there are {}", found.models.size()));
  }
  const GracefulInterrupts interrupts;
  if (request.witness && !found.models.empty()) asked->witness = witness_unless_interrupted(*request.witness);
  Progress progress(true, found.models.size());
  const auto make = [asked](const std::string& path) { return std::make_shared<FixedFile>(asked->fixed_file(path)); };
  Done<std::shared_ptr<FixedFile>> all = make_all<std::shared_ptr<FixedFile>>(
      found, {.patience = request.witness ? kPatience : std::chrono::milliseconds{0}}, make, interrupts, progress);
  Done<FixedFile> done{.made = {}, .failures = std::move(all.failures), .code = all.code};
  for (const std::shared_ptr<FixedFile>& file : all.made) done.made.push_back(std::move(*file));
  write_output(output, document(request, done, output));
  if (done.code != kExitClean) return done.code;
  return std::ranges::all_of(done.made, is_clean) ? kExitClean : kExitFindings;
}

}  // namespace trtcheck::cli
