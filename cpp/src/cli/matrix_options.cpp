#include "cli/matrix_options.hpp"

#include <array>

namespace trtcheck::cli {

void MatrixWords::add_to(Options& options) {
  options.add_argument("MODEL", paths, "files, folders, patterns (`**/*.onnx`); - is standard input").required();
  settings.add_to(options, true);
  options.remove("--target");   // of one release
  options.remove("--fail-on");  // of severities
  options.add("--target", target, "10.13, rtx-1.7, a range 8.6..10.13 or 8.6.., all (default)")
      .value("RELEASES")
      .group(kTargetOptions);
  options.add("--from", from, "with --to: what changes from this release").value("RELEASE").group(kTargetOptions);
  options.add("--to", to, "to this one").value("RELEASE").group(kTargetOptions);
  options.add("--fail-on", fail_on, "releases that refuse: any, newest, every, never")
      .value("WHICH")
      .group(kRuleOptions);
  options.add_flag("--force-exclude", force_exclude, "exclude also what is named").group(kPathOptions);
  output.add_to(options);
  options.add_flag("-q,--quiet", quiet, "results only: no progress, no warnings, no summary").group(kOutputOptions);
}

MatrixRequest MatrixWords::request() const {
  MatrixRequest request;
  request.paths = paths;
  request.config = settings.choice();
  request.overrides = settings.overrides();
  request.force_exclude = force_exclude;
  request.quiet = quiet;
  request.output = output.request();
  request.releases = parsed("--target", target.value_or("all"), parse_releases);
  if (from || to) {
    if (!from || !to) refuse(fmt::format("--{} needs --{}, too", from ? "from" : "to", from ? "to" : "from"));
    if (target) refuse("--from and --to name the releases already, --target is not for them");
    if (fail_on) refuse("--from and --to end with 1 where there is a new error, --fail-on is not for them");
    if (!report::row_of(request.output.format).compares) {
      refuse(fmt::format("--output-format: --from and --to have full, json and markdown, not {}",
                         to_string(request.output.format)));
    }
    request.upgrade = {parsed("--from", *from, parse_release), parsed("--to", *to, parse_release)};
  }
  // Who names releases wants each of them to take the model; who asks for all asks whether there is one.
  request.fail_on = target ? MatrixRequest::FailOn::any : MatrixRequest::FailOn::every;
  if (fail_on) {
    constexpr std::array<std::string_view, 4> kWords{"any", "newest", "every", "never"};
    request.fail_on = static_cast<MatrixRequest::FailOn>(choose("--fail-on", *fail_on, kWords));
  }
  return request;
}

}  // namespace trtcheck::cli
