// `trtcheck partition`: the pieces that TensorRT would run of a model that it does not accept as a whole.
#include <algorithm>
#include <span>

#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/open_model.hpp"
#include "cli/partition_options.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {

int run(const PartitionRequest& request) {
  if (!request.folder.empty()) {
    if (is_text_form(request.path)) throw Error(request.path, "is a text form: a file of ONNX is required to be cut");
    if (request.path == "-") throw Error("<stdin>", "cannot be cut: a file is required");
  }
  const SettingsResolver resolver(request.config, request.overrides);
  PartitionOptions options = request.options;
  options.check = resolver.for_model(request.path).check;
  const Model model = open_model(request.path, options.check.limits);
  PartitionReport report = told_of(request.path, [&] { return partition(model, options); });
  if (!request.folder.empty()) write_pieces(request.path, report, request.folder, options.check);
  const RenderOptions how{.format = request.output.format, .color = use_color(request.output)};
  write_output(request.output, render(report, how), std::span(&request.path, 1));
  const bool is_whole =
      report.refused.empty() && report.whole_model.empty() &&
      std::ranges::all_of(report.pieces, [](const GraphPiece& piece) { return piece.runs && piece.not_built.empty(); });
  return is_whole ? kExitClean : kExitFindings;
}

}  // namespace trtcheck::cli
