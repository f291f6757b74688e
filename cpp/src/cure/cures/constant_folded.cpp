// Where a fact says that an input has to be a constant, and it follows from constants: the constant itself.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "facts/fact.hpp"

namespace trtcheck::cure {
namespace {

/// The input that the fact wants to be constant; nothing: it is about something else.
std::optional<std::size_t> constant_input(const Finding& finding, const Node& node) {
  for (const facts::Fact& fact : facts::facts_of(node.op_type)) {
    const bool is_about_it = fact.subject == facts::Subject::constant || fact.subject == facts::Subject::folded;
    if (fact.id == finding.fact && is_about_it && fact.index < node.inputs.size()) return fact.index;
  }
  return std::nullopt;
}

bool make(Draft& draft, const Finding& finding) {
  const std::optional<std::size_t> index = constant_input(finding, draft.node());
  if (!index) return false;
  const ValueId input = draft.node().input(*index);
  const std::optional<Constant> constant = draft.contents(input);
  if (!constant) {
    return draft.refuse(fmt::format("`{}` is not a constant: {}", draft.in(*index), draft.why_unknown(input)));
  }
  draft.title(fmt::format("store `{}` as a constant", draft.in(*index)));
  draft.set_input(*index, draft.constant(*constant, "folded"));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401", "OPS411", "OPS414"};

}  // namespace

extern constinit const Cure constant_folded{
    .name = "constant-folded",
    .kind = CureClass::proven,
    .summary = "an input that must be a constant, and follows from constants, is stored as one",
    .findings = kFindings,
    .make = make};

}  // namespace trtcheck::cure
