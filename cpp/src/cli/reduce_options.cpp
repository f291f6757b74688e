#include "cli/reduce_options.hpp"

#include <array>
#include <charconv>

namespace trtcheck::cli {
namespace {

constexpr const char* kSmall = "What has to stay";
constexpr const char* kContent = "What is in the small model";

double seconds_of(const std::string& word) {
  constexpr double kMost = 1e6;
  double seconds = 0;
  const char* const end = word.data() + word.size();
  const auto [last, failed] = std::from_chars(word.data(), end, seconds, std::chars_format::fixed);
  if (failed == std::errc{} && last == end && seconds >= 0 && seconds <= kMost) return seconds;
  refuse(fmt::format("--timeout: `{}` is no number of seconds; it must be 0 to {:.0f}", word, kMost));
}

}  // namespace

void ReduceWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add("--finding", finding, "code, name or fact of the finding, for one node with `@` and its name")
      .value("CODE[@NODE]")
      .group(kSmall);
  options
      .add(
          "--check", command,
          "shell command that ends with 0 as long as the model shows the problem; {} is the model, else it is appended")
      .value("COMMAND")
      .group(kSmall);
  options.add("--timeout", timeout, "seconds for one run of --check, 0 = no limit (default: 60)")
      .value("S")
      .group(kSmall);
  options.add("--weights", weights, "random (default), zero or keep").value("WORD").group(kContent);
  options.add_flag("--anonymous", anonymous, "no names, free strings, metadata and documentation of the model")
      .group(kContent);
  settings.add_to(options, false, true);
  options.remove("--fail-on");
  options.remove("--ranges");  // they are of the whole model
  options
      .add("-o,--output", output,
           "write the small model there; without it, net.onnx becomes net.reduced.onnx beside it")
      .value("FILE")
      .group(kOutputOptions);
  options.add("--report", report, "also write a folder for a bug report: model, finding, versions, text")
      .value("DIR")
      .group(kOutputOptions);
  options.add("--output-format", format, "full (default), json").value("FORMAT").group(kOutputOptions);
  options.add_flag("--no-color", no_color, "no colors").group(kOutputOptions);
}

ReduceRequest ReduceWords::request() const {
  if (finding.empty() && command.empty()) refuse("--finding or --check is required");
  ReduceRequest request;
  request.path = path;
  request.config = settings.choice();
  request.overrides = settings.overrides();
  request.options.finding = finding;
  request.options.command = command;
  request.options.timeout = seconds_of(timeout);
  constexpr std::array<std::string_view, 3> kWeights{"random", "zero", "keep"};
  request.options.weights = static_cast<ReducedWeights>(choose("--weights", weights, kWeights));
  request.options.anonymous = anonymous;
  request.output = output;
  request.report = report;
  constexpr std::array<std::string_view, 2> kFormats{"full", "json"};
  request.is_json = choose("--output-format", format, kFormats) == 1;
  request.no_color = no_color;
  return request;
}

}  // namespace trtcheck::cli
