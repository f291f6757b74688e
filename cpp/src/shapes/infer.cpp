// The driver: graphs in topological order, one node at a time.
#include "shapes/infer.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/core.h>

#include "model/external_files.hpp"
#include "shapes/assume.hpp"
#include "shapes/known_values.hpp"
#include "shapes/table.hpp"
#include "text/printable.hpp"

namespace trtcheck::shapes {

std::size_t InferState::OpKeyHash::operator()(const OpKey& key) const noexcept {
  const std::hash<std::string_view> hash;
  const std::size_t of_domain = key.domain.empty() ? 0 : hash(key.domain);
  return hash(key.op) ^ (of_domain * 31) ^ static_cast<std::size_t>(key.opset);
}

OpEntry& InferState::entry(const Node& node, std::int64_t opset) {
  const OpKey key{node.domain(), node.op_type, opset};
  const auto [found, is_new] = entries.try_emplace(key);
  if (is_new) {
    const OpRow* row = find_op(node.domain(), node.op_type, opset);
    found->second.facts = schema::schema_facts(node.domain(), node.op_type, opset);
    found->second.ever_known = found->second.facts != nullptr || schema::was_ever_known(node.domain(), node.op_type);
    // A row of ONNX's own counts where the opset has the operator.
    if (found->second.facts == nullptr && node.domain().empty()) row = nullptr;
    if (row == nullptr && !found->second.ever_known) row = find_by_name(node.domain(), node.op_type);
    found->second.infer = row == nullptr ? nullptr : row->infer;
    if (user != nullptr) found->second.user = user->find(node.domain(), node.op_type, !found->second.ever_known);
  }
  return found->second;
}

std::int64_t InferState::opset(GraphId graph, std::string_view domain) {
  if (!domain.empty()) return model.opset(graph, domain).value_or(0);
  if (opset_graph != graph) {
    opset_graph = graph;
    onnx_opset = model.opset(graph, "").value_or(0);
  }
  return onnx_opset;
}

bool InferState::may_follow(std::size_t count) noexcept {
  if (count <= kShortContents) return true;
  const bool enough = count <= long_contents_left;
  long_contents_left = enough ? long_contents_left - count : 0;
  return enough;
}

bool InferState::may_keep_dims(std::size_t rank) noexcept {
  // No engine has more than 8; a file of a few megabytes can pass a thousand on to a million values.
  constexpr std::size_t kShortRank = 16;
  if (rank <= kShortRank) return true;
  const bool enough = rank <= long_dims_left;
  long_dims_left = enough ? long_dims_left - rank : 0;
  return enough;
}

namespace {

void set_unknown(InferState& state, ValueId id, NodeId node, std::string_view reason) {
  ValueShape shape;
  shape.reason = reason;
  shape.reason_node = node;
  state.at(id) = shape;
}

bool is_random(std::string_view op) {
  return op.starts_with("Random") || op == "Multinomial" || op == "Bernoulli" || op == "Dropout";
}

/// A node whose inputs are all constants computes a constant, unless it draws lots or runs graphs of its own.
bool folds(InferState& state, const Node& node) {
  if (is_random(node.op_type)) return false;
  for (const Attribute& attribute : node.attributes()) {
    if (attribute.type == AttributeType::graph || attribute.type == AttributeType::graphs) return false;
  }
  for (const ValueId input : node.inputs) {
    if (input && !state.result.folds[input.index]) return false;
  }
  return true;
}

bool all_literals(const ValueShape& shape) {
  return shape.is_known &&
         std::all_of(shape.known.begin(), shape.known.end(), [](Dim dim) { return dim.is_literal(); });
}

/// What is wrong with the node's arity; nothing when the schema allows it.
std::optional<std::string> arity_fault(const InferState& state, const Node& node, const schema::SchemaFacts& facts) {
  const auto inputs = static_cast<std::int64_t>(node.inputs.size());
  const auto outputs = static_cast<std::int64_t>(node.outputs.size());
  if (inputs < facts.min_inputs)
    return fmt::format("malformed node: {} inputs, at least {} are required", inputs, facts.min_inputs);
  if (inputs > facts.max_inputs)
    return fmt::format("malformed node: {} inputs, at most {} are allowed", inputs, facts.max_inputs);
  if (outputs < facts.min_outputs)
    return fmt::format("malformed node: {} outputs, at least {} are required", outputs, facts.min_outputs);
  if (outputs > facts.max_outputs)
    return fmt::format("malformed node: {} outputs, at most {} are allowed", outputs, facts.max_outputs);
  for (std::size_t i = 0; i < node.inputs.size() && i < 64; ++i) {
    if ((facts.required_inputs >> i & 1U) == 0) continue;
    if (!node.inputs[i] || state.omitted[node.inputs[i].index])
      return fmt::format("malformed node: input {} is required", i);
  }
  for (const schema::AttributeFacts& attribute : facts.attributes) {
    const Attribute* given = node.attribute(attribute.name);
    if (given == nullptr && attribute.required)
      return fmt::format("malformed node: attribute `{}` is required", attribute.name);
    if (given != nullptr && given->type != attribute.type && given->ref_attr_name.empty()) {
      return fmt::format("malformed node: attribute `{}` has the wrong type", attribute.name);
    }
  }
  return std::nullopt;
}

/// Every value behind the node gives it as its reason, so the words of the file in it are short.
std::string unknown_operator(const Node& node, const OpEntry& entry, std::int64_t opset) {
  if (opset == 0 && !node.domain().empty()) {
    return fmt::format("domain `{}` is not imported", shortened(node.domain(), kMaxName));
  }
  const std::string name = shortened(node.op_type, kMaxName);
  if (entry.ever_known) return fmt::format("operator `{}` does not exist at opset {}", name, opset);
  return fmt::format("operator `{}` is not known", name);
}

void run_node(InferState& state, NodeId id, const Node& node) {
  if (node.call()) return infer_call(state, id);
  const std::int64_t opset = state.opset(node.graph, node.domain());
  OpEntry& entry = state.entry(node, opset);
  OpContext op(state, id);
  if (entry.user != nullptr) return run_user_function(op, *entry.user);
  if (entry.facts != nullptr) {
    if (auto fault = arity_fault(state, node, *entry.facts)) {
      const std::string_view reason = state.result.keep(std::move(*fault));
      for (const ValueId output : node.outputs) {
        if (output) set_unknown(state, output, id, reason);
      }
      return;
    }
  }
  if (entry.infer != nullptr) return entry.infer(op);
  if (entry.why_unknown.empty()) entry.why_unknown = state.result.keep(unknown_operator(node, entry, opset));
  for (const ValueId output : node.outputs) {
    if (output) set_unknown(state, output, id, entry.why_unknown);
  }
}

/// The shape function said nothing: the reason is the first input that is not known.
void explain(InferState& state, NodeId id, ValueShape& shape) {
  shape.reason = "not enough is known of the inputs";
  shape.reason_node = id;
  for (const ValueId input : state.model.node(id).inputs) {
    if (!input || state.at(input).has_rank || state.at(input).reason.empty()) continue;
    shape.reason = state.at(input).reason;
    shape.reason_node = state.at(input).reason_node;
    return;
  }
}

/// Puts what a node is to read in the place of what is there, as long as it lives.
class Revised {
 public:
  Revised(InferState& state, NodeId id) : state_(&state) {
    if (state.revise == nullptr) return;
    for (const Instead& instead : (*state.revise)(id, state.result.values, state.result.dims)) put(instead);
  }
  ~Revised() {
    for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) state_->at(kept->first) = kept->second;
  }
  Revised(const Revised&) = delete;
  Revised& operator=(const Revised&) = delete;

 private:
  void put(const Instead& instead) {
    ValueShape& shape = state_->at(instead.value);
    kept_.emplace_back(instead.value, shape);
    if (instead.dims) {
      shape.dims = state_->result.arena.copy(*instead.dims);
      shape.is_known = false;
    }
    if (!instead.contents) return;
    const Dim length = state_->result.dims.literal(static_cast<std::int64_t>(instead.contents->size()));
    shape.dims = state_->result.arena.copy({&length, 1});
    shape.known = state_->result.arena.copy(*instead.contents);
    shape.is_known = true;
  }

  InferState* state_;
  std::vector<std::pair<ValueId, ValueShape>> kept_;
};

}  // namespace

void infer_node(InferState& state, NodeId id) {
  const Revised revised(state, id);
  const Node& node = state.model.node(id);
  for (const ValueId output : node.outputs) {
    if (!output) continue;
    state.at(output) = ValueShape{};
    state.result.folds[output.index] = false;
    if (!state.result.matrices.empty()) state.result.matrices.erase(output.index);
    if (!state.result.elements.empty()) state.result.elements.erase(output.index);
  }
  // Control flow runs other nodes in between.
  const bool outer = std::exchange(state.differs, false);
  run_node(state, id, node);
  const bool differs_here = std::exchange(state.differs, outer);
  const bool is_constant = !node.call() && folds(state, node);
  const bool is_assumed = std::any_of(node.inputs.begin(), node.inputs.end(),
                                      [&](ValueId input) { return input && state.at(input).assumed; });
  const bool differs = differs_here || std::any_of(node.inputs.begin(), node.inputs.end(),
                                                   [&](ValueId input) { return input && state.at(input).differs; });
  for (const ValueId output : node.outputs) {
    if (!output) continue;
    ValueShape& shape = state.at(output);
    if (shape.kind == ValueShape::Kind::unknown && shape.reason.empty()) {
      explain(state, id, shape);
    }
    shape.assumed = shape.assumed || (is_assumed && shape.has_rank);
    shape.differs = shape.differs || (differs && shape.has_rank);
    if (is_constant || all_literals(shape)) state.result.folds[output.index] = true;
    if (state.model.value(output).declared) reconcile_claim(state, output);
  }
}

void infer_graph(InferState& state, GraphId graph) {
  ++state.depth;
  for (const NodeId node : state.model.graph(graph).order) infer_node(state, node);
  --state.depth;
}

}  // namespace trtcheck::shapes

namespace trtcheck {

namespace {

Shapes inferred(const Model& model, const InferOptions& options, const Revise* revise) {
  look_again(model);
  const shapes::UserFunctions user(options.shape_functions);
  auto impl = std::make_unique<ShapesAccess::Impl>();
  impl->values.resize(model.value_count());
  impl->folds.resize(model.value_count());
  shapes::InferState state{.model = model, .options = options, .result = *impl};
  state.revise = revise;
  state.user = user.empty() ? nullptr : &user;
  state.omitted.resize(model.value_count());
  shapes::infer_main_inputs(state);
  shapes::infer_initializers(state);
  shapes::infer_graph(state, GraphId{0});
  return ShapesAccess::make(std::move(impl));
}

/// What cannot hold only because of what was assumed is a mistake of who assumed it.
void check_assumptions(const Model& model, const InferOptions& options, const Shapes& shapes) {
  if (options.assume.empty() || shapes.conflicts().empty()) return;
  InferOptions without = options;
  without.assume.clear();
  const Conflict* const first = shapes::first_new_conflict(inferred(model, without, nullptr), shapes);
  if (first == nullptr) return;
  // One of them may be enough.
  for (const std::string& each : options.assume) {
    without.assume = {each};
    const Shapes alone = inferred(model, without, nullptr);
    if (options.assume.size() == 1 || std::ranges::any_of(alone.conflicts(), [&](const Conflict& conflict) {
          return conflict.node == first->node && conflict.id == first->id;
        })) {
      shapes::refuse_assumption(model, {&each, 1}, *first);
    }
  }
  shapes::refuse_assumption(model, options.assume, *first);
}

}  // namespace

Shapes infer(const Model& model, const InferOptions& options) {
  Shapes made = inferred(model, options, nullptr);
  check_assumptions(model, options, made);
  return made;
}

Shapes infer_revised(const Model& model, const InferOptions& options, const Revise& revise) {
  return inferred(model, options, &revise);
}

}  // namespace trtcheck
