// `trtcheck support`: what TensorRT asks of operators.
#include "cli/commands.hpp"
#include "cli/operator_facts.hpp"
#include "cli/support_options.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {

int run(const SupportRequest& request) {
  const report::Style style(use_color(request.output));
  switch (request.output.format) {
    case Format::json:
      write_output(request.output, operators_json(request.ops));
      break;
    case Format::concise:
      write_output(request.output, operators_table(request.ops, report::Style(false)));
      break;
    default:
      write_output(request.output, request.lists_all ? operators_table(request.ops, style)
                                                     : operators_text(request.ops, {style, request.verbose}));
      break;
  }
  return kExitClean;
}

}  // namespace trtcheck::cli
