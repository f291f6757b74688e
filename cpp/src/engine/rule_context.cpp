#include "rules/rule_context.hpp"

#include <algorithm>
#include <utility>

#include "engine/run_state.hpp"
#include "rules/listing.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::rules {
namespace {

Target without_release(const Target& target) {
  Target made = target;
  made.release = {};
  return made;
}

}  // namespace

RuleContext::Run::Run(const engine::Run& what, std::span<const TrtVersion> r, std::vector<NodeId> executed,
                      std::span<const engine::Listing* const> listings, engine::WeakShapes& w)
    : target(without_release(what.target)),
      releases(r),
      tensors(what.model),
      nodes(std::move(executed)),
      view(what.model, what.shapes, target, tensors, nodes, what.numbers, releases),
      partition(releases, view.operators),
      findings(view, what.selection, releases, listings),
      weak(w) {
  const Shapes& s = what.shapes;
  conflicts.reserve(s.conflicts().size());
  for (const Conflict& conflict : s.conflicts()) {
    conflicts.emplace_back(conflict.node.index, static_cast<std::uint32_t>(conflicts.size()));
  }
  std::ranges::sort(conflicts);
}

RuleContext::RuleContext(Run& run) noexcept : run_(&run), view_(&run.view), node_(run.node) {}

const Rule& RuleContext::rule() const noexcept { return *run_->rule; }
std::span<const NodeId> RuleContext::nodes() const noexcept { return run_->nodes; }

const ConvView& RuleContext::conv() const {
  if (!run_->conv) run_->conv = conv_view(run_->view, node());
  return *run_->conv;
}

const Conflict* RuleContext::find_conflict(NodeId node, ConflictId id) const noexcept {
  const std::span<const Conflict> all = run_->view.shapes.conflicts();
  for (auto at = std::ranges::lower_bound(run_->conflicts, std::pair(node.index, std::uint32_t{0}));
       at != run_->conflicts.end() && at->first == node.index; ++at) {
    if (all[at->second].id == id) return &all[at->second];
  }
  return nullptr;
}

bool RuleContext::has_conflict() const noexcept {
  const std::span<const Conflict> all = run_->view.shapes.conflicts();
  for (auto at = std::ranges::lower_bound(run_->conflicts, std::pair(node_id().index, std::uint32_t{0}));
       at != run_->conflicts.end() && at->first == node_id().index; ++at) {
    // What TensorRT makes of those is what facts say.
    if (!all[at->second].is_of_standard) return true;
  }
  return false;
}

const Shapes& RuleContext::trt_shapes() const {
  if (!run_->view.shapes.solved_reshape()) return run_->view.shapes;  // the weaker question has the same answers
  if (!run_->weak.built) {
    InferOptions options = inference_options(run_->view.model, run_->view.target);
    options.as_tensorrt = true;
    run_->weak.built.emplace(infer(run_->view.model, options));
  }
  return *run_->weak.built;
}

const Shapes& RuleContext::parsed_shapes() const {
  if (run_->view.target.profile.empty()) return trt_shapes();
  if (!run_->weak.parsed) {
    InferOptions options = symbolic_options(run_->view.target);
    options.as_tensorrt = true;
    run_->weak.parsed.emplace(infer(run_->view.model, options));
  }
  return *run_->weak.parsed;
}

const Node* RuleContext::producer(ValueId id) const noexcept {
  const NodeId producer = producer_of(model(), id);
  return producer ? &model().node(producer) : nullptr;
}

FindingBuilder RuleContext::add(std::string message) { return add(run_->node, std::move(message)); }

FindingBuilder RuleContext::add(NodeId node, std::string message) {
  return FindingBuilder(run_->findings.add(*run_->rule, node, std::move(message)));
}

bool lists_all(const RuleContext& context) noexcept { return RuleContext::Run::of(context).findings.lists_all(); }

bool is_beyond_listing(const RuleContext& context) {
  return RuleContext::Run::of(context).findings.is_beyond_listing(context.rule());
}

const Extremes& extremes(const RuleContext& context) {
  std::optional<Extremes>& known = RuleContext::Run::of(context).extremes;
  if (known) return *known;
  known.emplace();
  for (std::uint32_t i = 0, end = static_cast<std::uint32_t>(context.model().value_count()); i < end; ++i) {
    const ValueShape& shape = context.shape(ValueId{i});
    known->rank = std::max(known->rank, shape.rank());
    known->elements = std::max(known->elements, fewest_elements(context.dims(), shape));
  }
  return *known;
}

FindingBuilder RuleContext::add_model(std::string message) { return add(NodeId{}, std::move(message)); }

}  // namespace trtcheck::rules
