#include "check/fingerprint.hpp"

#include <algorithm>
#include <span>

#include <fmt/core.h>

#include "bytes/sorted.hpp"
#include "text/hash.hpp"

namespace trtcheck {
namespace {

// The version of all that a fingerprint is made of. Another number makes every baseline stale.
constexpr std::uint64_t kVersion = 2;

constexpr std::uint32_t kUpstream = 3;
// An initializer that more nodes share is told by their operators alone.
constexpr std::size_t kUsersWithModule = 8;

// Of one node, the inputs and outputs that are told by their places; the others are told as tensors.
constexpr std::size_t kPorts = 10'000;

enum Salt : std::uint64_t {
  kInput = 101,
  kOutput = 102,
  kElsewhere = 103,
  kUnknown = 104,
  kUser = 105,
  kGraphEnd = 106
};

/// The call that the graph is part of; none outside of functions.
NodeId calling_node(const Model& model, GraphId graph) {
  while (model.graph(graph).kind != Graph::Kind::function_call) {
    if (!model.graph(graph).parent) return {};
    graph = model.node(model.graph(graph).parent).graph;
  }
  return model.graph(graph).parent;
}

}  // namespace

/// A finding in a function stands for all calls of it, so the module of one caller is no part of it.
std::string Fingerprints::module_of(NodeId node) {
  const std::string& module = provenances_.of(node).module;
  const NodeId caller = calling_node(*model_, model_->node(node).graph);
  return caller && provenances_.of(caller).module == module ? std::string() : module;
}

void Fingerprints::add_to(std::vector<Finding>& findings) {
  for (Finding& finding : findings) add_to(finding);
}

void Fingerprints::add_to(Finding& finding) { finding.fingerprint = fmt::format("{:016x}", of(finding)); }

void Fingerprints::go_to(NodeId id) {
  if (place_.node == id) return;
  place_ = {id, module_of(id), {}};
  const Node& node = model_->node(id);
  const auto add = [&](std::span<const ValueId> values, Salt side) {
    for (std::size_t i = 0; i < std::min(values.size(), kPorts); ++i) {
      if (values[i]) place_.operands.try_emplace(model_->value(values[i]).name, Hash(side).add(i).value());
    }
  };
  add(node.inputs, kInput);
  add(node.outputs, kOutput);
}

std::uint64_t Fingerprints::of(const Finding& finding) {
  Hash hash(kVersion);
  if (finding.node_id) go_to(finding.node_id);
  hash.add(finding.rule->code).add(finding.fact).add(at_fault(finding));
  if (finding.node_id) {
    hash.add(structure_.place(model_->node(finding.node_id).graph));
    hash.add(structure_.node(finding.node_id, kUpstream)).add(place_.module);
  }
  return hash.value();
}

std::uint64_t Fingerprints::at_fault(const Finding& finding) {
  if (finding.value.empty()) return 0;
  GraphId from{0};
  if (finding.node_id) {
    from = model_->node(finding.node_id).graph;
    if (const auto operand = place_.operands.find(finding.value); operand != place_.operands.end()) {
      return operand->second;
    }
  }
  const ValueId id = find(finding.value, from);
  return id ? elsewhere(id) : Hash(kUnknown).value();
}

/// A tensor that is told without the node at hand: what it is, and an initializer by who reads it.
std::uint64_t Fingerprints::elsewhere(ValueId id) {
  if (const auto known = elsewhere_.find(id.index); known != elsewhere_.end()) return known->second;
  const Value& value = model_->value(id);
  Hash hash(kElsewhere);
  hash.add(structure_.value(id, kUpstream));
  const bool is_main = model_->graph(value.graph).kind == Graph::Kind::main;
  if (is_main && (value.is_output || (value.is_input && !value.initializer))) hash.add(kGraphEnd).add(value.name);
  if (value.initializer) hash.add(users_of(value));
  elsewhere_.emplace(id.index, hash.value());
  return hash.value();
}

std::uint64_t Fingerprints::users_of(const Value& value) {
  std::uint64_t users = 0;  // in no order
  for (const Use& use : value.users) {
    Hash user(kUser);
    user.add(use.input).add(structure_.node(use.node, 1));
    if (value.users.size() <= kUsersWithModule) user.add(module_of(use.node));
    users += user.value();
  }
  return users;
}

/// By name, seen from that graph outwards.
ValueId Fingerprints::find(std::string_view name, GraphId from) {
  const auto name_of = [&](ValueId id) { return model_->value(id).name; };
  if (by_name_.empty()) {
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) by_name_.push_back(ValueId{i});
    std::ranges::stable_sort(by_name_, {}, name_of);
  }
  const auto same = equal_span(by_name_, name, name_of);
  while (true) {
    const auto here = std::ranges::find_if(same, [&](ValueId id) { return model_->value(id).graph == from; });
    if (here != same.end()) return *here;
    if (!model_->graph(from).parent) return {};
    from = model_->node(model_->graph(from).parent).graph;
  }
}

}  // namespace trtcheck
