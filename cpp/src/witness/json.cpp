// The JSON document of data/confirm.schema.json. Findings are those of data/report.schema.json.
#include <algorithm>

#include "report/envelope.hpp"
#include "report/json_values.hpp"
#include "text/printable.hpp"
#include "witness/wording.hpp"

namespace trtcheck::witness {
namespace {

using report::Json;
using report::json_value;

/// "not_judged"
template <class Enumeration>
std::string word(Enumeration value) {
  std::string text(to_string(value));
  std::ranges::replace(text, ' ', '_');
  return text;
}

Json to_json(const WitnessMessage& message) {
  Json rules = Json::array();
  for (const MessageMatch& match : message.matches) {
    rules.push_back(
        {{"code", match.rule->code}, {"name", match.rule->name}, {"text", match.text}, {"op_type", match.op_type}});
  }
  return {{"text", valid_utf8(message.text)},
          {"stage", message.stage},
          {"node", valid_utf8(message.node)},
          {"op_type", valid_utf8(message.op_type)},
          {"graph", valid_utf8(message.graph)},
          {"module", valid_utf8(message.module)},
          {"source", json_value(message.source)},
          {"library", json_value(message.library)},
          {"rules", std::move(rules)},
          {"predicted", message.predicted}};
}

Json to_json(const Report& report) {
  return {{"target", to_string(report.target.release)},
          {"verdict", to_string(report.verdict())},
          {"nodes", report.node_count},
          {"suppressed", report.suppressed},
          {"findings", json_value(report.findings)}};
}

Json requested_json(const Confirmation& c) {
  if (!c.requested) return nullptr;
  Json made = to_json(*c.requested);
  made["asked"] = answers_for(c.witness, c.requested->target.release);
  return made;
}

Json to_json(const Witness& witness) {
  const std::optional<TrtVersion> branch = branch_of(witness);
  return {{"product", witness.product},
          {"release", witness.release},
          {"branch", branch ? Json(to_string(*branch)) : Json(nullptr)},
          {"library", valid_utf8(witness.library)},
          {"program", valid_utf8(witness.program)}};
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const Confirmation& c) {
  Json messages = Json::array(), warnings = Json::array(), profile = Json::array();
  for (const WitnessMessage& message : c.messages) messages.push_back(to_json(message));
  for (const std::string& warning : c.warnings) warnings.push_back(valid_utf8(warning));
  for (const ProfileInput& input : c.profile) {
    profile.push_back({{"name", valid_utf8(input.name)}, {"min", input.min}, {"opt", input.opt}, {"max", input.max}});
  }
  return {{"path", valid_utf8(c.path)},
          {"agreement", word(c.agreement)},
          {"testimony", word(c.testimony)},
          {"reason", valid_utf8(c.reason)},
          {"witness", to_json(c.witness)},
          {"prediction", to_json(c.report)},
          {"requested", requested_json(c)},
          {"messages", std::move(messages)},
          {"unlisted_messages", c.unlisted_messages},
          {"warnings", std::move(warnings)},
          {"unlisted_warnings", c.unlisted_warnings},
          {"profile", std::move(profile)},
          {"profile_proposed", c.profile_proposed},
          {"engine_bytes", or_null(c.engine_bytes)},
          {"parse_seconds", or_null(c.parse_seconds)},
          {"build_seconds", or_null(c.build_seconds)}};
}

}  // namespace

std::string render_json(std::span<const Confirmation> all, const RenderOptions& options) {
  Json models = Json::array();
  for (const Confirmation& confirmation : all) models.push_back(to_json(confirmation));
  return report::document_text(
      report::enveloped({{"models", std::move(models)}, {"failures", report::failures_json(options.failures)}}));
}

}  // namespace trtcheck::witness
