#include "partition/separated.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/edit.hpp>

#include "edit/edited.hpp"
#include "edit/names.hpp"
#include "model/fetch.hpp"
#include "partition/line.hpp"
#include "subgraph/declared.hpp"

namespace trtcheck::partitioning {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffffU;
/// A Constant node belongs to every piece.
constexpr std::uint32_t kEverywhere = kNowhere - 1;

class Separator {
 public:
  Separator(const Model& model, const Shapes& shapes, const subgraph::Uses& uses,
            const std::vector<std::vector<std::uint32_t>>& pieces, const std::vector<bool>& is_refused)
      : model_(&model), shapes_(&shapes), uses_(&uses), names_(model), piece_(uses.node_count(), kNowhere) {
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      for (const std::uint32_t at : pieces[p]) piece_[at] = static_cast<std::uint32_t>(p);
    }
    for (std::uint32_t at = 0; at < uses.node_count(); ++at) {
      if (is_constant(model.node(NodeId{model.graph().first_node.index + at})) && !is_refused[at]) {
        piece_[at] = kEverywhere;
      }
    }
  }

  /// In the old model, of each node that stays.
  [[nodiscard]] std::vector<std::uint32_t> positions() const {
    std::vector<std::uint32_t> made;
    for (std::uint32_t at = 0; at < uses_->node_count(); ++at) {
      if (piece_[at] != kNowhere) made.push_back(at);
    }
    return made;
  }

  std::vector<edit::Edit> edits() {
    const NodeId first = model_->graph().first_node;
    for (std::uint32_t at = 0; at < uses_->node_count(); ++at) {
      const NodeId node{first.index + at};
      if (piece_[at] == kNowhere) {
        add(edit::RemoveNode{edit::place_of(*model_, node)});
        continue;
      }
      for (const ValueId output : model_->node(node).outputs) {
        if (output && piece_[at] != kEverywhere) made_in_piece(output, piece_[at]);
      }
    }
    for (std::uint32_t at = 0; at < uses_->node_count(); ++at) {
      if (piece_[at] != kNowhere) continue;
      for (const ValueId output : model_->node(NodeId{first.index + at}).outputs) {
        if (output) made_outside(output);
      }
    }
    return std::move(edits_);
  }

 private:
  void add(edit::Edit edit) { edits_.push_back(std::move(edit)); }
  [[nodiscard]] std::string name_of(ValueId id) const { return std::string(model_->value(id).name); }

  [[nodiscard]] edit::TypeValue declared(ValueId id) const {
    const ValueShape& shape = (*shapes_)[id];
    // Whatever it is: the check of the whole model said so already.
    if (shape.type == DataType::undefined) return {.type = DataType::float32};
    return subgraph::inferred_type(*shapes_, id, shape.type);
  }

  /// Other pieces read an input in its place.
  void made_in_piece(ValueId id, std::uint32_t piece) {
    bool is_read_outside = false;
    std::string own;
    for (const Use& use : model_->value(id).users) {
      const auto reader = uses_->position_of(use.node);
      if (!reader || piece_[*reader] == piece) continue;
      is_read_outside = true;
      if (piece_[*reader] == kNowhere) continue;
      if (own.empty()) {
        own = names_.fresh(fmt::format("{}/of_other_piece", model_->value(id).name));
        add(edit::AddInput{{}, own, declared(id)});
      }
      add(edit::SetInput{edit::place_of(*model_, use.node), use.input, own});
    }
    if (is_read_outside && !model_->value(id).is_output) add(edit::AddOutput{{}, name_of(id), declared(id)});
  }

  void made_outside(ValueId id) {
    const Value& value = model_->value(id);
    if (value.is_output) add(edit::RemoveOutput{{}, name_of(id)});
    add(edit::RemoveDeclaration{{}, name_of(id)});
    const std::span<const std::uint32_t> readers = uses_->readers(id);
    if (std::ranges::any_of(readers, [&](std::uint32_t reader) { return piece_[reader] != kNowhere; })) {
      add(edit::AddInput{{}, name_of(id), declared(id)});
    }
  }

  const Model* model_;
  const Shapes* shapes_;
  const subgraph::Uses* uses_;
  edit::Names names_;
  std::vector<std::uint32_t> piece_;  ///< of each position
  std::vector<edit::Edit> edits_;
};

}  // namespace

Separated separated(const Model& model, const Shapes& shapes, const subgraph::Uses& uses,
                    const std::vector<std::vector<std::uint32_t>>& pieces, const std::vector<bool>& is_refused,
                    const Limits& limits) {
  Separator separator(model, shapes, uses, pieces, is_refused);
  const edit::Pieces bytes = edit::edited(model, separator.edits());
  Readable old = readable(model.bytes());
  old.path = model.path();
  return {read_model(edit::readable(bytes, old), model.base_dir(), limits), separator.positions()};
}

}  // namespace trtcheck::partitioning
