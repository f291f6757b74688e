#include "rules/rule_context.hpp"

#include <utility>

#include "engine/run_state.hpp"
#include "facts/dispatch.hpp"
#include "facts/inference_options.hpp"

namespace trtcheck::rules {
namespace {

// Collects nodes as they would be executed. Depth is bounded by Limits::graph_depth, kept by the reader.
void collect(const Model& model, const Shapes& shapes, const Target& target, GraphId graph,
             std::vector<NodeId>& nodes) {
  for (NodeId id : model.graph(graph).order) {
    nodes.push_back(id);
    const Node& node = model.node(id);
    if (node.call) {
      if (handler_of(node, target) == Handler::function) collect(model, shapes, target, node.call, nodes);
      continue;
    }
    const GraphId taken = node.op_type == "If" ? shapes.taken_branch(id) : GraphId{};
    for (const Attribute& attribute : node.attributes) {
      if (attribute.type == AttributeType::graph && attribute.g() && (!taken || attribute.g() == taken)) {
        collect(model, shapes, target, attribute.g(), nodes);
      }
      for (GraphId body : attribute.graphs()) collect(model, shapes, target, body, nodes);
    }
  }
}

}  // namespace

RuleContext::Run::Run(const Model& m, const Shapes& s, const Target& t, const engine::Selection& selection,
                      const engine::Listing& listing, engine::WeakShapes& w)
    : model(m), shapes(s), target(t), tensors(m), findings(m, s, selection, listing), weak(w) {
  nodes.reserve(m.node_count());
  collect(m, s, t, GraphId{0}, nodes);
}

const Model& RuleContext::model() const noexcept { return run_->model; }
const Shapes& RuleContext::shapes() const noexcept { return run_->shapes; }
const Target& RuleContext::target() const noexcept { return run_->target; }
const Rule& RuleContext::rule() const noexcept { return *run_->rule; }
const TensorFacts& RuleContext::tensors() const noexcept { return run_->tensors; }
NodeId RuleContext::node_id() const noexcept { return run_->node; }
const Node& RuleContext::node() const noexcept { return run_->model.node(run_->node); }
std::span<const NodeId> RuleContext::nodes() const noexcept { return run_->nodes; }

const Shapes& RuleContext::trt_shapes() const {
  if (!run_->shapes.solved_reshape()) return run_->shapes;  // the weaker question has the same answers
  if (!run_->weak.built) {
    InferOptions options = inference_options(run_->model, run_->target);
    options.as_tensorrt = true;
    run_->weak.built.emplace(infer(run_->model, options));
  }
  return *run_->weak.built;
}

const Shapes& RuleContext::parsed_shapes() const {
  if (run_->target.profile.empty()) return trt_shapes();
  if (!run_->weak.parsed) {
    InferOptions options;
    options.as_tensorrt = true;
    run_->weak.parsed.emplace(infer(run_->model, options));
  }
  return *run_->weak.parsed;
}

std::int64_t RuleContext::attr_int(const Node& node, std::string_view name, std::int64_t fallback) const noexcept {
  const Attribute* attribute = node.attribute(name);
  return attribute != nullptr && attribute->type == AttributeType::int_ ? attribute->i() : fallback;
}

const Node* RuleContext::producer(ValueId id) const noexcept {
  if (!id) return nullptr;
  const NodeId producer = model().value(id).producer;
  return producer ? &model().node(producer) : nullptr;
}

FindingBuilder RuleContext::add(std::string message) { return add(run_->node, std::move(message)); }

FindingBuilder RuleContext::add(NodeId node, std::string message) {
  return FindingBuilder(run_->findings.add(*run_->rule, node, std::move(message)));
}

FindingBuilder RuleContext::add_model(std::string message) { return add(NodeId{}, std::move(message)); }

}  // namespace trtcheck::rules
