#include "rules/ops/node_schema.hpp"

namespace trtcheck::rules {

const schema::SchemaFacts* node_schema(const RuleContext& context, NodeId id) {
  const OperatorView& op = context.operator_of(id);
  if (op.schema == nullptr || op.schema->deprecated) return nullptr;
  const Support support = context.view().support(id);
  return support == Support::supported || support == Support::experimental ? op.schema : nullptr;
}

}  // namespace trtcheck::rules
