#include "cure/sweep.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "model/graphs.hpp"

namespace trtcheck::cure {
namespace {

bool is_needed(const Value& value) { return !value.users.empty() || value.is_output; }

/// Names that somebody needs, in any graph.
std::unordered_set<std::string_view> needed_names(const Model& model) {
  std::unordered_set<std::string_view> names;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (is_needed(value)) names.insert(value.name);
  }
  return names;
}

class Sweep {
 public:
  Sweep(const Model& before, const Model& after)
      : model_(&after), needed_before_(needed_names(before)), uses_(after.value_count()) {
    for (std::uint32_t i = 0; i < after.value_count(); ++i) uses_[i] = after.value(ValueId{i}).users.size();
  }

  std::vector<edit::Edit> edits() {
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) look_at(ValueId{i});
    // Taking a node away may leave others without readers.
    while (!waiting_.empty()) {
      const ValueId id = waiting_.back();
      waiting_.pop_back();
      look_at(id);
    }
    return std::move(edits_);
  }

 private:
  [[nodiscard]] bool is_unused(ValueId id) const {
    const Value& value = model_->value(id);
    return uses_[id.index] == 0 && !value.is_output;
  }

  void look_at(ValueId id) {
    const Value& value = model_->value(id);
    if (!is_unused(id) || !needed_before_.contains(value.name)) return;
    if (value.producer) {
      take(value.producer);
    } else if (value.initializer && !value.is_input && !model_->tensor(value.initializer).is_sparse &&
               taken_.insert(value.name).second) {
      edits_.emplace_back(edit::RemoveTensor{edit::place_of(*model_, value.graph), std::string(value.name)});
    }
  }

  void take(NodeId id) {
    const Node& node = model_->node(id);
    const bool is_needed =
        std::ranges::any_of(node.outputs, [this](ValueId output) { return output && !is_unused(output); });
    const edit::NodeAt place = edit::place_of(*model_, id);
    // A body may read what is around it; of functions each call is a clone, and what one call leaves another one needs.
    if (is_needed || has_graphs(node) || place.graph.function || !gone_.insert(id.index).second) return;
    edits_.emplace_back(edit::RemoveNode{place});
    for (const ValueId input : node.inputs) {
      if (!input) continue;
      --uses_[input.index];
      waiting_.push_back(input);
    }
  }

  const Model* model_;
  std::unordered_set<std::string_view> needed_before_;
  std::vector<std::size_t> uses_;
  std::vector<ValueId> waiting_;
  std::unordered_set<std::uint32_t> gone_;
  std::unordered_set<std::string_view> taken_;
  std::vector<edit::Edit> edits_;
};

}  // namespace

std::vector<edit::Edit> newly_unused(const Model& before, const Model& after) { return Sweep(before, after).edits(); }

}  // namespace trtcheck::cure
