// `trtcheck reduce`: the smallest part of a model that still has a finding.
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "cli/beside.hpp"
#include "cli/changed_model.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/interrupts.hpp"
#include "cli/open_model.hpp"
#include "cli/output.hpp"
#include "cli/reduce_options.hpp"
#include "cli/terminal.hpp"
#include "report/envelope.hpp"
#include "report/style.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What a reader wants to know of the result: where it is, whether it is whole.
struct ReducedFile {
  const Reduced& reduced;
  std::string path;
  std::string output;
  std::string report;
};

std::string finding_line(const Finding& finding, const report::Style& style) {
  const std::string at = place_text(finding.op_type, finding.node);
  return fmt::format("{} {}{}: {}\n", style.severity(finding.severity, to_string(finding.severity)), finding.rule->code,
                     at, printable(finding.message));
}

std::string reduce_text(const ReducedFile& file, const report::Style& style) {
  const Reduced& reduced = file.reduced;
  std::string out = style.bold(printable(file.path)) + "\n";
  if (const Finding* finding = reduced.finding()) out += finding_line(*finding, style);
  for (const std::string& node : reduced.nodes()) out += "  " + printable(node) + "\n";
  out += fmt::format("before: {}\nafter: {}, found in {}\n", counts_text(reduced.before()),
                     counts_text(reduced.after()), counted(reduced.steps(), "step"));
  for (const std::string& note : reduced.notes()) out += fmt::format("note: {}\n", printable(note));
  if (reduced.is_partial()) out += "note: the run was interrupted: a smaller model may exist (partial)\n";
  out += outcome_text(file.output, true) + "\n";
  if (!file.report.empty()) out += fmt::format("bug report in {}\n", printable(file.report));
  return out;
}

Json short_finding_json(const Finding* finding) {
  if (finding == nullptr) return nullptr;
  return {{"code", finding->rule->code},
          {"name", finding->rule->name},
          {"fact", finding->fact},
          {"severity", to_string(finding->severity)},
          {"message", valid_utf8(finding->message)},
          {"node", valid_utf8(finding->node)},
          {"op_type", valid_utf8(finding->op_type)}};
}

Json texts_json(std::span<const std::string> texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(valid_utf8(text));
  return list;
}

std::string reduce_json(const ReducedFile& file) {
  const Reduced& reduced = file.reduced;
  return report::document_text(report::enveloped({{"path", valid_utf8(file.path)},
                                                  {"output", text_or_null(file.output)},
                                                  {"report", text_or_null(file.report)},
                                                  {"finding", short_finding_json(reduced.finding())},
                                                  {"nodes", texts_json(reduced.nodes())},
                                                  {"before", counts_json(reduced.before())},
                                                  {"after", counts_json(reduced.after())},
                                                  {"steps", reduced.steps()},
                                                  {"is_partial", reduced.is_partial()},
                                                  {"bytes", reduced.size()},
                                                  {"notes", texts_json(reduced.notes())}}));
}

}  // namespace

int run(const ReduceRequest& request) {
  if (is_text_form(request.path)) throw Error(request.path, "is a text form: a file of ONNX is required to be reduced");
  if (request.path == "-") throw Error("<stdin>", "cannot be reduced: a file is required");
  const SettingsResolver resolver(request.config, request.overrides);
  ReduceOptions options = request.options;
  options.check = settings_of(resolver, Source(request.path)).check;
  options.check.ranges.reset();
  const GracefulInterrupts interrupts;
  options.cancelled = [&interrupts] { return interrupts.signal() != 0; };
  std::optional<Reduced> made;
  try {
    made = reduce(request.path, options);
  } catch (const Error&) {
    if (interrupts.signal() == 0) throw;
    complain(interrupted_text(interrupts.signal()) + ": nothing was written");
    return exit_code_of(interrupts.signal());
  }
  const Reduced& reduced = *made;
  const std::string output = place_of_changed(request.path, false, request.output, "reduced");
  // A folder elsewhere cannot name the data, and names of files are words of the model.
  reduced.write(output, options.anonymous ? edit::DataPlace::copied : edit::DataPlace::kept);
  if (!request.report.empty()) reduced.write_report(request.report);
  const OutputRequest how{
      .format = request.is_json ? Format::json : Format::full, .file = {}, .no_color = request.no_color};
  const ReducedFile file{reduced, request.path, output, request.report};
  write_output(how, request.is_json ? reduce_json(file) : reduce_text(file, report::Style(use_color(how))));
  if (!reduced.is_partial()) return kExitClean;
  complain(interrupted_text(interrupts.signal()) + ": the smallest model so far was written (partial)");
  return exit_code_of(interrupts.signal());
}

}  // namespace trtcheck::cli
