#include "cure/account.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "cure/node_text.hpp"
#include "picture/neighbourhood.hpp"

namespace trtcheck::cure {
namespace {

/// The nodes that edits are about, each once, in the order of the edits.
std::vector<edit::NodeAt> places_of(const std::vector<edit::Edit>& edits) {
  std::vector<edit::NodeAt> places;
  for (const edit::Edit& edit : edits) {
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.node.position; }) {
            if (std::ranges::find(places, one.node) == places.end()) places.push_back(one.node);
          }
        },
        edit);
  }
  return places;
}

std::vector<std::string> texts_of(const Model& model, const std::vector<NodeId>& nodes) {
  std::vector<std::string> texts;
  for (const NodeId node : nodes) {
    std::string text = node_text(model, node);
    // The nodes of several calls of one function are one node of the file.
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  return texts;
}

Neighbourhood picture_of(const State& state, NodeId node, std::string_view value) {
  return NeighbourhoodFinder(state.model(), state.shapes()).around({.victim = node, .culprit = {}, .value = value});
}

}  // namespace

Account::Account(std::span<const Attempt> attempts, const State& before, const State& after)
    : before_(&before), after_(&after) {
  for (const Attempt& attempt : attempts) {
    for (const edit::NodeAt& at : places_of(attempt.edits)) {
      std::vector<Place>& places = by_position_[at.position];
      if (std::ranges::find(places, at, &Place::first) == places.end()) places.push_back({at, {}});
    }
  }
  if (by_position_.empty()) return;
  for (std::uint32_t i = 0; i < before.model().node_count(); ++i) {
    // Cheap questions first: there may be millions of nodes.
    const auto known = by_position_.find(before.model().node(NodeId{i}).position);
    if (known == by_position_.end()) continue;
    const auto place = std::ranges::find(known->second, edit::place_of(before.model(), NodeId{i}), &Place::first);
    if (place != known->second.end()) place->second.push_back(NodeId{i});
  }
}

std::vector<NodeId> Account::nodes_before(const Attempt& attempt) const {
  std::vector<NodeId> nodes;
  for (const edit::NodeAt& at : places_of(attempt.edits)) {
    const std::vector<NodeId>& found = std::ranges::find(by_position_.at(at.position), at, &Place::first)->second;
    nodes.insert(nodes.end(), found.begin(), found.end());
  }
  std::ranges::sort(nodes, {}, &NodeId::index);
  return nodes;
}

std::vector<NodeId> Account::nodes_after(const Attempt& attempt) const {
  std::vector<NodeId> nodes;
  const auto add_maker = [&](std::string_view value) {
    const NodeId node = after_->model().value(after_->value(value)).producer;
    if (node && std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  };
  for (const edit::Edit& edit : attempt.edits) {
    if (const auto* inserted = std::get_if<edit::InsertNode>(&edit)) {
      for (const std::string& output : inserted->node.outputs) add_maker(output);
    }
  }
  for (const NodeId node : nodes_before(attempt)) {
    for (const ValueId output : before_->model().node(node).outputs) {
      if (output) add_maker(before_->model().value(output).name);
    }
  }
  return nodes;
}

void Account::add_texts(const Attempt& attempt, AppliedCure& applied) const {
  applied.before = texts_of(before_->model(), nodes_before(attempt));
  applied.after = texts_of(after_->model(), nodes_after(attempt));
}

void Account::add_pictures(const Attempt& attempt, AppliedCure& applied) const {
  const std::vector<NodeId> before = nodes_before(attempt);
  const std::vector<NodeId> after = nodes_after(attempt);
  const NodeId node = attempt.finding->node_id;
  if (node || !before.empty())
    applied.before_picture = picture_of(*before_, node ? node : before.front(), attempt.finding->value);
  if (!after.empty()) applied.after_picture = picture_of(*after_, after.back(), {});
}

}  // namespace trtcheck::cure
