// The pieces of a model, what keeps them apart, and what would help.
#include <trtcheck/partition.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "partition/advice.hpp"
#include "partition/options.hpp"
#include "partition/partitioned.hpp"
#include "partition/pieces.hpp"
#include "partition/refusals.hpp"
#include "partition/sizes.hpp"
#include "provenance/provenance.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"
#include "view/inference_options.hpp"

namespace trtcheck {
namespace partitioning {
namespace {

/// Each is read and checked as a model of its own.
constexpr std::size_t kMostBodies = 64;

std::string_view name_of(Provider provider) {
  constexpr std::array<std::string_view, 3> kNames{"parser", "TensorrtExecutionProvider",
                                                   "NvTensorRTRTXExecutionProvider"};
  return kNames[static_cast<std::size_t>(provider)];
}

std::vector<RefusedNode> refused_nodes(const Asked& asked, const Refusals& found) {
  const Model& model = asked.model;
  rules::Provenances lines(model);
  std::vector<RefusedNode> made;
  for (const std::uint32_t at : asked.line.order) {
    const auto known = found.by_position.find(at);
    if (known == found.by_position.end()) continue;
    const Refusal& refusal = known->second;
    const NodeId id{model.graph().first_node.index + at};
    RefusedNode& told = made.emplace_back();
    told.node = model.node_label(id);
    told.op_type = model.node(id).op_type;
    told.graph = model.graph_path(GraphId{0});
    told.reason = to_string(refusal.reason);
    told.code = refusal.finding ? report::code_text(*refusal.finding) : "";
    told.message = refusal.finding ? refusal.finding->message : refusal.message;
    told.inner = model.node_label(refusal.inner);
    told.is_cut_again = refusal.is_cut_again;
    told.source = lines.of(refusal.inner ? refusal.inner : id).lines.source;
  }
  return made;
}

/// Of several pieces only the first one is named.
void add_notes_of_pieces(PartitionReport& report) {
  for (const GraphPiece& piece : report.pieces) {
    if (piece.without_shape.empty()) continue;
    report.notes.push_back(fmt::format(
        "ONNX Runtime must know the shape of `{}`, an input of piece {}, and the file states none: save the "
        "model with inferred shapes (`trtcheck shapes MODEL -o OUT.onnx`)",
        piece.without_shape.front(), piece.number));
    break;
  }
  for (const GraphPiece& piece : report.pieces) {
    const auto unknown = std::ranges::find_if(piece.inputs, [](const CrossingTensor& tensor) {
      return tensor.type == "?" || tensor.type.ends_with("[...]");
    });
    if (unknown == piece.inputs.end()) continue;
    report.notes.push_back(
        fmt::format("the rank of `{}`, an input of piece {}, is not known: whether the parser accepts the piece is not "
                    "certain",
                    unknown->name, piece.number));
    break;
  }
}

void add_notes_of_bodies(const Partitioned& parts, PartitionReport& report) {
  std::size_t nodes = 0;
  std::size_t pieces = 0;
  for (const GraphPiece& piece : report.pieces) {
    if (!piece.runs || piece.graph == "main") continue;
    ++pieces;
    nodes += piece.nodes.size();
  }
  if (pieces > 0) {
    report.notes.push_back(fmt::format("{} with {} more inside of bodies: they are not counted as engines above",
                                       counted(pieces, "piece"), counted(nodes, "node")));
  }
  if (parts.bodies.not_asked > 0) {
    report.notes.push_back(
        fmt::format("{} not asked about alone: what the whole model says of them counts, and their "
                    "pieces are not listed",
                    parts.bodies.not_asked == 1 ? std::string("1 body was")
                                                : fmt::format("{} bodies were", parts.bodies.not_asked)));
  }
}

void add_notes(const Partitioned& parts, PartitionReport& report) {
  const Asked& asked = parts.asked;
  const Cut& made = parts.made;
  const auto note = [&](std::string text) { report.notes.push_back(std::move(text)); };
  if (!parts.found.ends_session.empty()) note(parts.found.ends_session);
  if (asked.provider != Provider::parser && made.iterations > CutRules().most_iterations) {
    note(fmt::format("the parser is asked up to {} times, and the provider stops at {}: nothing runs in TensorRT",
                     made.iterations, CutRules().most_iterations));
  }
  if (made.reads_past_end) {
    note(
        "the last piece is too small: ONNX Runtime then looks at a piece behind the last one, which may end the "
        "program: choose another minimal size");
  }
  add_notes_of_pieces(report);
  if (!parts.sizes.not_counted().empty()) note("not counted as work: " + parts.sizes.not_counted());
  const auto has_call = [&](std::uint32_t at) {
    return static_cast<bool>(asked.model.node(NodeId{asked.model.graph().first_node.index + at}).call());
  };
  if (asked.provider != Provider::parser && std::ranges::any_of(asked.line.order, has_call)) {
    note("ONNX Runtime puts the nodes of functions in the place of their calls: there may be more pieces");
  }
  add_notes_of_bodies(parts, report);
}

}  // namespace
}  // namespace partitioning

PartitionReport partition(const Model& model, const PartitionOptions& options) {
  using namespace partitioning;
  std::size_t bodies_left = kMostBodies;
  const Partitioned parts(model, options, bodies_left);
  const Asked& asked = parts.asked;

  PartitionReport report;
  report.path = model.path();
  report.release = to_string(options.check.target.release);
  report.provider = name_of(asked.provider);
  report.nodes = parts.line.order.size();
  report.checks = parts.found.checks + parts.bodies.checks;
  report.whole_model = parts.found.whole_model;
  report.profile = parts.sizes.profile();
  report.now = parts.sizes.outcome(parts.made);
  report.pieces = pieces_of(asked, parts.found, parts.sizes, parts.made, parts.rules);
  report.is_consolidated = parts.made.is_consolidated;
  report.pieces_found = parts.made.found;
  report.iterations = parts.made.iterations;
  report.refused = refused_nodes(asked, parts.found);
  report.graph = graph_of(asked, parts.made);
  if (!parts.nothing_runs) {
    std::ranges::move(pieces_of_bodies(asked, parts.found, parts.bodies, report.pieces.size() + 1),
                      std::back_inserter(report.pieces));
  }
  add_notes(parts, report);
  if (parts.nothing_runs) return report;
  report.causes = causes(asked, parts.found, parts.sizes, parts.rules);
  if (asked.provider == Provider::parser) return report;
  PieceProfile of_bodies;
  for (const AskedBody* const body : cut_bodies(asked, parts.found, parts.bodies)) of_bodies.add(body->profile);
  add_options(asked, parts.sizes, advice(asked, parts.found, parts.sizes, parts.rules), of_bodies, report);
  return report;
}

}  // namespace trtcheck
