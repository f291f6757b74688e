// Outputs that a node leaves out: TensorRT counts them, so they get a name.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "text/plural.hpp"

namespace trtcheck::cure::outputs_named {
namespace {

/// How many values the bodies of the node return for it.
std::size_t returned(const Draft& draft) {
  const Attribute* body = draft.node().attribute(draft.node().op_type == "If" ? "then_branch" : "body");
  if (body == nullptr || !body->g()) return 0;
  const std::size_t outputs = draft.model().graph(body->g()).outputs.size();
  return draft.node().op_type == "Loop" && outputs > 0 ? outputs - 1 : outputs;
}

std::size_t name_outputs(Draft& draft, std::size_t least) {
  std::vector<std::string> names;
  std::size_t made = 0;
  for (std::size_t i = 0; i < std::max(least, draft.node().outputs.size()); ++i) {
    names.push_back(i < draft.node().outputs.size() ? draft.out(i) : std::string());
    if (!names.back().empty()) continue;
    names.back() = draft.fresh(draft.model().node_label(draft.id()) + "/unused");
    ++made;
  }
  if (made > 0) draft.add(edit::SetOutputs{draft.place(), names});
  return made;
}

bool make(Draft& draft, const Finding& finding) {
  std::size_t made = 0;
  if (!finding.fact.empty()) {
    made = name_outputs(draft, returned(draft));
  } else {
    // It is told once for a graph.
    const Graph& graph = draft.model().graph(draft.node().graph);
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      Draft there = draft.at(NodeId{graph.first_node.index + i});
      made += name_outputs(there, 0);
      draft.join(there);
    }
  }
  draft.title(fmt::format("give {} a name that nobody reads", trtcheck::counted(made, "output")));
  return made > 0;
}

constexpr std::string_view kFindings[] = {"MDL110", "OPS401:if-unread-outputs", "OPS401:loop-unnamed-output",
                                          "OPS401:loop-unread-outputs", "OPS401:scan-unnamed-output"};

}  // namespace

extern constinit const Cure cure{
    .name = "outputs-named",
    .kind = CureClass::proven,
    .summary = "outputs that a node leaves out get names, where TensorRT counts them",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::outputs_named
