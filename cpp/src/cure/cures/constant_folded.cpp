// Where a fact or rule says that an input has to be a constant, and it follows from constants: the constant itself.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "facts/fact.hpp"
#include "view/parser_view.hpp"

namespace trtcheck::cure::constant_folded {
namespace {

using Indices = std::set<std::size_t>;

/// Inputs that make a condition true by not being constant.
void add_asked(std::uint16_t index, bool is_negated, Indices& into) {
  const facts::Expression& e = facts::expressions()[index];
  switch (e.op) {
    case facts::Op::negate:
      return add_asked(e.a, !is_negated, into);
    case facts::Op::both:
    case facts::Op::either:
      add_asked(e.a, is_negated, into);
      return add_asked(e.b, is_negated, into);
    case facts::Op::const_of:
    case facts::Op::folds_of:
      if (is_negated) into.insert(e.a);
      return;
    default:
      return;
  }
}

bool is_of_opset(const facts::Fact& fact, std::int64_t opset) {
  return fact.opset_min <= opset && (fact.opset_max == 0 || opset <= fact.opset_max);
}

/// The inputs that should be constant for the finding's sake.
Indices asked(const Draft& draft, const Finding& finding) {
  Indices inputs;
  if (draft.node().op_type == "BatchNormalization" && finding.fact.empty()) return {1, 2, 3, 4};
  for (const facts::Fact& fact : facts::facts_of(draft.node().op_type)) {
    if (fact.id == finding.fact && is_of_opset(fact, draft.opset())) add_asked(fact.condition, false, inputs);
  }
  return inputs;
}

/// A DequantizeLinear says that a layer is quantized: it stays in front of weights.
bool is_quantized(const Draft& draft, ValueId input) {
  return draft.model().node(draft.model().value(input).producer).op_type == "DequantizeLinear";
}

bool make(Draft& draft, const Finding& finding) {
  const ReleaseView release(draft.target().release);
  const ParserView parser(draft.model(), draft.shapes(), release);
  std::vector<std::string> stored;
  for (const std::size_t index : asked(draft, finding)) {
    const ValueId input = draft.node().input(index);
    if (!input || parser.is_constant(input) == Truth::yes || is_quantized(draft, input)) continue;
    const std::optional<Constant> constant = draft.contents(input);
    if (!constant) {
      draft.refuse(fmt::format("`{}` is not a constant: {}", draft.in(index), draft.why_unknown(input)));
      continue;
    }
    stored.push_back(fmt::format("`{}`", draft.in(index)));
    draft.set_input(index, draft.constant(*constant, "folded"));
  }
  draft.title(fmt::format("store {} as {}", fmt::join(stored, ", "), stored.size() == 1 ? "a constant" : "constants"));
  return !stored.empty();
}

constexpr std::string_view kFindings[] = {"OPS401", "OPS411", "OPS414", "WGT205"};

}  // namespace

extern constinit const Cure cure{
    .name = "constant-folded",
    .kind = CureClass::proven,
    .summary = "an input that must be a constant, and follows from constants, is stored as one",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::constant_folded
