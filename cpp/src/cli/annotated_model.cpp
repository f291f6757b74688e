#include "cli/annotated_model.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <trtcheck/annotate.hpp>
#include <trtcheck/error.hpp>

#include "bytes/staged_file.hpp"
#include "cli/changed_model.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/open_model.hpp"
#include "cli/option_words.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "report/style.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

// More of them is no summary any more; `trtcheck shapes` lists all.
constexpr std::size_t kSaid = 10;

template <class Items, class Line>
void say_first(std::string& out, const Items& items, std::string_view noun, Line line) {
  for (const auto& item : items.first(std::min(items.size(), kSaid))) out += fmt::format("{}\n", printable(line(item)));
  if (items.size() > kSaid) out += fmt::format("and {}\n", counted(items.size() - kSaid, noun));
}

std::string summary(const std::string& path, const Annotated& made, const std::string& output,
                    const report::Style& style) {
  std::string out = fmt::format("{}: {} added, {} completed\n", style.bold(printable(path)),
                                counted(made.added(), "declaration"), made.refined());
  say_first(out, made.contradictions(), "more declaration",
            [](const DeclaredOtherwise& one) { return "kept as it is: " + one.message; });
  say_first(out, made.unknown(), "more value of unknown rank", [](const UnknownShape& one) {
    return fmt::format("rank unknown: `{}` in {}: {}", one.value, one.graph, one.message);
  });
  return out + outcome_text(output, true) + "\n";
}

}  // namespace

bool asks_for_model(const ShapesRequest& request) { return request.output.file.ends_with(".onnx"); }

int write_annotated(const ShapesRequest& request) {
  const std::string& output = request.output.file;
  if (!request.target.profile.empty()) refuse("--profile goes with the list of shapes, not with a model as --output");
  if (request.output.format != Format::full) {
    refuse(fmt::format("--output `{}` is a model, --output-format is for the list of shapes", printable(output)));
  }
  const Source source(request.path);
  if (source.is_standard_input()) throw Error(source.shown(), "cannot be annotated: a file is required");
  if (same_file(request.path, output)) refuse(fmt::format("--output `{}` is the model itself", printable(output)));
  const AnnotateOptions options{.shape_functions = shape_functions_of(request.config, request.overrides, request.path)};
  Bytes binary;
  const Annotated made = made_of(request.path, binary, [&](const auto& model, const auto&... folder) {
    return annotate(model, options, folder...);
  });
  made.write(output);
  OutputRequest said = request.output;
  said.file.clear();
  write_output(said, summary(request.path, made, output, report::Style(use_color(said))));
  return kExitClean;
}

}  // namespace trtcheck::cli
