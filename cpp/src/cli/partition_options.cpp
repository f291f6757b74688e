#include "cli/partition_options.hpp"

#include <array>
#include <charconv>

namespace trtcheck::cli {
namespace {

constexpr std::array kFormats{Format::full, Format::json, Format::html};

std::size_t parse_least(const std::string& word) {
  constexpr std::uint32_t kMost = 1'000'000;
  std::uint32_t least = 0;
  const char* const end = word.data() + word.size();
  const auto [last, failed] = std::from_chars(word.data(), end, least);
  if (failed != std::errc{} || last != end || least == 0 || least > kMost) {
    refuse(fmt::format("--min-subgraph-size: `{}` is no number from 1 to {}", word, kMost));
  }
  return least;
}

}  // namespace

void PartitionWords::add_to(Options& options) {
  constexpr const char* kCut = "Who cuts";
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add_flag("--ort", ort, "as ONNX Runtime's provider for the target does, with options for it to paste")
      .group(kCut);
  options.add_list("--exclude", exclude, "operators that are left to others, as in trt_op_types_to_exclude")
      .value("OPERATORS")
      .group(kCut);
  options.add("--min-subgraph-size", least_nodes, "smaller pieces are left to others (default: 1), with --ort")
      .value("N")
      .group(kCut);
  settings.add_to(options);
  options.remove("--fail-on");
  options.remove("--require-profile");
  options.add("-o,--output", folder, "write each piece as an ONNX file into this folder")
      .value("DIR")
      .group(kOutputOptions);
  options.add("--output-format", format, format_names(kFormats)).value("FORMAT").group(kOutputOptions);
  options.add_flag("--no-color", no_color, "no colors").group(kOutputOptions);
}

PartitionRequest PartitionWords::request() const {
  PartitionRequest request{.path = path,
                           .config = settings.choice(),
                           .overrides = settings.overrides(),
                           .options = {},
                           .folder = folder,
                           .output = {}};
  request.options.ort = ort;
  request.options.exclude = exclude;
  request.options.least_nodes = parse_least(least_nodes);
  if (request.options.least_nodes > 1 && !ort) refuse("--min-subgraph-size is an option of ONNX Runtime: add --ort");
  request.output.format = choose_format(format, kFormats);
  request.output.no_color = no_color;
  return request;
}

}  // namespace trtcheck::cli
