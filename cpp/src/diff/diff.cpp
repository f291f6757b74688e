#include <trtcheck/diff.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "diff/interface.hpp"
#include "diff/shapes.hpp"
#include "report/unlisted.hpp"

namespace trtcheck {
namespace {

using Key = std::pair<std::string_view, Severity>;

void flatten_into(const std::vector<Finding>& findings, std::vector<const Finding*>& flat) {
  for (const Finding& finding : findings) {
    flat.push_back(&finding);
    flatten_into(finding.consequences, flat);
  }
}

/// Consequences too, the most severe first.
std::vector<const Finding*> flat(const Report& report) {
  std::vector<const Finding*> made;
  flatten_into(report.findings, made);
  std::ranges::stable_sort(made, [](const Finding* a, const Finding* b) { return a->severity > b->severity; });
  return made;
}

Key key_of(const Finding& finding) { return {finding.fingerprint, finding.severity}; }

std::map<Key, std::size_t> count_by_key(const std::vector<const Finding*>& findings) {
  std::map<Key, std::size_t> counts;
  for (const Finding* finding : findings) ++counts[key_of(*finding)];
  return counts;
}

Finding alone(const Finding& finding) {
  Finding copy = finding;
  copy.consequences.clear();
  return copy;
}

/// Those that `others` has too, as often as it has them, and the rest.
std::pair<std::vector<Finding>, std::vector<Finding>> split(const std::vector<const Finding*>& findings,
                                                            std::map<Key, std::size_t> others) {
  std::pair<std::vector<Finding>, std::vector<Finding>> made;
  for (const Finding* finding : findings) {
    const auto other = others.find(key_of(*finding));
    const bool is_common = other != others.end() && other->second > 0;
    if (is_common) --other->second;
    (is_common ? made.first : made.second).push_back(alone(*finding));
  }
  return made;
}

DiffSide side_of(const Report& report) {
  return {report.path, report.target.release, report.verdict(), report.node_count, report.suppressed};
}

}  // namespace

std::string_view to_string(InterfaceChange::Kind kind) noexcept {
  switch (kind) {
    case InterfaceChange::Kind::input:
      return "input";
    case InterfaceChange::Kind::output:
      return "output";
    case InterfaceChange::Kind::input_order:
      return "order of inputs";
    case InterfaceChange::Kind::output_order:
      return "order of outputs";
    case InterfaceChange::Kind::opset:
      return "opset";
    case InterfaceChange::Kind::ir_version:
      return "IR version";
    case InterfaceChange::Kind::producer:
      return "producer";
  }
  return "?";
}

std::string_view to_string(ShapeChange::Kind kind) noexcept {
  constexpr std::array<std::string_view, 3> kNames{"lost", "gained", "changed"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool Diff::has_new(Severity at_least) const noexcept {
  return std::ranges::any_of(fresh, [&](const Finding& finding) { return finding.severity >= at_least; });
}

bool Diff::changes_interface() const noexcept {
  return std::ranges::any_of(interface, [](const InterfaceChange& change) {
    return change.kind == InterfaceChange::Kind::input || change.kind == InterfaceChange::Kind::output;
  });
}

Diff diff(const Model& before, const Report& before_report, const Model& after, const Report& after_report) {
  const Report before_all = report::with_stand_ins(before_report), after_all = report::with_stand_ins(after_report);
  const std::vector<const Finding*> old_findings = flat(before_all), new_findings = flat(after_all);
  Diff made;
  made.before = side_of(before_report);
  made.after = side_of(after_report);
  std::tie(made.kept, made.fresh) = split(new_findings, count_by_key(old_findings));
  made.gone = split(old_findings, count_by_key(new_findings)).second;
  made.interface = diffing::interface_changes(before, after);
  made.operators = diffing::operator_changes(before, after);
  diffing::compare_shapes(before, before_report.target, after, after_report.target, made);
  return made;
}

}  // namespace trtcheck
