#include "cli/simplify_options.hpp"

#include <algorithm>
#include <array>

namespace trtcheck::cli {
namespace {

constexpr const char* kChanges = "Which changes";

SimplifyRequest::Mode simplify_mode(const SimplifyWords& words) {
  using Mode = SimplifyRequest::Mode;
  const std::array asked{words.in_place, words.list, words.diff, !words.output.empty()};
  if (std::ranges::count(asked, true) > 1) refuse("one of --in-place, --list, --diff and --output at a time");
  if (words.in_place) return Mode::in_place;
  if (words.list) return Mode::list;
  return words.diff ? Mode::diff : Mode::write;
}

}  // namespace

void SimplifyWords::add_to(Options& options) {
  options.add_argument("MODEL", paths, "files, folders, patterns (`**/*.onnx`)").required();
  options.add_flag("--list", list, "say what would be changed, write nothing").group(kChanges);
  options.add_flag("--diff", diff, "show the nodes before and after, write nothing").group(kChanges);
  options
      .add_list("--static", sizes,
                "dims of an input, or one symbol, become numbers: x=1x3x224x224, batch=1; other dims stay dynamic")
      .value("NAME=SIZES")
      .group(kChanges);
  options.add_list("--class", classes, "classes of changes to make: proven (without the option), rounding, choice")
      .value("CLASS")
      .group(kChanges);
  options
      .add_flag("--fuse", fuses,
                "put BatchNormalization, and sums and products with constants, into the layers before them; rounds")
      .group(kChanges);
  settings.add_paths_to(options);
  settings.add_shape_functions_to(options);
  options.add_flag("--force-exclude", force_exclude, "exclude also what is named").group(kPathOptions);
  options
      .add("-o,--output", output,
           "write the simplified model there; without it, net.onnx becomes net.simplified.onnx beside it")
      .value("FILE")
      .group(kOutputOptions);
  options.add_flag("--in-place", in_place, "write over the model; the old file is kept as net.onnx.bak")
      .group(kOutputOptions);
  options.add_flag("--no-backup", no_backup, "with --in-place: keep no net.onnx.bak").group(kOutputOptions);
  options.add("--output-format", format, "full (default), json").value("FORMAT").group(kOutputOptions);
  options.add_flag("--no-color", no_color, "no colors").group(kOutputOptions);
}

SimplifyRequest SimplifyWords::request() const {
  SimplifyRequest request;
  request.mode = simplify_mode(*this);
  constexpr std::array<std::string_view, 2> kFormats{"full", "json"};
  request.is_json = choose("--output-format", format, kFormats) == 1;
  request.paths = paths;
  request.config = settings.choice();
  request.overrides = settings.overrides();
  request.force_exclude = force_exclude;
  request.output = output;
  if (no_backup && !in_place) refuse("--no-backup goes with --in-place");
  request.keeps_old = !no_backup;
  for (const std::string& word : sizes) {
    request.options.sizes.push_back(parsed("--static", word, parse_static_size));
  }
  if (!classes.empty()) request.options.classes.clear();
  for (const std::string& name : classes) {
    request.options.classes.push_back(parsed("--class", name, parse_cure_class));
  }
  request.options.fuses = fuses;
  request.options.texts = diff || request.is_json;
  request.no_color = no_color;
  return request;
}

}  // namespace trtcheck::cli
