#include "rules/unread.hpp"

#include <algorithm>

#include "shapes/unread.hpp"

namespace trtcheck::rules {
namespace {

/// These families judge what is there; sizes and values do not matter to them.
bool judges_sizes(const Rule& rule) { return !rule.code.starts_with("MDL") && !rule.code.starts_with("OPS"); }

/// The first reason among the origins of what is not known of a value.
std::string_view unread_behind_value(const RuleContext& context, ValueId id) {
  const ValueShape& shape = context.shape(id);
  if (!shape.has_rank) {
    return shape.reason_node ? unread_behind(context.model(), context.shapes(), shape.reason_node) : std::string_view{};
  }
  for (const Dim dim : shape.dims) {
    if (dim.is_literal()) continue;
    for (const Origin& origin : context.dims().origins(dim)) {
      if (origin.node == Origin::kNone) continue;
      const std::string_view why = unread_behind(context.model(), context.shapes(), NodeId{origin.node});
      if (!why.empty()) return why;
    }
  }
  return {};
}

std::string_view unread_behind_finding(const RuleContext& context, const Finding& finding) {
  const std::string_view own = unread_behind(context.model(), context.shapes(), finding.node_id);
  if (!own.empty()) return own;
  for (const ValueId input : context.model().node(finding.node_id).inputs) {
    if (!input) continue;
    const std::string_view why = unread_behind_value(context, input);
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace

std::set<TensorId> all_unread(const RuleContext& context) {
  std::set<TensorId> unread = context.tensors().unread();
  const std::vector<TensorId> inferred = unread_constants(context.shapes());
  unread.insert(inferred.begin(), inferred.end());
  return unread;
}

void add_unread_notes(std::vector<Finding>& findings, const RuleContext& context) {
  if (unread_constants(context.shapes()).empty()) return;
  for (Finding& finding : findings) {
    if (!finding.node_id || !judges_sizes(*finding.rule)) continue;
    const std::string_view why = unread_behind_finding(context, finding);
    if (!why.empty()) finding.notes.push_back({.message = "not known: " + std::string(why), .node = {}});
  }
}

}  // namespace trtcheck::rules
