// Operators of ONNX Runtime (com.microsoft) that its optimizer leaves in a saved model: standard operators again.
#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/contrib.hpp"

namespace trtcheck::cure::contrib_operator {
namespace {

const Expansion* contrib_of(std::string_view op) {
  const std::array tables = {contrib_products(), contrib_norms(), contrib_attentions()};
  for (const std::span<const Expansion> table : tables) {
    const auto found = std::ranges::find(table, op, &Expansion::op);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const std::string_view domain = draft.node().domain();
  const std::string_view op = draft.node().op_type;
  // SimplifiedLayerNormalization stands in the domain of ONNX, which does not know it.
  if (domain != "com.microsoft" && !(domain.empty() && op == "SimplifiedLayerNormalization")) return false;
  const Expansion* expansion = contrib_of(op);
  if (expansion == nullptr || draft.opset() == 0) return false;
  Writer w(draft);
  draft.promises(expansion->kind);
  if (!expansion->write(w)) return false;
  for (const edit::Edit& edit : draft.edits()) {
    const auto* inserted = std::get_if<edit::InsertNode>(&edit);
    if (inserted == nullptr || draft.may_use(inserted->node.op_type)) continue;
    return draft.refuse(fmt::format("it is made of `{}`, which the target does not have", inserted->node.op_type));
  }
  draft.title(fmt::format("write `{}` of ONNX Runtime as standard operators", op));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS102", "OPS103", "OPS107"};

}  // namespace

extern constinit const Cure cure{
    .name = "contrib-operator",
    .kind = CureClass::rounding,
    .summary = "an operator of ONNX Runtime's optimizer is written as standard operators",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::contrib_operator
