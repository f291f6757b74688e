// `trtcheck confirm`: predict, ask NVIDIA's own parser and builder, show both.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include <trtcheck/confirm.hpp>
#include <trtcheck/discover.hpp>

#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/confirm_options.hpp"
#include "cli/found_models.hpp"
#include "cli/interrupts.hpp"
#include "cli/output_place.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {
namespace {

class Confirmer {
 public:
  explicit Confirmer(const ConfirmRequest& request)
      : request_(request),
        resolver_(request.config, request.overrides),
        found_(found_models(resolver_, request.paths, request.force_exclude)) {
    complain_about(found_, request.quiet);
    for (const Error& error : found_.errors) failures_.push_back(failure_of(error.path(), error));
  }

  /// @returns the exit code
  int run() {
    refuse_unwritable(request_.output, found_.models);
    if (!found_.models.empty()) ask_all(find_witness({.path = request_.witness, .program = {}, .folders = {}}));
    write();
    if (interrupts_.signal() != 0) return exit_code_of(interrupts_.signal());
    if (!failures_.empty()) return kExitFailed;
    return std::ranges::all_of(confirmations_, is_fine) ? kExitClean : kExitFindings;
  }

 private:
  static bool names_target(const Settings& settings) {
    return std::ranges::any_of(settings.origins, [](const SettingOrigin& origin) {
      return origin.key == "target" && origin.from != SettingOrigin::From::defaults;
    });
  }

  static bool is_fine(const Confirmation& c) { return !c.is_refused(); }

  void ask_all(const Witness& witness) {
    Progress progress(!request_.quiet, found_.models.size());
    for (std::size_t i = 0; i < found_.models.size() && interrupts_.signal() == 0; ++i) {
      const std::string& path = found_.models[i];
      try {
        confirmations_.push_back(ask(path, witness, progress, i));
      } catch (const Error& error) {
        progress.erase();
        complain(line_about(path, error));
        failures_.push_back(failure_of(path, error));
      }
    }
    progress.erase();
    if (interrupts_.signal() != 0) {
      complain(fmt::format("interrupted: {} of {} models were looked at", confirmations_.size(), found_.models.size()));
    }
  }

  Confirmation ask(const std::string& path, const Witness& witness, Progress& progress, std::size_t done) {
    if (path == "-") throw Error(path, "the witness reads files, not standard input");
    ConfirmOptions options;
    const Settings settings = settings_of(resolver_, path);
    options.check = settings.check;
    const std::optional<TrtVersion> judged = names_target(settings) ? std::nullopt : release_of(witness);
    if (judged) options.check.target.release = *judged;
    options.check.neighbourhoods = request_.output.format == Format::json;
    options.parse_only = request_.parse_only;
    options.propose_profile = request_.propose_profile;
    options.timeout = request_.timeout;
    options.memory = request_.memory;
    options.cancelled = [&] {
      progress.show(done);
      return interrupts_.signal() != 0;
    };
    return confirm(path, witness, options);
  }

  void write() {
    const RenderOptions how{.format = request_.output.format,
                            .color = use_color(request_.output),
                            .width = text_width(request_.output),
                            .summary = !request_.quiet,
                            .failures = failures_};
    write_output(request_.output, render(confirmations_, how), found_.models);
  }

  const ConfirmRequest& request_;
  SettingsResolver resolver_;
  FoundModels found_;
  GracefulInterrupts interrupts_;
  std::vector<Confirmation> confirmations_;
  std::vector<Failure> failures_;
};

}  // namespace

int run(const ConfirmRequest& request) { return Confirmer(request).run(); }

}  // namespace trtcheck::cli
