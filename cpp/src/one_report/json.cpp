// The document of data/one_report.schema.json.
#include <fmt/core.h>

#include "one_report/one_report.hpp"
#include "one_report/shapes_listing.hpp"
#include "report/envelope.hpp"
#include "text/printable.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::one_report {
namespace {

using report::document_text;
using report::Json;

/// Without the newline that a document ends with.
std::string member(std::string_view name, std::string_view document) {
  while (document.ends_with('\n')) document.remove_suffix(1);
  return fmt::format(",\n\"{}\": {}", name, document);
}

std::string head(const OneReport& one) {
  Json lines = Json::array();
  for (const std::string& line : one.not_looked) lines.push_back(valid_utf8(line));
  return report::open_document(report::enveloped({{"path", valid_utf8(one.report.path)},
                                                  {"target", to_string(one.report.target.release)},
                                                  {"verdict", to_string(one.report.verdict())},
                                                  {"not_looked_at", std::move(lines)}}));
}

}  // namespace

void write_report_json(const Sink& sink, const OneReport& one) {
  const RenderOptions json{.format = Format::json};
  sink(head(one));
  sink(member("check", render({&one.report, 1}, json)));
  sink(member("matrix", render({&one.matrix, 1}, json)));
  sink(member("profile", render(one.profile, json)));
  sink(member("quantization", document_text(quantization_json(one.of))));
  sink(member("types", document_text(types_json(one.of, one.casts))));
  sink(",\n\"shapes\": ");
  Parts parts(sink);
  write_shapes_json(parts, list_shapes(one.of.model(), one.of.shapes(),
                                       {.infer = inference_options(one.of.model(), one.of.target())}));
  parts.text += "}\n";
  parts.pass();
}

}  // namespace trtcheck::one_report
