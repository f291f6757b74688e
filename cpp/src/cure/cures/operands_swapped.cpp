// In a loop, the result of another body that an operator reads after what the loop carries.
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::operands_swapped {
namespace {

bool make(Draft& draft, const Finding& finding) {
  const Node& node = draft.node();
  std::size_t at = 1;
  while (at < node.inputs.size() && (!node.inputs[at] || draft.in(at) != finding.value)) ++at;
  if (at >= node.inputs.size()) return draft.refuse("the operand is not there");
  if (node.inputs.size() == 2 && (node.op_type == "Add" || node.op_type == "Mul")) {
    draft.title(fmt::format("put `{}` in front of `{}`", draft.in(1), draft.in(0)));
    const std::string first = draft.in(0);
    draft.set_input(0, draft.in(1));
    draft.set_input(1, first);
    return true;
  }
  // Of other operators the order matters; of Max and Min, for zeros.
  draft.title(fmt::format("put an Identity between `{}` and {}", draft.in(at), node.op_type));
  draft.set_input(at, draft.op("Identity", {draft.in(at)}));
  return true;
}

constexpr std::string_view kFindings[] = {"CTL109"};

}  // namespace

extern constinit const Cure cure{
    .name = "operands-swapped",
    .kind = CureClass::proven,
    .summary = "in a loop, the result of another loop or of an If is read first, or after an Identity",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::operands_swapped
