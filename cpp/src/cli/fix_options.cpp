#include "cli/fix_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace trtcheck::cli {
namespace {

constexpr const char* kRepairs = "Which repairs";

std::size_t count_of(const std::string& word) {
  constexpr std::size_t kMost = 1000;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size() || count == 0 || count > kMost) {
    refuse(fmt::format("--rounds: `{}` is no number from 1 to {}", word, kMost));
  }
  return count;
}

FixRequest::Mode mode_of(const FixWords& words) {
  using Mode = FixRequest::Mode;
  const std::array asked{words.in_place, words.list, words.diff, words.show_cures, !words.output.empty()};
  if (std::ranges::count(asked, true) > 1) refuse("one of --in-place, --list, --diff, --cures and --output at a time");
  if (words.in_place) return Mode::in_place;
  if (words.list) return Mode::list;
  if (words.diff) return Mode::diff;
  return words.show_cures ? Mode::cures : Mode::write;
}

std::optional<edit::DataPlace> data_of(const FixWords& words, FixRequest::Mode mode) {
  const std::optional<edit::DataPlace> place = words.data.place();
  if (place && mode != FixRequest::Mode::write) {
    refuse(
        "--copy-data, --inline-data and --external-data are for a new file: not with --in-place, --list, --diff or "
        "--cures");
  }
  return place;
}

bool writes(FixRequest::Mode mode) { return mode == FixRequest::Mode::write || mode == FixRequest::Mode::in_place; }

}  // namespace

void FixWords::add_to(Options& options) {
  options.add_argument("MODEL", paths, "files, folders, patterns (`**/*.onnx`)");
  options.add_flag("--list", list, "say what would be repaired, write nothing").group(kRepairs);
  options.add_flag("--diff", diff, "show the nodes before and after, write nothing").group(kRepairs);
  options
      .add_list("--class", classes,
                "classes of repairs to make: proven, rounding (these two without the option), interface, choice")
      .value("CLASS")
      .group(kRepairs);
  options.add_list("--cure", cures, "make these repairs only; `--cures` lists them").value("NAME").group(kRepairs);
  options.add_list("--static", sizes, "make dims numbers and simplify, before repairing: x=1x3x224x224, batch=1")
      .value("NAME=SIZES")
      .group(kRepairs);
  options.add_list("--dynamic", dynamic, "make an axis dynamic, before that: x:0=batch")
      .value("INPUT:AXIS=NAME")
      .group(kRepairs);
  witness.add_to(options, "the repaired model", kRepairs);
  options.add("--rounds", rounds, "check and repair at most N times (10)").value("N").group(kRepairs);
  options.add_flag("--cures", show_cures, "list all repairs with their classes").group(kRepairs);
  settings.add_to(options, true);
  options.remove("--fail-on");
  options.add_flag("--force-exclude", force_exclude, "exclude also what is named").group(kPathOptions);
  options
      .add("-o,--output", output,
           "write the repaired model there; without it, net.onnx becomes net.fixed.onnx beside it")
      .value("FILE")
      .group(kOutputOptions);
  options.add_flag("--in-place", in_place, "write over the model; the old file is kept as net.onnx.bak")
      .group(kOutputOptions);
  options.add_flag("--no-backup", no_backup, "with --in-place: keep no net.onnx.bak").group(kOutputOptions);
  data.add_to(options);
  options.add("--output-format", format, "full (default), json, html").value("FORMAT").group(kOutputOptions);
  options.add_flag("--no-color", no_color, "no colors").group(kOutputOptions);
}

FixRequest FixWords::request() const {
  FixRequest request;
  request.mode = mode_of(*this);
  if (paths.empty() && request.mode != FixRequest::Mode::cures) refuse("MODEL is required");
  constexpr std::array<std::string_view, 3> kNames{"full", "json", "html"};
  constexpr std::array kFormats{Format::full, Format::json, Format::html};
  request.format = kFormats[choose("--output-format", format, kNames)];
  if (request.format == Format::html && request.mode == FixRequest::Mode::cures) refuse("--cures has no HTML");
  request.paths = paths;
  request.config = settings.choice();
  request.overrides = settings.overrides();
  request.force_exclude = force_exclude;
  request.output = output;
  request.data = data_of(*this, request.mode);
  request.witness = witness.who();
  if (request.witness && !writes(request.mode))
    refuse("--confirm asks about a file: not with --list, --diff or --cures");
  if (no_backup && !in_place) refuse("--no-backup goes with --in-place");
  request.keeps_old = !no_backup;
  request.classes = {CureClass::proven, CureClass::rounding};
  if (!classes.empty()) request.classes.clear();
  for (const std::string& name : classes) request.classes.push_back(parsed("--class", name, parse_cure_class));
  request.cures = cures;
  for (const std::string& word : sizes) request.sizes.push_back(parsed("--static", word, parse_static_size));
  for (const std::string& word : dynamic) request.dynamic.push_back(parsed("--dynamic", word, parse_dynamic_axis));
  request.rounds = count_of(rounds);
  request.no_color = no_color;
  return request;
}

}  // namespace trtcheck::cli
