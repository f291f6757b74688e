// SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). Numbers in brackets are its sections. No time stamps
// and no absolute root: the same findings give the same bytes (appendix F).
#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <trtcheck/version.hpp>

#include "report/envelope.hpp"
#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/identity.hpp"
#include "report/places.hpp"
#include "report/sarif_rules.hpp"
#include "report/wording.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

constexpr std::string_view kRoot = "SRCROOT";
constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// In messages braces stand for themselves only when doubled [3.11.5], and "[a](b)" is a link [3.11.6].
std::string literal(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '{' || text[i] == '}') out += text[i];
    if (text[i] == ']' && i + 1 < text.size() && text[i + 1] == '(') out += ' ';
  }
  return out;
}

Json plain_message(std::string_view text) { return {{"text", literal(printable(text))}}; }

Json message(const Report& report, const Finding& finding, const Places& places) {
  std::string text = literal(printable(finding.message));
  std::string markdown = literal(markdown_spans(finding.message));
  for (const Fact& fact : facts(report, finding, places)) {
    if (fact.label == "model" || fact.label == "line") continue;  // said by the location
    text += fmt::format("\n{}: {}", fact.label, literal(printable(fact.text)));
    markdown += fmt::format("\n- {}: {}", fact.label, literal(markdown_spans(fact.text)));
  }
  return {{"text", std::move(text)}, {"markdown", std::move(markdown)}};
}

/// Every file that a result names, once.
class Artifacts {
 public:
  explicit Artifacts(const Places& places) : places_(&places) {}

  [[nodiscard]] Json location(const std::string& path) {
    const auto [entry, added] = index_.try_emplace(path, list_.size());
    Json out{{"uri", uri_reference(path)}};
    if (!path.starts_with('/')) out["uriBaseId"] = kRoot;
    if (added) list_.push_back({{"location", out}});
    out["index"] = entry->second;
    return out;
  }
  void add_model(const Report& report) {
    if (report.path.empty()) return;
    Json& entry = list_.at(location(places_->path(report.path))["index"].get<std::size_t>());
    entry["roles"] = Json::array({"analysisTarget"});
    entry["properties"] = {{"target", to_string(report.target.release)},
                           {"verdict", to_string(report.verdict())},
                           {"nodes", report.node_count},
                           {"suppressed", report.suppressed}};
  }
  [[nodiscard]] Json source(const std::string& path) {
    Json out = location(path);
    list_.at(out["index"].get<std::size_t>())["sourceLanguage"] = "python";
    return out;
  }
  [[nodiscard]] Json take() { return std::move(list_); }

 private:
  const Places* places_;
  std::map<std::string, std::size_t> index_;
  Json list_ = Json::array();
};

Json logical(const std::string& graph, const std::string& node, std::string_view kind) {
  return {{"name", valid_utf8(node)},
          {"fullyQualifiedName", valid_utf8(graph.empty() ? node : graph + ":" + node)},
          {"kind", kind}};
}

Json logical_locations(const Finding& finding) {
  Json out = Json::array();
  if (!finding.node.empty()) {
    out.push_back(logical(finding.graph, finding.node, "node"));
  } else if (!finding.value.empty()) {
    out.push_back(logical(finding.graph, finding.value, "value"));
  } else if (!finding.graph.empty()) {
    out.push_back(logical("", finding.graph, "graph"));
  }
  if (!finding.module.empty()) out.push_back(logical("", finding.module, "module"));
  return out;
}

class Run {
 public:
  Run(std::span<const Report> reports, const RenderOptions& options)
      : places_(options), artifacts_(places_), rules_(reports) {
    for (const Report& report : reports) {
      artifacts_.add_model(report);
      for (const Finding& finding : report.findings) results_.push_back(result(report, finding));
      for (const Suppressed& entry : report.suppressions) {
        results_.push_back(result(report, entry.finding));
        results_.back()["suppressions"] = Json::array({suppression(entry)});
      }
    }
    for (const Failure& failure : options.failures) notifications_.push_back(notification(failure));
    rule_pages_ = options.rule_pages;
  }

  [[nodiscard]] Json document() {
    const Json driver{{"name", "trtcheck"},
                      {"version", version()},
                      {"semanticVersion", version()},
                      {"rules", rules_.descriptors(rule_pages_)}};
    const Json invocation{{"executionSuccessful", notifications_.empty()},
                          {"toolExecutionNotifications", notifications_}};
    const Json root{{"description", {{"text", "the folder of the repository, or where trtcheck was started"}}}};
    const Json run{{"tool", {{"driver", driver}}},          {"invocations", Json::array({invocation})},
                   {"originalUriBaseIds", {{kRoot, root}}}, {"artifacts", artifacts_.take()},
                   {"columnKind", "unicodeCodePoints"},     {"results", std::move(results_)}};
    return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  }

 private:
  /// GitHub shows nothing without a line, so the file that has none gets the first one.
  [[nodiscard]] Json model_location(const Report& report) {
    if (report.path.empty()) return nullptr;
    return {{"artifactLocation", artifacts_.location(places_.path(report.path))}, {"region", {{"startLine", 1}}}};
  }

  /// The line of the PyTorch program, else the model.
  [[nodiscard]] Json physical(const Report& report, const std::optional<SourceLocation>& source) {
    Json out = Json::object();
    if (source && source->line > 0 && !source->file.empty()) {
      Json region{{"startLine", source->line}};
      if (!source->code.empty()) region["snippet"] = {{"text", valid_utf8(source->code)}};
      out["physicalLocation"] = {{"artifactLocation", artifacts_.source(places_.path(source->file))},
                                 {"region", std::move(region)}};
    } else if (Json model = model_location(report); !model.is_null()) {
      out["physicalLocation"] = std::move(model);
    }
    return out;
  }

  [[nodiscard]] Json location(const Report& report, const Finding& finding) {
    Json out = physical(report, finding.source);
    if (Json where = logical_locations(finding); !where.empty()) out["logicalLocations"] = std::move(where);
    return out;
  }

  [[nodiscard]] Json note_location(const Report& report, const Finding& finding, const Note& note) {
    Json out = physical(report, note.source);
    out["message"] = plain_message(note_text(finding, note));
    if (!note.node.empty()) out["logicalLocations"] = Json::array({logical(finding.graph, note.node, "node")});
    return out;
  }

  /// The chain from its cause to the victim, as a path through the model [3.36].
  [[nodiscard]] Json code_flow(const Report& report, const Finding& finding) {
    Json steps = Json::array();
    for (const Note& note : finding.notes) steps.push_back({{"location", note_location(report, finding, note)}});
    Json end = location(report, finding);
    end["message"] = plain_message(finding.message);
    steps.push_back({{"location", std::move(end)}});
    const Json thread{{"locations", std::move(steps)}};
    return {{"threadFlows", Json::array({thread})}};
  }

  /// The model when the place is a line of Python, the line of the library, each node of the chain, what to change.
  [[nodiscard]] Json related(const Report& report, const Finding& finding) {
    Json out = Json::array();
    if (Json model = model_location(report); finding.source && !model.is_null()) {
      out.push_back({{"physicalLocation", std::move(model)}, {"message", {{"text", "the model"}}}});
    }
    if (finding.library) {
      out.push_back(physical(report, finding.library));
      out.back()["message"] = {{"text", "the line of the library"}};
    }
    for (const Note& note : finding.notes) {
      if (!note.node.empty()) out.push_back(note_location(report, finding, note));
    }
    if (finding.fix && !finding.fix->node.empty()) {
      out.push_back(physical(report, finding.fix->source));
      out.back()["message"] = plain_message("fix: " + finding.fix->title);
      out.back()["logicalLocations"] = Json::array({logical(finding.graph, finding.fix->node, "node")});
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i]["id"] = i;
    return out;
  }

  [[nodiscard]] static Json properties(const Report& report, const Finding& finding) {
    Json out{{"certainty", to_string(finding.certainty)}, {"target", to_string(report.target.release)}};
    if (!finding.fact.empty()) out["fact"] = finding.fact;
    if (!finding.group.empty()) out["group"] = finding.group;
    if (!finding.op_type.empty()) out["opType"] = valid_utf8(finding.op_type);
    if (!finding.value.empty()) out["value"] = valid_utf8(finding.value);
    for (const std::string& input : finding.signature) out["signature"].push_back(valid_utf8(input));
    for (const std::string& source : finding.evidence) out["evidence"].push_back(valid_utf8(source));
    if (finding.fix) {
      out["fix"] = {{"description", valid_utf8(finding.fix->title)},
                    {"applicability", to_string(finding.fix->applicability)}};
    }
    for (const Finding& next : finding.consequences) {
      out["consequences"].push_back({{"ruleId", sarif_rule_id(*next.rule, next.fact)},
                                     {"level", sarif_level(next.severity)},
                                     {"message", valid_utf8(next.message)},
                                     {"node", valid_utf8(next.node)}});
    }
    return out;
  }

  [[nodiscard]] Json result(const Report& report, const Finding& finding) {
    const std::string path = places_.path(report.path);
    Json out{{"ruleId", sarif_rule_id(*finding.rule, finding.fact)},
             {"ruleIndex", rules_.index(finding)},
             {"level", sarif_level(finding.severity)},
             {"message", message(report, finding, places_)},
             {"locations", Json::array({location(report, finding)})},
             // GitHub compares runs by the second one only; without it, it would hash a line of the binary file.
             {"partialFingerprints",
              {{"trtcheck/v1", structural_identity(finding)},
               {"primaryLocationLineHash", identities_.next(path, finding)}}}};
    if (Json places = related(report, finding); !places.empty()) out["relatedLocations"] = std::move(places);
    if (finding.notes.size() > 1) out["codeFlows"] = Json::array({code_flow(report, finding)});
    out["properties"] = properties(report, finding);
    return out;
  }

  [[nodiscard]] static Json suppression(const Suppressed& entry) {
    Json out{{"kind", entry.by == Suppressed::By::model || entry.by == Suppressed::By::node ? "inSource" : "external"},
             {"status", "accepted"}};
    if (!entry.reason.empty()) out["justification"] = valid_utf8(entry.reason);
    out["properties"] = {{"by", to_string(entry.by)}};
    return out;
  }

  [[nodiscard]] Json notification(const Failure& failure) {
    Json out{{"level", "error"}, {"message", plain_message(failure.cause)}};
    if (failure.path.empty()) return out;
    const Json file{{"artifactLocation", artifacts_.location(places_.path(failure.path))}};
    const Json where{{"physicalLocation", file}};
    out["locations"] = Json::array({where});
    return out;
  }

  Places places_;
  Artifacts artifacts_;
  SarifRules rules_;
  Identities identities_;
  Json results_ = Json::array();
  Json notifications_ = Json::array();
  std::string rule_pages_;
};

}  // namespace

std::string render_sarif(std::span<const Report> reports, const RenderOptions& options) {
  return document_text(Run(reports, options).document());
}

}  // namespace trtcheck::report
