// The ONNX schema that a node has to satisfy.
#pragma once

#include "rules/rule_context.hpp"
#include "schema/facts.hpp"

namespace trtcheck::rules {

/// Schema of the node at the opset of its graph; nullptr when there is none, the operator is deprecated at that opset,
/// or the parser has no importer for it (then that is told, and the rest does not matter).
const schema::SchemaFacts* node_schema(const RuleContext& context, NodeId node);

}  // namespace trtcheck::rules
