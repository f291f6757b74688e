// The document of data/one_report.schema.json.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "one_report/one_report.hpp"
#include "one_report/shapes_json.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

using Json = nlohmann::ordered_json;

/// Without the newline that a document ends with.
std::string member(std::string_view name, std::string_view document) {
  while (document.ends_with('\n')) document.remove_suffix(1);
  return fmt::format(",\n\"{}\": {}", name, document);
}

std::string head(const OneReport& one) {
  Json lines = Json::array();
  for (const std::string& line : one.not_looked) lines.push_back(valid_utf8(line));
  std::string out = Json{{"schema_version", 1},
                         {"trtcheck_version", version()},
                         {"path", valid_utf8(one.report.path)},
                         {"target", to_string(one.report.target.release)},
                         {"verdict", to_string(one.report.verdict())},
                         {"not_looked_at", std::move(lines)}}
                        .dump(2);
  out.erase(out.rfind('\n'));
  return out;
}

}  // namespace

void write_report_json(const Sink& sink, const OneReport& one) {
  const RenderOptions json{.format = Format::json};
  sink(head(one));
  sink(member("check", render({&one.report, 1}, json)));
  sink(member("matrix", render({&one.matrix, 1}, json)));
  sink(member("profile", render(one.profile, json)));
  sink(member("quantization", quantization_json(one.of).dump(2)));
  sink(member("types", types_json(one.of, one.casts).dump(2)));
  sink(",\n\"shapes\": ");
  Parts parts(sink);
  write_shapes_json(parts, one.of.model(), one.of.shapes());
  parts.text += "}\n";
  parts.pass();
}

}  // namespace trtcheck::one_report
