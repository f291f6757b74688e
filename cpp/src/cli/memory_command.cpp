// `trtcheck memory`: weights, inputs and outputs, and the activations that live at the same time.
#include <span>

#include "cli/commands.hpp"
#include "cli/memory_options.hpp"
#include "cli/open_model.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {

int run(const MemoryRequest& request) {
  const Model model = open_model(request.path);
  const MemoryReport report = told_of(request.path, [&] { return memory(model, request.options); });
  const RenderOptions how{.format = request.output.format, .color = use_color(request.output)};
  write_output(request.output, render(report, how), std::span(&request.path, 1));
  return kExitClean;
}

}  // namespace trtcheck::cli
