#include "rules/ops/node_schema.hpp"

namespace trtcheck::rules {

const schema::SchemaFacts* node_schema(const RuleContext& context, NodeId id) {
  const Node& node = context.model().node(id);
  if (!node.domain.empty() || node.call) return nullptr;
  const auto opset = context.model().opset(node.graph);
  if (!opset) return nullptr;
  const schema::SchemaFacts* facts = schema::schema_facts(node.domain, node.op_type, *opset);
  if (facts == nullptr || facts->deprecated) return nullptr;
  const Support support = op_support(node.op_type, context.target().release).support;
  return support == Support::supported || support == Support::experimental ? facts : nullptr;
}

}  // namespace trtcheck::rules
