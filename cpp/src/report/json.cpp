// The JSON document of data/report.schema.json, and its lines. Keys are never left out; what is not known is "" or
// null.
#include <nlohmann/json.hpp>
#include <optional>

#include <trtcheck/trtcheck.hpp>

#include "report/formats.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

// A fold in a fold is possible, but the reader of a graph limits its depth; this only keeps recursion bounded.
constexpr int kMaxFoldDepth = 16;

std::string_view word(Neighbourhood::Kind kind) {
  switch (kind) {
    case Neighbourhood::Kind::node:
      return "node";
    case Neighbourhood::Kind::input:
      return "input";
    case Neighbourhood::Kind::initializer:
      return "initializer";
    case Neighbourhood::Kind::output:
      return "output";
    case Neighbourhood::Kind::more:
      return "more";
  }
  return "?";
}

std::string_view word(Neighbourhood::Role role) {
  switch (role) {
    case Neighbourhood::Role::plain:
      return "plain";
    case Neighbourhood::Role::culprit:
      return "culprit";
    case Neighbourhood::Role::victim:
      return "victim";
  }
  return "?";
}

Json to_json(const SourceLocation& source) {
  return {{"file", valid_utf8(source.file)},
          {"line", source.line},
          {"function", valid_utf8(source.function)},
          {"code", valid_utf8(source.code)}};
}

Json to_json(const std::optional<SourceLocation>& source) { return source ? to_json(*source) : Json(nullptr); }

Json to_json(const Note& note) {
  return {{"message", valid_utf8(note.message)},
          {"node", valid_utf8(note.node)},
          {"source", to_json(note.source)},
          {"library", to_json(note.library)}};
}

Json to_json(const std::optional<Fix>& fix) {
  if (!fix) return nullptr;
  return {{"title", valid_utf8(fix->title)},
          {"applicability", to_string(fix->applicability)},
          {"node", valid_utf8(fix->node)},
          {"source", to_json(fix->source)},
          {"library", to_json(fix->library)}};
}

Json to_json(const Neighbourhood& around) {
  if (around.empty()) return nullptr;
  Json nodes = Json::array();
  for (const Neighbourhood::Node& node : around.nodes) {
    nodes.push_back({{"kind", word(node.kind)},
                     {"role", word(node.role)},
                     {"op_type", valid_utf8(node.op_type)},
                     {"name", valid_utf8(node.name)}});
  }
  Json edges = Json::array();
  for (const Neighbourhood::Edge& edge : around.edges) {
    edges.push_back({{"from", edge.from},
                     {"to", edge.to},
                     {"value", valid_utf8(edge.value)},
                     {"type", valid_utf8(edge.type)},
                     {"at_fault", edge.at_fault},
                     {"contents", valid_utf8(edge.contents)}});
  }
  return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

Json texts(const std::vector<std::string>& list) {
  Json out = Json::array();
  for (const std::string& text : list) out.push_back(valid_utf8(text));
  return out;
}

Json to_json(const Finding& finding, int depth) {
  Json notes = Json::array();
  for (const Note& note : finding.notes) notes.push_back(to_json(note));
  Json consequences = Json::array();
  if (depth < kMaxFoldDepth) {
    for (const Finding& consequence : finding.consequences) consequences.push_back(to_json(consequence, depth + 1));
  }
  return {{"code", finding.rule->code},
          {"name", finding.rule->name},
          {"fact", finding.fact},
          {"severity", to_string(finding.severity)},
          {"certainty", to_string(finding.certainty)},
          {"message", valid_utf8(finding.message)},
          {"node", valid_utf8(finding.node)},
          {"op_type", valid_utf8(finding.op_type)},
          {"graph", valid_utf8(finding.graph)},
          {"value", valid_utf8(finding.value)},
          {"signature", texts(finding.signature)},
          {"source", to_json(finding.source)},
          {"library", to_json(finding.library)},
          {"module", valid_utf8(finding.module)},
          {"notes", std::move(notes)},
          {"fix", to_json(finding.fix)},
          {"evidence", texts(finding.evidence)},
          {"fingerprint", valid_utf8(finding.fingerprint)},
          {"neighbourhood", to_json(finding.neighbourhood)},
          {"consequences", std::move(consequences)}};
}

Json to_json(const Unlisted& unlisted) {
  return {{"code", unlisted.rule->code},
          {"name", unlisted.rule->name},
          {"severity", to_string(unlisted.severity)},
          {"count", unlisted.count}};
}

Json to_json(const Report& report) {
  Json unlisted = Json::array();
  for (const Unlisted& each : report.unlisted) unlisted.push_back(to_json(each));
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(to_json(finding, 0));
  Json suppressions = Json::array();
  for (const Suppressed& entry : report.suppressions) {
    suppressions.push_back(
        {{"by", to_string(entry.by)}, {"reason", valid_utf8(entry.reason)}, {"finding", to_json(entry.finding, 0)}});
  }
  return {{"path", valid_utf8(report.path)},        {"target", to_string(report.target.release)},
          {"verdict", to_string(report.verdict())}, {"node_count", report.node_count},
          {"findings", std::move(findings)},        {"unlisted", std::move(unlisted)},
          {"suppressed", report.suppressed},        {"suppressions", std::move(suppressions)},
          {"unmatched", texts(report.unmatched)}};
}

Json to_json(const Failure& failure) {
  return {{"path", valid_utf8(failure.path)}, {"cause", valid_utf8(failure.cause)}};
}

/// Each line says for itself what it is, so that lines of several runs can be put together. ASCII only: to some readers
/// U+0085 and U+2028 end a line, too.
std::string line(Json body) {
  Json out{{"schema_version", kSchemaVersion}, {"trtcheck_version", version()}};
  out.update(body);
  return out.dump(-1, ' ', true) + "\n";
}

}  // namespace

std::string render_json(std::span<const Report> reports, const RenderOptions& options) {
  Json models = Json::array();
  for (const Report& report : reports) models.push_back(to_json(report));
  Json failures = Json::array();
  for (const Failure& failure : options.failures) failures.push_back(to_json(failure));
  const Json document{{"schema_version", kSchemaVersion},
                      {"trtcheck_version", version()},
                      {"models", std::move(models)},
                      {"failures", std::move(failures)}};
  return document.dump(2) + "\n";
}

std::string render_jsonl(std::span<const Report> reports, const RenderOptions& options) {
  std::string out;
  for (const Report& report : reports) out += line(to_json(report));
  for (const Failure& failure : options.failures) out += line(to_json(failure));
  return out;
}

}  // namespace trtcheck::report
