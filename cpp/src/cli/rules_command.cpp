// `trtcheck rules`: printed from the descriptors alone.
#include "cli/commands.hpp"
#include "cli/rule_documents.hpp"
#include "cli/rules_options.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {
int run(const RulesRequest& request) {
  const std::vector<const Rule*>& rules = request.rules;
  switch (request.output.format) {
    case Format::json:
      write_output(request.output, json_document(rules));
      break;
    case Format::concise:
      write_output(request.output, concise(rules));
      break;
    default:
      write_output(request.output,
                   rule_table(rules, report::Style(use_color(request.output)), text_width(request.output)));
      break;
  }
  return kExitClean;
}

}  // namespace trtcheck::cli
