// What nobody reads: nodes, and outputs beyond those that an operator has.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::unread_removed {
namespace {

bool cut_outputs(Draft& draft) {
  const auto* const facts = schema::schema_facts("", draft.node().op_type, draft.opset());
  if (facts == nullptr) return false;
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < draft.node().outputs.size(); ++i) {
    if (i < facts->max_outputs) {
      kept.push_back(draft.out(i));
    } else if (draft.is_read(draft.node().output(i))) {
      return draft.refuse(fmt::format("`{}` is read, and {} does not make it", draft.out(i), draft.node().op_type));
    }
  }
  draft.add(edit::SetOutputs{draft.place(), kept});
  draft.title("remove outputs that the operator does not have and nobody reads");
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  if (finding.rule->code == "OPS306") return cut_outputs(draft);
  if (!draft.id() || std::ranges::any_of(draft.node().outputs, [&](ValueId id) { return draft.is_read(id); })) {
    return false;
  }
  draft.remove();
  draft.title("remove the node: nobody reads what it makes");
  return true;
}

constexpr std::string_view kFindings[] = {"MDL401", "OPS306"};

}  // namespace

extern constinit const Cure cure{
    .name = "unread-removed",
    .kind = CureClass::proven,
    .summary = "nodes that nobody reads, and outputs that an operator does not have, are removed",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::unread_removed
