#include "cli/confirm_options.hpp"

#include <charconv>

namespace trtcheck::cli {
namespace {

constexpr const char* kWitnessOptions = "The witness";

double parse_number(std::string_view option, const std::string& word, double most, std::string_view what) {
  double number = 0;
  const char* const end = word.data() + word.size();
  const auto [last, failed] = std::from_chars(word.data(), end, number, std::chars_format::fixed);
  if (failed == std::errc{} && last == end && number >= 0 && number <= most) return number;
  refuse(fmt::format("{}: `{}` is no number of {}; it must be 0 to {:.0f}", option, word, what, most));
}

}  // namespace

void ConfirmWords::add_to(Options& options) {
  options.add_argument("MODEL", paths, "files, folders, patterns (`**/*.onnx`)").required();
  settings.add_to(options, true);
  options.remove("--fail-on");  // the witness decides
  options.add_flag("--force-exclude", force_exclude, "exclude also what is named").group(kPathOptions);
  options.add_flag("--propose-profile", propose_profile, "build dynamic inputs in sizes that fit")
      .group(kWitnessOptions);
  options.add_flag("--parse-only", parse_only, "ask the parser, not the builder").group(kWitnessOptions);
  options.add("--witness", witness, "library, its folder, a release such as 10.16, or `all`")
      .value("WHO")
      .group(kWitnessOptions);
  options.add("--timeout", timeout, "seconds for one model, 0 = no limit (default: 300)")
      .value("S")
      .group(kWitnessOptions);
  options.add("--memory", memory, "GB for one model (default: three quarters of all)")
      .value("GB")
      .group(kWitnessOptions);
  output.add_to(options);
  options.add_flag("-q,--quiet", quiet, "results only: no progress, no warnings, no summary").group(kOutputOptions);
}

ConfirmRequest ConfirmWords::request() const {
  ConfirmRequest request;
  request.paths = paths;
  request.config = settings.choice();
  request.overrides = settings.overrides();
  request.force_exclude = force_exclude;
  request.propose_profile = propose_profile;
  request.parse_only = parse_only;
  request.witness = witness;
  request.timeout = parse_number("--timeout", timeout, 1e6, "seconds");
  if (!memory.empty()) request.memory = parse_number("--memory", memory, 1e5, "GB");
  request.quiet = quiet;
  request.output = output.request();
  return request;
}

}  // namespace trtcheck::cli
