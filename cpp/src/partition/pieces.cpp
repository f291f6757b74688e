#include "partition/pieces.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "partition/stage.hpp"
#include "text/plural.hpp"

namespace trtcheck::partitioning {
namespace {

using Fate = CutPiece::Fate;

NodeId node_at(const Model& model, std::uint32_t position) { return {model.graph().first_node.index + position}; }

std::vector<OperatorCount> operators_of(const std::vector<std::string_view>& types) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string_view type : types) ++counts[type];
  std::vector<OperatorCount> made;
  for (const auto& [type, count] : counts) made.push_back({std::string(type), count});
  std::ranges::stable_sort(made, std::ranges::greater{}, &OperatorCount::count);
  return made;
}

/// ONNX Runtime refuses a model when an input of a piece has a dim that is neither a number nor a name.
bool states_shape(const Model& model, ValueId id) {
  const Type& type = model.type(model.value(id).declared);
  return type.has_shape &&
         std::ranges::none_of(type.dims, [](const DeclaredDim& dim) { return dim.kind == DeclaredDim::Kind::unknown; });
}

class Describer {
 public:
  Describer(const Asked& asked, const Refusals& found, const Sizes& sizes, const CutRules& rules)
      : asked_(&asked), found_(&found), sizes_(&sizes), rules_(&rules) {}

  [[nodiscard]] GraphPiece piece(const CutPiece& cut_piece) const {
    const Model& model = asked_->model;
    GraphPiece made{.number = 0, .graph = model.graph_path(GraphId{0})};
    made.runs = cut_piece.fate == Fate::runs;
    made.why_not = why_not(cut_piece.fate, *rules_);
    std::vector<std::string_view> types;
    for (const std::uint32_t at : cut_piece.positions) {
      made.nodes.push_back(model.node_label(node_at(model, at)));
      types.push_back(model.node(node_at(model, at)).op_type);
      if (const auto known = found_->not_built.find(at); known != found_->not_built.end()) {
        made.not_built.push_back(fmt::format("{} `{}`: {}", types.back(), made.nodes.back(), known->second.message));
      }
    }
    made.operators = operators_of(types);
    made.share = sizes_->share(cut_piece.positions);
    const Border border = border_of(*asked_, cut_piece.positions);
    for (const ValueId id : border.inputs) add(id, made.inputs, made.bytes_in, model.is_network_input(id));
    for (const ValueId id : border.outputs) add(id, made.outputs, made.bytes_out, model.value(id).is_output);
    if (asked_->provider != Provider::tensorrt) return made;
    for (const ValueId id : border.inputs) {
      if (!model.is_network_input(id) && !states_shape(model, id)) {
        made.without_shape.emplace_back(model.value(id).name);
      }
    }
    return made;
  }

 private:
  void add(ValueId id, std::vector<CrossingTensor>& into, std::uint64_t& sum, bool is_of_model) const {
    const auto bytes = sizes_->bytes(id);
    into.push_back({std::string(asked_->model.value(id).name), asked_->shapes.text(id), bytes, is_of_model});
    if (!is_of_model) sum += bytes.value_or(0);
  }

  const Asked* asked_;
  const Refusals* found_;
  const Sizes* sizes_;
  const CutRules* rules_;
};

}  // namespace

std::string why_not(Fate fate, const CutRules& rules) {
  switch (fate) {
    case Fate::runs:
      return {};
    case Fate::too_small:
      return fmt::format("it has less than {}", counted(rules.least_nodes, "node"));
    case Fate::in_cycle:
      return "nodes of the same name, or without one, count as one node: with them it stands in a circle";
    case Fate::with_refused:
      return "the provider for TensorRT-RTX asks no more when the parser refuses a node next to it";
    case Fate::gave_up:
      return fmt::format("more than {} calls of the parser are needed: the provider gives up", rules.most_iterations);
  }
  return {};
}

Border border_of(const Asked& asked, const std::vector<std::uint32_t>& positions) {
  const Model& model = asked.model;
  const std::set<std::uint32_t> own(positions.begin(), positions.end());
  std::set<ValueId> seen;
  Border made;
  for (const std::uint32_t at : positions) {
    for (const ValueId id : asked.uses.reads(at)) {
      const Value& value = model.value(id);
      if (!value.is_defined || model.constant(id) || is_constant(model.node(value.producer))) continue;
      if (value.producer && own.contains(model.node(value.producer).position)) continue;
      if (seen.insert(id).second) made.inputs.push_back(id);
    }
    for (const ValueId id : model.node(node_at(model, at)).outputs) {
      if (!id) continue;
      const std::span<const std::uint32_t> readers = asked.uses.readers(id);
      const bool is_read = std::ranges::any_of(readers, [&](std::uint32_t reader) { return !own.contains(reader); });
      // A constant is copied to where it is read.
      const bool crosses = is_read && !is_constant(model.node(node_at(model, at)));
      if (crosses || model.value(id).is_output) made.outputs.push_back(id);
    }
  }
  return made;
}

std::vector<GraphPiece> pieces_of(const Asked& asked, const Refusals& found, const Sizes& sizes, const Cut& made,
                                  const CutRules& rules) {
  const Describer describer(asked, found, sizes, rules);
  std::vector<GraphPiece> pieces;
  for (const CutPiece& piece : made.pieces) {
    pieces.push_back(describer.piece(piece));
    pieces.back().number = pieces.size();
  }
  return pieces;
}

}  // namespace trtcheck::partitioning
