#include "rules/ops/constraint_finding.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "rules/dispatch.hpp"
#include "rules/ops/seen.hpp"

namespace trtcheck::rules {

std::vector<Constraint> constraints_of_node(const RuleContext& context, std::initializer_list<Constraint::Must> kinds,
                                            Constraint::On on) {
  if (handler_of(context.node(), context.target()) != Handler::importer) return {};
  std::vector<Constraint> found = constraints(context.node().op_type, context.target().release);
  std::erase_if(found, [&](const Constraint& constraint) {
    return constraint.on != on || std::ranges::find(kinds, constraint.must) == kinds.end();
  });
  return found;
}

std::string allowed_values(const Constraint& constraint, bool as_text) {
  std::string text;
  for (std::size_t i = 0; i < constraint.values.size(); ++i) {
    if (i > 0) text += i + 1 == constraint.values.size() ? " or " : ", ";
    text += as_text ? fmt::format("`{}`", constraint.values[i]) : std::string(constraint.values[i]);
  }
  return text;
}

FindingBuilder add_constraint(RuleContext& context, const Constraint& constraint, std::string message) {
  FindingBuilder finding = context.add(std::move(message));
  finding.evidence(constraint.evidence);
  rest_on(context, finding, constraint.seen);
  return finding;
}

}  // namespace trtcheck::rules
