#include "partition/bodies.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "edit/edited.hpp"
#include "model/fetch.hpp"
#include "partition/partitioned.hpp"
#include "partition/pieces.hpp"
#include "subgraph/lift.hpp"

namespace trtcheck::partitioning {
namespace {

using subgraph::Lifted;
using subgraph::OuterWeights;

/// Sizes of what the body is fed are those of the model around it.
std::vector<ProfileInput> profile_of(const Model& model, const Lifted& lifted, const Sizes& sizes) {
  std::vector<ProfileInput> made;
  for (const ValueId id : lifted.inputs) {
    if (!sizes.is_dynamic(id)) continue;
    auto min = sizes.dims(id, &ProfileInput::min);
    auto opt = sizes.dims(id, &ProfileInput::opt);
    auto max = sizes.dims(id, &ProfileInput::max);
    if (min && opt && max) {
      made.push_back({std::string(model.value(id).name), std::move(*min), std::move(*opt), std::move(*max)});
    }
  }
  return made;
}

PartitionOptions options_of(const Asked& asked, std::vector<ProfileInput> profile) {
  PartitionOptions made = asked.options;
  // Ranges name what a part of the model may not have.
  made.check.ranges.reset();
  made.check.target.profile = std::move(profile);
  return made;
}

/// Pieces in the words of the model around the body.
class Retold {
 public:
  Retold(const Model& model, GraphId body, const Lifted& lifted) : model_(&model), path_(model.graph_path(body)) {
    for (const ValueId id : lifted.inputs) fed_.emplace(model.value(id).name, id);
  }

  [[nodiscard]] GraphPiece operator()(GraphPiece piece) const {
    constexpr std::string_view kMain = "main";
    piece.graph = path_ + piece.graph.substr(std::min(kMain.size(), piece.graph.size()));
    piece.share.reset();  // how often a body runs is not known
    std::erase_if(piece.inputs, [this](const CrossingTensor& tensor) { return is_weight(tensor.name); });
    piece.bytes_in = place(piece.inputs);
    piece.bytes_out = place(piece.outputs);
    return piece;
  }

 private:
  [[nodiscard]] bool is_weight(std::string_view name) const {
    const auto found = fed_.find(name);
    if (found == fed_.end()) return false;
    const NodeId producer = model_->value(found->second).producer;
    return model_->constant(found->second) || (producer && is_constant(model_->node(producer)));
  }

  /// @return the bytes of those that are of no input of the model
  std::uint64_t place(std::vector<CrossingTensor>& tensors) const {
    std::uint64_t sum = 0;
    for (CrossingTensor& tensor : tensors) {
      const auto found = fed_.find(tensor.name);
      tensor.is_of_model = found != fed_.end() && model_->is_network_input(found->second);
      if (!tensor.is_of_model) sum += tensor.bytes.value_or(0);
    }
    return sum;
  }

  const Model* model_;
  std::string path_;
  std::map<std::string_view, ValueId> fed_;
};

/// Of the nodes of the body, the first that does not run, and why.
void explain(const Partitioned& parts, NodeId first_of_body, AskedBody& told) {
  const auto node_of = [&](std::uint32_t at) { return NodeId{first_of_body.index + at}; };
  for (const std::uint32_t at : parts.line.order) {
    const auto known = parts.found.by_position.find(at);
    if (known == parts.found.by_position.end()) continue;
    told.refused = node_of(at);
    told.finding = known->second.finding;
    told.message = known->second.message;
    return;
  }
  if (!parts.found.whole_model.empty()) {
    told.finding = parts.found.whole_model.front();
    return;
  }
  for (const CutPiece& piece : parts.made.pieces) {
    if (piece.fate == CutPiece::Fate::runs) continue;
    told.refused = node_of(piece.positions.front());
    told.message = fmt::format("a piece of its body does not run: {}", why_not(piece.fate, parts.rules));
    return;
  }
}

/// @throws Error  the body cannot stand by itself
void ask(const Asked& asked, const Sizes& sizes, std::size_t& left, AskedBody& told, AskedBodies& into) {
  const Model& model = asked.model;
  // How the provider for TensorRT-RTX sees weights from outside was not read.
  const auto weights = asked.provider == Provider::tensorrt ? OuterWeights::as_inputs : OuterWeights::kept;
  const auto lifted = subgraph::lifted(model, asked.shapes, told.graph, weights);
  if (!lifted) throw Error(model.path(), "has a body without nodes");
  const edit::Pieces bytes = edit::edited(model, lifted->edits);
  Readable old = readable(model.bytes());
  old.path = model.path();
  const Model alone = read_model(edit::readable(bytes, old), model.base_dir(), asked.options.check.limits);
  const PartitionOptions options = options_of(asked, profile_of(model, *lifted, sizes));
  const Partitioned parts(alone, options, left, true);
  into.checks += parts.found.checks + parts.bodies.checks;
  into.not_asked += parts.bodies.not_asked;
  told.nodes = parts.line.order.size();
  told.is_whole = parts.found.whole_model.empty() && parts.sizes.outcome(parts.made).nodes == told.nodes;
  if (!told.is_whole) explain(parts, model.graph(told.graph).first_node, told);
  told.not_built = parts.found.not_built_in_bodies;
  for (const auto& [at, finding] : parts.found.not_built) {
    told.not_built.emplace(alone.node(NodeId{alone.graph().first_node.index + at}).op_type);
  }
  for (const CutPiece& piece : parts.made.pieces) {
    if (piece.fate == CutPiece::Fate::runs) told.profile.add(parts.asked, parts.sizes, piece.positions);
  }
  for (const AskedBody* const body : cut_bodies(parts.asked, parts.found, parts.bodies))
    told.profile.add(body->profile);
  const Retold retold(model, told.graph, *lifted);
  told.pieces = pieces_of(parts.asked, parts.found, parts.sizes, parts.made, parts.rules);
  std::vector<GraphPiece> within = pieces_of_bodies(parts.asked, parts.found, parts.bodies, told.pieces.size() + 1);
  std::ranges::move(within, std::back_inserter(told.pieces));
  for (GraphPiece& piece : told.pieces) piece = retold(std::move(piece));
}

}  // namespace

bool has_bodies(const Node& node) {
  return node.domain().empty() && (node.op_type == "If" || node.op_type == "Loop" || node.op_type == "Scan");
}

GraphId first_body(const Model& model, const Node& node) {
  for (const Attribute& attribute : node.attributes()) {
    if (attribute.g() && model.graph(attribute.g()).node_count > 0) return attribute.g();
  }
  return {};
}

AskedBodies ask_bodies(const Asked& asked, const Sizes& sizes, std::size_t& left) {
  AskedBodies made;
  if (asked.provider == Provider::parser) return made;
  for (const std::uint32_t at : asked.line.order) {
    const Node& node = asked.model.node(NodeId{asked.model.graph().first_node.index + at});
    if (!has_bodies(node)) continue;
    const GraphId first = first_body(asked.model, node);
    for (const Attribute& attribute : node.attributes()) {
      const GraphId body = attribute.g();
      if (!body || asked.model.graph(body).node_count == 0) continue;
      if (left == 0) {
        ++made.not_asked;
        continue;
      }
      --left;
      AskedBody told{.position = at, .graph = body};
      told.decides = asked.provider == Provider::tensorrt || body == first;
      try {
        ask(asked, sizes, left, told, made);
        made.bodies.push_back(std::move(told));
      } catch (const Error&) {
        ++made.not_asked;
      }
    }
  }
  return made;
}

std::vector<const AskedBody*> cut_bodies(const Asked& asked, const Refusals& found, const AskedBodies& asked_bodies) {
  std::vector<const AskedBody*> made;
  for (const AskedBody& body : asked_bodies.bodies) {
    const auto refusal = found.by_position.find(body.position);
    if (refusal == found.by_position.end()) continue;
    if (verdict_of(asked, body.position, refusal->second) == Verdict::excluded) made.push_back(&body);
  }
  return made;
}

std::vector<GraphPiece> pieces_of_bodies(const Asked& asked, const Refusals& found, const AskedBodies& asked_bodies,
                                         std::size_t first_number) {
  std::vector<GraphPiece> made;
  for (const AskedBody* const body : cut_bodies(asked, found, asked_bodies)) {
    for (const GraphPiece& piece : body->pieces) {
      made.push_back(piece);
      made.back().number = first_number + made.size() - 1;
    }
  }
  return made;
}

}  // namespace trtcheck::partitioning
