// `trtcheck memory`: weights, inputs and outputs, and the activations that live at the same time.
#include <span>

#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/memory_options.hpp"
#include "cli/open_model.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {

int run(const MemoryRequest& request) {
  MemoryOptions options = request.options;
  options.target.shape_functions = shape_functions_of(request.config, request.overrides, request.path);
  const Model model = open_model(request.path);
  const MemoryReport report = told_of(request.path, [&] { return memory(model, options); });
  const RenderOptions how{.format = request.output.format, .color = use_color(request.output)};
  write_output(request.output, render(report, how), std::span(&request.path, 1));
  return kExitClean;
}

}  // namespace trtcheck::cli
