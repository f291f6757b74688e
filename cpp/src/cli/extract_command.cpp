// `trtcheck extract`: a part of a model, as a model of its own.
#include <span>
#include <string>

#include <fmt/format.h>

#include "cli/beside.hpp"
#include "cli/changed_model.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/extract_options.hpp"
#include "cli/open_model.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "report/envelope.hpp"
#include "report/json_values.hpp"
#include "report/style.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

void add_rows(Columns& columns, std::string_view word, std::span<const CutTensor> tensors) {
  for (const CutTensor& tensor : tensors) {
    columns.add({std::string(word), printable(tensor.name), printable(tensor.type), tensor.is_new ? "new" : ""});
  }
}

std::string part_text(const PartCounts& counts) {
  return counts_text(counts) + (counts.functions > 0 ? ", " + counted(counts.functions, "function") : "");
}

std::string extract_text(const ExtractRequest& request, const Extracted& part, const std::string& output,
                         const report::Style& style) {
  const ExtractPlan& plan = part.plan();
  using Align = Columns::Align;
  Columns columns({Align::left, Align::left, Align::left, Align::left});
  add_rows(columns, "input", plan.inputs);
  add_rows(columns, "output", plan.outputs);
  std::string out = fmt::format("{}\n{}", style.bold(printable(request.path)), columns.text());
  out += fmt::format("before: {}\nafter: {}\n", part_text(plan.before), part_text(plan.after));
  for (const std::string& note : plan.notes) out += fmt::format("note: {}\n", printable(note));
  return out + outcome_text(output, true) + "\n";
}

Json tensors_json(std::span<const CutTensor> tensors) {
  Json list = Json::array();
  for (const CutTensor& tensor : tensors) {
    list.push_back({{"name", valid_utf8(tensor.name)}, {"type", valid_utf8(tensor.type)}, {"is_new", tensor.is_new}});
  }
  return list;
}

std::string extract_json(const ExtractRequest& request, const Extracted& part, const std::string& output) {
  const ExtractPlan& plan = part.plan();
  return report::document_text(report::enveloped({{"path", valid_utf8(request.path)},
                                                  {"output", text_or_null(output)},
                                                  {"inputs", tensors_json(plan.inputs)},
                                                  {"outputs", tensors_json(plan.outputs)},
                                                  {"before", counts_json(plan.before)},
                                                  {"after", counts_json(plan.after)},
                                                  {"bytes", part.size()},
                                                  {"notes", report::json_value(plan.notes)}}));
}

}  // namespace

int run(const ExtractRequest& request) {
  if (is_text_form(request.path)) throw Error(request.path, "is a text form: a file of ONNX is required to be cut");
  if (request.path == "-") throw Error("<stdin>", "cannot be cut: a file is required");
  ExtractOptions options = request.options;
  options.shape_functions = shape_functions_of(request.config, request.overrides, request.path);
  const Extracted part = extract(request.path, options);
  std::string output;
  if (!request.only_shows) {
    output = place_of_changed(request.path, false, request.output, "extracted");
    part.write(output, request.data);
  }
  const OutputRequest how{
      .format = request.is_json ? Format::json : Format::full, .file = {}, .no_color = request.no_color};
  write_output(how, request.is_json ? extract_json(request, part, output)
                                    : extract_text(request, part, output, report::Style(use_color(how))));
  return kExitClean;
}

}  // namespace trtcheck::cli
