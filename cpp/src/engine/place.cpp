#include "engine/place.hpp"

#include <fmt/core.h>

#include "text/printable.hpp"

namespace trtcheck::engine {
namespace {

// A Concat may have a thousand inputs; nobody reads that many lines.
constexpr std::size_t kSignatureLines = 16;

std::vector<std::string> signature_of(const Node& node, const Model& model, const Shapes& shapes) {
  std::vector<std::string> lines;
  for (ValueId input : node.inputs) {
    if (lines.size() == kSignatureLines) {
      lines.push_back(fmt::format("and {} more inputs", node.inputs.size() - kSignatureLines));
      break;
    }
    lines.push_back(input ? fmt::format("{}: {}", shortened(model.value(input).name, kMaxKeptName), shapes.text(input))
                          : "(left out)");
  }
  return lines;
}

/// A step of the chain, or a remedy.
template <class Part>
void add_place_of(Part& part, const Model& model, rules::Provenances& provenances) {
  if (!part.node_id) return;
  part.node = model.node_label(part.node_id);
  const rules::RecordedLines& lines = provenances.of(part.node_id).lines;
  part.source = lines.source;
  part.library = lines.library;
}

}  // namespace

void add_place(Finding& finding, const Model& model, const Shapes& shapes, rules::Provenances& provenances) {
  for (Note& note : finding.notes) add_place_of(note, model, provenances);
  if (finding.fix) add_place_of(*finding.fix, model, provenances);
  if (finding.evidence.empty()) finding.evidence.assign(finding.rule->evidence.begin(), finding.rule->evidence.end());
  if (!finding.node_id) {
    if (finding.graph.empty()) finding.graph = model.graph_path(GraphId{0});
    return;
  }
  const Node& node = model.node(finding.node_id);
  finding.node = model.node_label(finding.node_id);
  finding.op_type = shortened(node.op_type, kMaxKeptName);
  finding.graph = model.graph_path(node.graph);
  if (finding.signature.empty()) finding.signature = signature_of(node, model, shapes);
  const rules::Provenance& provenance = provenances.of(finding.node_id);
  finding.source = provenance.lines.source;
  finding.library = provenance.lines.library;
  finding.module = provenance.module;
}

std::string place_in_function(const Model& model, NodeId node) {
  std::string place;
  while (node) {
    const Graph& graph = model.graph(model.node(node).graph);
    place += fmt::format("{}/{}/", model.node(node).position, graph.attribute);
    if (graph.kind == Graph::Kind::function_call) {
      const Node& caller = model.node(graph.parent);
      return fmt::format("{}{}:{}:{}", place, caller.domain(), caller.op_type, caller.overload());
    }
    node = graph.parent;
  }
  return {};
}

}  // namespace trtcheck::engine
