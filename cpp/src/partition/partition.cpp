// The pieces of a model, what keeps them apart, and what would help.
#include <trtcheck/partition.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "partition/advice.hpp"
#include "partition/options.hpp"
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

Provider provider_of(const PartitionOptions& options) {
  if (!options.ort) return Provider::parser;
  return options.check.target.release.product == Product::rtx ? Provider::rtx : Provider::tensorrt;
}

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

void add_notes(const Asked& asked, const Refusals& found, const Sizes& sizes, const Cut& made,
               PartitionReport& report) {
  const auto note = [&](std::string text) { report.notes.push_back(std::move(text)); };
  if (!found.ends_session.empty()) note(found.ends_session);
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
  if (!sizes.not_counted().empty()) note("not counted as work: " + sizes.not_counted());
  const auto has_call = [&](std::uint32_t at) {
    return static_cast<bool>(asked.model.node(NodeId{asked.model.graph().first_node.index + at}).call());
  };
  if (asked.provider != Provider::parser && std::ranges::any_of(asked.line.order, has_call)) {
    note("ONNX Runtime puts the nodes of functions in the place of their calls: there may be more pieces");
  }
}

}  // namespace
}  // namespace partitioning

PartitionReport partition(const Model& model, const PartitionOptions& options) {
  using namespace partitioning;
  const Shapes shapes = infer(model);
  const subgraph::Uses uses(model);
  const Provider provider = provider_of(options);
  const Line line = line_of(model, uses, provider);
  const Asked asked{model, shapes, uses, line, options, provider};
  const Sizes sizes(model, shapes, uses, options.check.target);
  const Refusals found = refusals(asked);
  CutRules rules{.provider = provider, .least_nodes = std::max<std::size_t>(options.least_nodes, 1)};

  PartitionReport report;
  report.path = model.path();
  report.release = to_string(options.check.target.release);
  report.provider = name_of(provider);
  report.nodes = line.order.size();
  report.checks = found.checks;
  report.whole_model = found.whole_model;
  report.profile = sizes.profile();
  Cut made;
  const bool nothing_runs = !found.whole_model.empty() || !found.ends_session.empty();
  if (!nothing_runs) made = cut(line, verdicts(asked, found), rules);
  report.now = sizes.outcome(made);
  report.pieces = pieces_of(asked, found, sizes, made, rules);
  report.is_consolidated = made.is_consolidated;
  report.pieces_found = made.found;
  report.iterations = made.iterations;
  report.refused = refused_nodes(asked, found);
  report.graph = graph_of(asked, made);
  add_notes(asked, found, sizes, made, report);
  if (nothing_runs) return report;
  report.causes = causes(asked, found, sizes, rules);
  if (provider == Provider::parser) return report;
  std::vector<GraphPiece> inside = pieces_of_bodies(asked, found, rules, report.pieces.size() + 1);
  std::ranges::move(inside, std::back_inserter(report.pieces));
  const Advice advised = advice(asked, found, sizes, rules);
  add_options(asked, sizes, advised, report);
  return report;
}

}  // namespace trtcheck
