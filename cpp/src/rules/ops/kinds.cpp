#include "rules/ops/kinds.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "rules/listing.hpp"
#include "schema/facts.hpp"
#include "target/gates.hpp"
#include "text/printable.hpp"

namespace trtcheck::rules {

bool is_onnx_operator(const Node& node) {
  const bool of_standard = node.domain().empty() || node.domain().starts_with("ai.onnx");
  return of_standard && (schema::was_ever_known(node.domain(), node.op_type) ||
                         std::ranges::binary_search(known_operators(), node.op_type));
}

std::string told_name(const Node& node) { return shortened(node.op_type, kMaxKeptName); }

LocalFunctions::LocalFunctions(const RuleContext& context) {
  if (!context.has(gates::local_functions)) return;
  for (const Function& function : context.model().functions()) names_.push_back(function.name);
  std::ranges::sort(names_);
}

bool LocalFunctions::serve(const Node& node) const { return std::ranges::binary_search(names_, node.op_type); }

bool FirstOfKind::is_repeat(NodeId node) { return is_repeat(node, context_->rule().certainty); }

bool FirstOfKind::is_repeat(NodeId node, Certainty certainty) {
  const Node& n = context_->model().node(node);
  const auto [it, is_new] = first_.try_emplace({n.domain(), n.op_type}, node);
  if (is_new) return false;
  std::string message;
  if (!is_beyond_listing(*context_)) {
    message = fmt::format("{} again, as in `{}`", told_name(n), context_->label(it->second));
  }
  context_->add(node, std::move(message)).certainty(certainty).caused_by(it->second);
  return true;
}

}  // namespace trtcheck::rules
