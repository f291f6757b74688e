// An If of a known condition: the branch that is taken, in its place.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/inlining.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::if_inlined {
namespace {

/// The If that the finding goes away with: the node itself, or one that never runs the branch around the node.
NodeId decided_if(const Draft& draft) {
  const Model& model = draft.model();
  if (draft.node().op_type == "If" && draft.shapes().taken_branch(draft.id())) return draft.id();
  for (GraphId graph = draft.node().graph; graph && graph != GraphId{0};) {
    const NodeId parent = model.graph(graph).parent;
    if (!parent) return {};
    const GraphId taken = draft.shapes().taken_branch(parent);
    if (taken && taken != graph) return parent;
    graph = model.node(parent).graph;
  }
  return {};
}

/// A function that several calls share may take another branch in each.
bool is_taken_always(const Draft& draft, NodeId node) {
  const Model& model = draft.model();
  const edit::NodeAt place = edit::place_of(model, node);
  if (!place.graph.function) return true;
  const std::string_view taken = model.graph(draft.shapes().taken_branch(node)).attribute;
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const NodeId id{i};
    if (model.node(id).op_type != "If" || edit::place_of(model, id) != place) continue;
    if (model.graph(model.node(id).graph).kind == Graph::Kind::function_definition) continue;
    const GraphId other = draft.shapes().taken_branch(id);
    if (!other || model.graph(other).attribute != taken) return false;
  }
  return true;
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const NodeId node = decided_if(draft);
  if (!node) return false;
  const GraphId taken = draft.shapes().taken_branch(node);
  if (!is_taken_always(draft, node)) return draft.refuse("other calls of the function run the other branch");
  Draft there = draft.at(node);
  Inlining branch(there, taken);
  if (const std::string why = branch.why_not(); !why.empty()) return draft.refuse(why);
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < there.node().outputs.size(); ++i) outputs.push_back(there.out(i));
  branch.write({}, outputs);
  there.remove();
  draft.join(there);
  draft.title(fmt::format("put `{}` of If `{}` in its place: its condition is known",
                          draft.model().graph(taken).attribute, draft.model().node_label(node)));
  return true;
}

constexpr std::string_view kFindings[] = {
    "CTL101", "CTL102", "CTL103", "CTL104", "CTL105", "MDL107", "MDL311", "MDL312", "MDL314",
    "OPS101", "OPS102", "OPS103", "OPS104", "OPS105", "OPS106", "OPS107", "OPS108", "OPS109",
    "OPS301", "OPS302", "OPS303", "OPS304", "OPS305", "OPS306", "OPS401", "OPS411", "OPS412",
    "OPS413", "OPS414", "SHP101", "SHP102", "SHP103", "STY101", "WGT101", "WGT102", "WGT103",
    "WGT104", "WGT105", "WGT106", "WGT107", "WGT201", "WGT202", "WGT203", "WGT204", "WGT206"};

}  // namespace

extern constinit const Cure cure{
    .name = "if-inlined",
    .kind = CureClass::proven,
    .summary = "an If whose condition is known is replaced by the branch that is taken",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::if_inlined
