// `trtcheck ranges`: what the tensors of a model reach on samples. ONNX Runtime measures, in Python.
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <trtcheck/ranges.hpp>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/python_child.hpp"
#include "cli/ranges_options.hpp"
#include "cli/terminal.hpp"
#include "report/style.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"
#include "text/readable.hpp"

namespace trtcheck::cli {
namespace {

using Align = Columns::Align;

constexpr std::string_view kNeed =
    "ranges are measured by Python with ONNX Runtime: `pip install onnxruntime` beside the wheel of "
    "trtcheck (`make wheel`), or name that Python in TRTCHECK_PYTHON";

std::string number(const std::optional<double>& value) { return value ? readable(*value) : "-"; }

std::string share(std::uint64_t part, std::uint64_t whole) {
  if (part == 0 || whole == 0) return "0 %";
  return fmt::format("{:.3g} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string count(std::uint64_t number) { return number == 0 ? "" : readable(static_cast<double>(number)); }

std::string left_out(const Ranges& ranges) {
  if (ranges.left_out == 0) return "";
  return fmt::format("{} inside of bodies and functions, or of a type that cannot be read, left out\n",
                     counted(ranges.left_out, "tensor"));
}

std::string text(const std::string& path, const Ranges& ranges, const report::Style& style) {
  Columns columns({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right});
  columns.add({"tensor", "type", "min", "max", "zeros", "NaN", "infinite"});
  for (const MeasuredTensor& tensor : ranges.tensors) {
    columns.add({printable(tensor.name), to_string(tensor.type), number(tensor.min), number(tensor.max),
                 share(tensor.zeros, tensor.elements), count(tensor.nans),
                 count(tensor.plus_infinite + tensor.minus_infinite)});
  }
  return fmt::format(
      "{}\n{}",
      style.bold(fmt::format("{}: {}, {}", printable(path), counted(ranges.tensors.size(), "floating point tensor"),
                             counted(ranges.samples, "sample"))),
      columns.text() + left_out(ranges));
}

/// Of "runs 12", by which the Python program says how far it is.
std::optional<std::size_t> runs_in(std::string_view line) {
  constexpr std::string_view kWord = "runs ";
  if (!line.starts_with(kWord)) return std::nullopt;
  line.remove_prefix(kWord.size());
  std::size_t runs = 0;
  const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), runs);
  return failure == std::errc{} ? std::optional(runs) : std::nullopt;
}

}  // namespace

int run(const RangesRequest& request) {
  std::vector<std::string> arguments{request.path};
  arguments.insert(arguments.end(), request.data.begin(), request.data.end());
  Progress progress(true, 0, {"measuring", "runs"});
  const std::string json = run_python("_ranges", arguments, kNeed, [&](const std::string& said) {
    if (const std::optional<std::size_t> runs = runs_in(last_line(said))) progress.show(*runs);
  });
  progress.erase();
  if (!request.save.empty()) write_output({.format = Format::json, .file = request.save}, json, arguments);
  const report::Style style(use_color(request.output));
  const bool as_json = request.output.format == Format::json;
  write_output(request.output, as_json ? json : text(request.path, parse_ranges(json), style), arguments);
  return kExitClean;
}

}  // namespace trtcheck::cli
