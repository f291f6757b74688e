// What of a model could run on NVIDIA's Deep Learning Accelerator (DLA), judged by operators alone. What their
// attributes and sizes forbid is rows with the effect `fallback` (cpp/data/facts/DLA.toml).
#pragma once

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// Computes with floating point data when the engine runs: neither folded away nor a size, and no Q/DQ.
[[nodiscard]] bool is_float_layer(const RuleContext& context, NodeId id);

/// DLA has a layer for the operator, or may have one: where documents do not agree the answer is yes.
[[nodiscard]] bool has_dla_layer(const RuleContext& context, NodeId id);

/// Both: there is something for DLA to run. @pre the target asks for DLA
[[nodiscard]] bool has_any_dla_layer(const RuleContext& context);

}  // namespace trtcheck::rules
