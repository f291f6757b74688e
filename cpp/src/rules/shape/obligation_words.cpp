#include "rules/shape/obligation_words.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "schema/kinds.hpp"

namespace trtcheck::rules {
namespace {

/// No target of a Reshape is longer.
constexpr std::size_t kMostEntries = 8;

std::string entries_text(const RuleContext& context, const ValueShape& target) {
  std::vector<std::string> entries;
  for (const Dim entry : target.known) entries.push_back(context.dims().text(entry));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

}  // namespace

bool is_met(Obligation::Need need, std::int64_t a, std::int64_t b) {
  switch (need) {
    case Obligation::Need::equal:
      return a == b;
    case Obligation::Need::divides:
      return b != 0 && a % b == 0;
    case Obligation::Need::one_or_equal:
      return a == 1 || a == b;
    case Obligation::Need::at_least:
      return a >= b;
    case Obligation::Need::in_range:
      return 0 <= a && a < b;
  }
  return true;
}

bool ask_alike(const Obligation& one, const Obligation& other) noexcept {
  return one.need == other.need && one.a.same(other.a) && one.b.same(other.b);
}

bool may_be_one(const Obligation& obligation) noexcept {
  return obligation.why == "inputs broadcast against each other";
}

bool is_met_by(const Obligation& obligation, std::int64_t a, std::int64_t b) {
  return is_met(obligation.need, a, b) || (b == 1 && may_be_one(obligation));
}

std::string wanted(const DimTable& dims, const Obligation& obligation) {
  const std::string a = dims.text(obligation.a);
  const std::string b = dims.text(obligation.b);
  switch (obligation.need) {
    case Obligation::Need::equal:
      return fmt::format("`{}` = `{}`", a, b);
    case Obligation::Need::divides:
      return fmt::format("`{}` to divide `{}`", b, a);
    case Obligation::Need::one_or_equal:
      return fmt::format("`{}` to be 1 or `{}`", a, b);
    case Obligation::Need::at_least:
      return fmt::format("`{}` >= `{}`", a, b);
    case Obligation::Need::in_range:
      return fmt::format("`{}` in 0 .. `{}` - 1", a, b);
  }
  return {};
}

std::string constant_at(const RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  if (is_a(node.op_type, kinds::has_target_shape)) {
    const ValueShape& target = context.shape(node.input(1));
    if (!target.is_known || target.known.size() > kMostEntries) return "";
    return fmt::format("its {} `{}` {} {}", node.op_type == "Tile" ? "repeats" : "target", context.name(node.input(1)),
                       node.op_type == "Tile" ? "are" : "is", entries_text(context, target));
  }
  for (const ValueId input : node.inputs) {
    if (!input || !context.shapes().folds_to_constant(input) || context.shape(input).rank() == 0) continue;
    return fmt::format("`{}` is a constant of the model, {}", context.name(input), context.shapes().text(input));
  }
  return "";
}

}  // namespace trtcheck::rules
