// Calls of functions that are stored in the model: the nodes of the function in their place.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/inlining.hpp"
#include "cure/draft.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::functions_inlined {
namespace {

/// Nodes of the ONNX domain mean the same in the opset of the graph around the call.
bool means_the_same(const Model& model, NodeId call) {
  const GraphId body = model.node(call).call();
  const auto own = model.opset(body);
  const auto around = model.opset(model.node(call).graph);
  if (!own || own == around) return true;
  if (!around) return false;
  return std::ranges::all_of(model.graph(body).order, [&](NodeId id) {
    const Node& node = model.node(id);
    if (!node.domain().empty()) return true;
    return schema::schema_facts("", node.op_type, *own) == schema::schema_facts("", node.op_type, *around);
  });
}

/// @returns why it cannot; "" = done
std::string write_body(Draft& draft, NodeId call) {
  const Model& model = draft.model();
  const Node& node = model.node(call);
  if (!means_the_same(model, call)) {
    return fmt::format("function `{}` is written for another opset than the model", node.op_type);
  }
  const Graph& body = model.graph(node.call());
  Draft there = draft.at(call);
  Inlining copy(there, node.call());
  if (std::string why = copy.why_not(); !why.empty()) return why;
  NamesOf given;
  for (std::size_t i = 0; i < body.inputs.size(); ++i) {
    given[body.inputs[i]] = i < node.inputs.size() ? there.in(i) : std::string();
  }
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) outputs.push_back(there.out(i));
  copy.write(std::move(given), outputs);
  there.remove();
  draft.join(there);
  return {};
}

/// Domains that the functions use and the model does not import.
void add_imports(Draft& draft) {
  const Model& model = draft.model();
  std::vector<std::string_view> added;
  for (const Function& function : model.functions()) {
    for (const OpsetImport& import : function.opset_imports) {
      if (model.opset(GraphId{0}, import.domain) || std::ranges::find(added, import.domain) != added.end()) continue;
      draft.add(edit::ImportOpset{{}, std::string(import.domain), import.version});
      added.push_back(import.domain);
    }
  }
}

bool make(Draft& draft, const Finding& finding) {
  const Model& model = draft.model();
  std::size_t count = 0;
  std::string why;
  // Findings are of the first call of a kind, those of nodes in functions stand in the call: all calls at once.
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const NodeId id{i};
    if (!model.node(id).call() || edit::place_of(model, id).graph.function) continue;
    if (std::string problem = write_body(draft, id); problem.empty()) {
      ++count;
    } else {
      why = std::move(problem);
    }
  }
  (void)finding;
  if (count == 0) return why.empty() ? false : draft.refuse(why);
  add_imports(draft);
  draft.title(fmt::format("write the nodes of functions in place of {} {}", count, count == 1 ? "call" : "calls"));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS106", "OPS107", "OPS108", "OPS109", "OPS110", "OPS111"};

}  // namespace

extern constinit const Cure cure{
    .name = "functions-inlined",
    .kind = CureClass::proven,
    .summary = "calls of functions that are stored in the model are replaced by the nodes of the function",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::functions_inlined
