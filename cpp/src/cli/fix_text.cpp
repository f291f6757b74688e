#include "cli/fix_text.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "cli/changed_model.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"
#include "witness/wording.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const std::string& code, const std::string& fact) {
  return fact.empty() ? code : code + ":" + fact;
}

std::string place_of(const AppliedCure& applied) {
  std::string place = place_text(applied.op_type, applied.node);
  if (applied.source) place += fmt::format(" ({}:{})", printable(applied.source->file), applied.source->line);
  return place;
}

std::string applied_text(const AppliedCure& applied, const report::Style& style, bool shows_nodes) {
  const std::string asked_by = applied.code.empty() ? applied.cure : name_of(applied.code, applied.fact);
  std::string out = fmt::format("  {}{}\n    {} ({})\n", style.bold(asked_by), place_of(applied),
                                style.remedy(printable(applied.title)), to_string(applied.kind));
  return shows_nodes ? out + changed_lines(applied.before, applied.after, style) : out;
}

std::string left_text(const LeftFinding& left, const report::Style& style) {
  const std::string node = left.node.empty() ? "" : fmt::format(" at `{}`", printable(left.node));
  return fmt::format("  {}{}: {}\n    {}\n", style.severity(left.severity, name_of(left.code, left.fact)), node,
                     printable(left.message), printable(left.reason));
}

Json counts_json(const Report& report) {
  return {{"verdict", to_string(report.verdict())},
          {"errors", report.count(Severity::error)},
          {"warnings", report.count(Severity::warning)}};
}

/// "not_judged" of "not judged", as `confirm` has it.
std::string key_of(std::string_view words) {
  std::string key(words);
  std::ranges::replace(key, ' ', '_');
  return key;
}

Json confirmation_json(const std::optional<Confirmation>& confirmation) {
  if (!confirmation) return nullptr;
  return {{"product", confirmation->witness.product},
          {"release", confirmation->witness.release},
          {"testimony", key_of(to_string(confirmation->testimony))},
          {"agreement", key_of(to_string(confirmation->agreement))},
          {"reason", valid_utf8(confirmation->reason)}};
}

}  // namespace

std::string counts_of(const Report& report) {
  return fmt::format("{}, {} and {}", to_string(report.verdict()), counted(report.count(Severity::error), "error"),
                     counted(report.count(Severity::warning), "warning"));
}

std::string confirmation_of(const FixedFile& file) {
  return file.confirmation ? printable(witness::outcome_text(*file.confirmation)) : "";
}

std::string fix_text(const FixedFile& file, const report::Style& style, bool shows_nodes) {
  const Fixed& fixed = file.fixed;
  std::string out = fmt::format("{}: {} for {}\n", style.bold(printable(file.path)),
                                counted(fixed.applied().size(), "repair"), full_name(fixed.before().target.release));
  for (const AppliedCure& applied : fixed.applied()) out += applied_text(applied, style, shows_nodes);
  if (!fixed.left().empty()) out += fmt::format("not repaired: {}\n", counted(fixed.left().size(), "finding"));
  for (const LeftFinding& left : fixed.left()) out += left_text(left, style);
  const Report& after = file.written ? *file.written : fixed.after();
  out += fmt::format("before: {}\nafter: {}\n", counts_of(fixed.before()),
                     style.verdict(after.verdict(), counts_of(after)));
  out += outcome_text(file.output, fixed.is_changed()) + "\n";
  if (file.confirmation) out += fmt::format("{} says: {}\n", file.confirmation->witness.product, confirmation_of(file));
  return out;
}

nlohmann::ordered_json fix_json(const FixedFile& file) {
  Json applied = Json::array();
  for (const AppliedCure& one : file.fixed.applied()) {
    Json source = nullptr;
    if (one.source) source = {{"file", valid_utf8(one.source->file)}, {"line", one.source->line}};
    applied.push_back({{"cure", one.cure},
                       {"class", to_string(one.kind)},
                       {"title", valid_utf8(one.title)},
                       {"code", text_or_null(one.code)},
                       {"fact", text_or_null(one.fact)},
                       {"message", text_or_null(one.message)},
                       {"node", text_or_null(one.node)},
                       {"op_type", text_or_null(one.op_type)},
                       {"graph", text_or_null(one.graph)},
                       {"source", std::move(source)},
                       {"before", one.before},
                       {"after", one.after},
                       {"round", one.round}});
  }
  Json left = Json::array();
  for (const LeftFinding& one : file.fixed.left()) {
    left.push_back({{"code", one.code},
                    {"fact", text_or_null(one.fact)},
                    {"severity", to_string(one.severity)},
                    {"message", valid_utf8(one.message)},
                    {"node", text_or_null(one.node)},
                    {"reason", valid_utf8(one.reason)},
                    {"cure", text_or_null(one.cure)}});
  }
  return {{"path", valid_utf8(file.path)},
          {"output", text_or_null(file.output)},
          {"release", to_string(file.fixed.before().target.release)},
          {"before", counts_json(file.fixed.before())},
          {"after", counts_json(file.written ? *file.written : file.fixed.after())},
          {"confirmation", confirmation_json(file.confirmation)},
          {"applied", std::move(applied)},
          {"left", std::move(left)}};
}

std::string cures_text(const report::Style& style) {
  std::string out;
  for (const CureInfo& cure : all_cures()) {
    out += fmt::format("{} ({})\n  {}\n  repairs: {}\n", style.bold(cure.name), to_string(cure.kind), cure.summary,
                       fmt::join(cure.findings, ", "));
  }
  return out;
}

nlohmann::ordered_json cures_json() {
  Json list = Json::array();
  for (const CureInfo& cure : all_cures()) {
    list.push_back(
        {{"name", cure.name}, {"class", to_string(cure.kind)}, {"summary", cure.summary}, {"findings", cure.findings}});
  }
  return list;
}

}  // namespace trtcheck::cli
