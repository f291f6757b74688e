#include "engine/group.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include <fmt/core.h>

#include "text/hash.hpp"

namespace trtcheck::engine {
namespace {

constexpr std::uint64_t kSalt = 0x6f;
// Of one node, the inputs and outputs that are compared one by one; the others are looked up like names elsewhere.
constexpr std::size_t kPorts = 64;

bool is_one_of(const Model& model, std::span<const ValueId> values, std::string_view word) {
  return std::ranges::any_of(values.first(std::min(values.size(), kPorts)),
                             [&](ValueId id) { return id && model.value(id).name == word; });
}

}  // namespace

void Groups::add_to(Finding& finding) {
  Hash hash(kSalt);
  hash.add(finding.rule->code).add(finding.fact);
  hash.add(static_cast<std::uint64_t>(finding.severity)).add(static_cast<std::uint64_t>(finding.certainty));
  if (!finding.group.empty()) {
    hash.add(finding.group);
  } else {
    hash.add(masked(finding, finding.message));
    for (const Note& note : finding.notes) hash.add(masked(finding, note.message));
    hash.add(finding.fix ? masked(finding, finding.fix->title) : std::string());
  }
  // A short text would be copied into the room of a long one, which would stay.
  std::string(fmt::format("{:016x}", hash.value())).swap(finding.group);
}

std::string Groups::masked(const Finding& finding, std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    const std::string_view word = text.substr(open + 1, close - open - 1);
    made += text.substr(0, open + 1);
    if (!is_name(finding, word)) made += word;
    made += '`';
    text.remove_prefix(close + 1);
  }
  return made.append(text);
}

bool Groups::is_name(const Finding& finding, std::string_view word) {
  if (word.empty()) return false;
  if (word == finding.node || word == finding.value) return true;
  if (finding.node_id) {
    const Node& node = model_->node(finding.node_id);
    if (is_one_of(*model_, node.inputs, word) || is_one_of(*model_, node.outputs, word)) return true;
  }
  if (std::ranges::any_of(finding.notes, [&](const Note& note) { return note.node == word; })) return true;
  // What other programs print has blanks; most names have none.
  return word.find(' ') == std::string_view::npos && is_name_elsewhere(word);
}

bool Groups::is_name_elsewhere(std::string_view word) {
  constexpr std::hash<std::string_view> kHash;
  if (names_.empty()) {
    names_.reserve(model_->value_count() + model_->node_count());
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) names_.push_back(kHash(model_->value(ValueId{i}).name));
    for (std::uint32_t i = 0; i < model_->node_count(); ++i) {
      const std::string_view name = model_->node(NodeId{i}).name;
      names_.push_back(name.empty() ? kHash(model_->node_label(NodeId{i})) : kHash(name));
    }
    std::ranges::sort(names_);
  }
  return std::ranges::binary_search(names_, kHash(word));
}

}  // namespace trtcheck::engine
