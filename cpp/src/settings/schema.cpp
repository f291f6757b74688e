// The JSON schema of a configuration file, made from the table of keys.
#include <trtcheck/settings.hpp>

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/tell_facts.hpp"
#include "report/envelope.hpp"
#include "settings/keys.hpp"

namespace trtcheck {
namespace {

using settings::Json;
using settings::Key;
using settings::Type;

/// A letter in either case, anything else as it is.
std::string either_case(char c) {
  if (c >= 'A' && c <= 'Z') return fmt::format("[{}{}]", c, static_cast<char>(c - 'A' + 'a'));
  return {c};
}

/// All prefixes of the codes that go on from `prefix`, as a regular expression behind it: "[Qq](?:[Dd](?:...)?)?".
std::string prefixes_from(const std::set<std::string>& codes, const std::string& prefix) {
  std::set<char> next;
  for (auto code = codes.lower_bound(prefix); code != codes.end() && code->starts_with(prefix); ++code) {
    if (code->size() > prefix.size()) next.insert((*code)[prefix.size()]);
  }
  std::string out;
  for (const char c : next) {
    const std::string rest = prefixes_from(codes, prefix + c);
    out += (out.empty() ? "" : "|") + either_case(c) + (rest.empty() ? "" : fmt::format("(?:{})?", rest));
  }
  return out;
}

/// Names and codes for editors to offer, and any other spelling of a code or a prefix.
Json rule_schema() {
  Json offered = Json::array();
  std::set<std::string> codes;
  std::set<std::string> families;
  for (const Rule* rule : all_rules()) {
    codes.emplace(rule->code);
    families.emplace(rule->code.substr(0, 3));
  }
  for (const std::string& family : families) offered.push_back(family);
  for (const std::string& code : codes) offered.push_back(code);
  for (const Rule* rule : all_rules()) offered.push_back(rule->name);
  std::set<std::string> facts;
  for (const facts::Fact& row : facts::all_facts()) {
    facts.insert(engine::code_of(row));
  }
  for (const std::string& fact : facts) offered.push_back(fact);
  return {{"type", "string"},
          {"description", "a rule code, a prefix of rule codes, or a rule name; after a colon one of the rule's facts"},
          {"anyOf",
           {{{"enum", std::move(offered)}},
            {{"pattern", fmt::format("^(?:{}|[A-Za-z0-9-]+:[a-z0-9-]+)$", prefixes_from(codes, ""))}}}}};
}

Json release_schema() {
  std::string releases;
  for (const TrtVersion release : known_releases()) {
    releases += fmt::format("{}{}\\.{}", releases.empty() ? "" : "|", release.major_version, release.minor_version);
  }
  for (const TrtVersion release : known_rtx_releases()) {
    for (const char c : "|" + to_string(release)) releases += c == '.' ? "\\." : std::string(1, c);
  }
  return {{"type", "string"}, {"pattern", fmt::format("^(?:latest|(?:{})(?:\\.\\d{{1,4}}){{0,2}})$", releases)}};
}

Json precision_schema() {
  std::string words;
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16, Precision::int8,
                                    Precision::fp8, Precision::int4, Precision::fp4}) {
    words += words.empty() ? "" : "|";
    for (const char c : to_string(precision))
      words += either_case(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  return {{"type", "string"}, {"pattern", fmt::format("^(?:{})$", words)}};
}

Json list_of(const Json& item) { return {{"anyOf", {item, {{"type", "array"}, {"items", item}}}}}; }

/// As they are written everywhere.
template <class Enumeration>
Json words_of(std::initializer_list<Enumeration> values) {
  Json words = Json::array();
  for (const Enumeration value : values) words.push_back(to_string(value));
  return words;
}

Json reference(std::string_view name) { return {{"$ref", fmt::format("#/$defs/{}", name)}}; }

Json table_of(const Json& names, const Json& values) {
  Json made{{"type", "object"}};
  if (!names.is_null()) made["propertyNames"] = names;
  made["additionalProperties"] = values;
  return made;
}

Json node_ignore_schema() {
  const Json rules{{"anyOf", {reference("rule"), {{"type", "array"}, {"items", reference("rule")}, {"minItems", 1}}}}};
  return {{"type", "object"},
          {"properties", {{"rules", rules}, {"reason", {{"type", "string"}, {"pattern", "[^ \\t\\r\\n]"}}}}},
          {"required", {"reason"}},
          {"additionalProperties", false}};
}

Json profile_schema() {
  const std::string shape = "(?:\\d{1,10}(?:x\\d{1,10})*)?";
  const std::string range = fmt::format("{}(?::{}:{})?", shape, shape, shape);
  return {{"anyOf",
           {table_of({{"minLength", 1}}, {{"type", "string"}, {"pattern", "^" + range + "$"}}),
            list_of({{"type", "string"}, {"pattern", fmt::format("^(?:.+={}|[^=]+:{})$", range, shape)}})}}};
}

Json type_schema(Type type) {
  switch (type) {
    case Type::release:
      return release_schema();
    case Type::capability:
      return {{"type", "string"}, {"pattern", "^(?:(?:sm_)?(?:[1-9]\\d{0,3}\\.\\d|[1-9]\\d{1,2})|.*[A-Za-z].*)$"}};
    case Type::fail_on:
      return {{"enum", words_of({FailOn::error, FailOn::warning, FailOn::info, FailOn::never})}};
    case Type::path:
      return {{"type", "string"}, {"minLength", 1}};
    case Type::boolean:
      return {{"type", "boolean"}};
    case Type::words:
      return list_of({{"type", "string"}});
    case Type::precisions:
      return list_of(precision_schema());
    case Type::rules:
      return list_of(reference("rule"));
    case Type::patterns:
      return list_of(reference("pattern"));
    case Type::profile:
      return profile_schema();
    case Type::severities:
      return table_of(reference("rule"), {{"enum", words_of({Severity::error, Severity::warning, Severity::info})}});
    case Type::rules_by_pattern:
      return table_of(
          {{"allOf", {reference("pattern"), {{"pattern", "^[^!]"}}}}},
          {{"anyOf", {reference("rule"), {{"type", "array"}, {"items", reference("rule")}, {"minItems", 1}}}}});
    case Type::node_ignores:
      return table_of({{"minLength", 1}}, node_ignore_schema());
  }
  return true;
}

Json key_schema(const Key& key) {
  Json made{{"description", key.help}};
  made.update(type_schema(key.type));
  // Not words of JSON Schema; the reference is made from them.
  made["x-default"] = key.fallback;
  made["x-option"] = key.option.name;
  made["x-example"] = key.example;
  made["x-type"] = settings::expected(key.type);
  return made;
}

}  // namespace

std::string settings_schema() {
  Json properties = Json::object();
  for (const Key& key : settings::all_keys()) properties[std::string(key.name)] = key_schema(key);
  const Json pattern{{"type", "string"},
                     {"description", "a pattern as in .gitignore"},
                     {"pattern", R"(^(?!#)(?!!?(?:.*/)?\.{1,2}(?:/|$))(?!.*//).*[^/!. ])"}};
  const Json document{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                      {"title", "Configuration of trtcheck: trtcheck.toml, or [tool.trtcheck] in pyproject.toml"},
                      {"type", "object"},
                      {"properties", std::move(properties)},
                      {"additionalProperties", false},
                      {"$defs", {{"rule", rule_schema()}, {"pattern", pattern}}}};
  return report::document_text(document);
}

}  // namespace trtcheck
