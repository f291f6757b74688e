#include "simplify/decisions.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simplify/same.hpp"
#include "simplify/target.hpp"

namespace trtcheck::simplifying {
namespace {

// A chain of reshapes is followed so far.
constexpr int kMostReshapes = 16;

/// "[1, -1, 768]", "FLOAT[64,3]"
std::string contents_text(Known& known, ValueId value) {
  const Constant& constant = *known.contents(value);
  constexpr std::size_t kMost = 8;
  if (const auto numbers = known.ints(value); numbers && constant.dims.size() < 2 && numbers->size() <= kMost) {
    return constant.dims.empty() ? fmt::format("{}", numbers->front()) : fmt::format("[{}]", fmt::join(*numbers, ", "));
  }
  return fmt::format("{}[{}]", to_string(constant.type), fmt::join(constant.dims, ","));
}

std::optional<std::vector<std::int64_t>> perm_of(const Node& node) {
  const Attribute* perm = node.attribute("perm");
  if (node.op_type != "Transpose" || !node.domain().empty() || perm == nullptr || perm->type != AttributeType::ints) {
    return std::nullopt;
  }
  return std::vector<std::int64_t>(perm->ints().begin(), perm->ints().end());
}

bool is_onnx(const Node& node, std::string_view op) { return node.op_type == op && node.domain().empty(); }

}  // namespace

Decisions::Decisions(Known& known, bool shortens)
    : known_(&known), shortens_(shortens), values_(known), is_stored_(model().value_count()) {
  walk(GraphId{0});
  give_output_names();
}

const Decision* Decisions::of(NodeId node) const {
  const auto found = decisions_.find(node.index);
  return found == decisions_.end() ? nullptr : &found->second;
}

ValueId Decisions::reads(NodeId id, std::size_t input) const {
  if (const Decision* decision = of(id)) {
    for (const Written& written : decision->written) {
      if (written.input == input) return {};
    }
    if (const auto other = decision->reads.find(input); other != decision->reads.end()) {
      return values_.first(other->second);
    }
  }
  return values_.first(model().node(id).input(input));
}

std::string_view Decisions::new_name(ValueId value) const {
  const auto found = new_names_.find(value.index);
  return found == new_names_.end() ? std::string_view{} : found->second;
}

bool Decisions::is_in_sight(ValueId value, GraphId from) const {
  return model().value(value).graph == from || values_.has_own_name(value);
}

bool Decisions::is_any_pinned(const Node& node) const {
  return std::ranges::any_of(node.outputs, [&](ValueId id) { return id && values_.is_pinned(id); });
}

void Decisions::walk(GraphId id) {
  const Graph& graph = model().graph(id);
  graphs_.push_back(id);
  values_.enter();
  meet_initializers(id);
  for (std::uint32_t i = 0; i < graph.node_count; ++i) visit(NodeId{graph.first_node.index + i});
  values_.leave();
}

void Decisions::meet_initializers(GraphId id) {
  for (const ValueId value : values_.stored_in(id)) {
    const auto key = values_.constant_key(value);
    const ValueId other = key ? values_.earlier(*key, value) : ValueId{};
    if (!other || values_.is_pinned(value) || model().value(value).is_input || !is_in_sight(other, id)) continue;
    values_.is_same(value, other);
    note("constant-shared", {},
         fmt::format("read `{}` instead of `{}`, which is the same", model().value(other).name,
                     model().value(value).name));
  }
}

void Decisions::visit(NodeId id) {
  known_->learn(id);
  if (is_constant(id) || is_same_as_input(id) || is_same_sizes(id) || is_duplicate(id) || is_reshaped_back(id)) return;
  shorten_reshapes(id);
  shorten_transposes(id);
  shorten_casts(id);
  write_inputs(id);
  for (const Attribute& attribute : model().node(id).attributes()) {
    if (attribute.g()) walk(attribute.g());
    for (const GraphId body : attribute.graphs()) walk(body);
  }
}

bool Decisions::is_constant(NodeId id) {
  const Node& node = model().node(id);
  const auto is_folded = [&](ValueId output) {
    return !known_->is_read(output) || known_->contents(output) != nullptr;
  };
  if (node.outputs.empty() || !std::ranges::all_of(node.outputs, is_folded)) return false;
  const bool is_written_out = is_onnx(node, "Constant");
  for (const ValueId output : node.outputs) {
    if (!known_->is_read(output)) continue;
    const ValueId other = values_.earlier(*values_.constant_key(output), output);
    const bool is_shared = other && !values_.is_pinned(output) && is_in_sight(other, node.graph);
    const bool may_store = !is_written_out || (model().ir_version() >= kOwnInitializers && !values_.is_pinned(output));
    if (is_shared) {
      values_.is_same(output, other);
    } else if (may_store) {
      is_stored_[output.index] = true;
    }
    const std::string_view name = model().value(output).name;
    if (!is_written_out) {
      note("constant-stored", id, fmt::format("`{}` is always {}", name, contents_text(*known_, output)));
    } else if (is_shared) {
      note("constant-shared", id,
           fmt::format("read `{}` instead of `{}`, which is the same", model().value(other).name, name));
    } else if (may_store) {
      note("constant-stored", id, fmt::format("store `{}` as an initializer", name));
    }
  }
  return true;
}

bool Decisions::is_same_as_input(NodeId id) {
  const Node& node = model().node(id);
  const ValueId input = values_.first(same_input(*known_, id));
  if (!input || !is_in_sight(input, node.graph)) return false;
  is_the_same(id, input, fmt::format("{} changes nothing", node.op_type));
  return !values_.is_pinned(node.output(0));
}

bool Decisions::is_same_sizes(NodeId id) {
  const Node& node = model().node(id);
  if (node.outputs.size() != 1 || !node.output(0) || node.call()) return false;
  const ValueId output = node.output(0);
  const auto key = values_.sizes_key(output);
  const ValueId other = key ? values_.earlier(*key, output) : ValueId{};
  if (!other || values_.is_pinned(output) || !is_in_sight(other, node.graph)) return false;
  values_.is_same(output, other);
  note("size-shared", id,
       fmt::format("read `{}` instead of `{}`: both are {}", model().value(other).name, model().value(output).name,
                   known_->dims().text(known_->sizes(output)->front())));
  return true;
}

bool Decisions::is_duplicate(NodeId id) {
  const Node& node = model().node(id);
  const auto named = std::ranges::find_if(node.outputs, [](ValueId output) { return static_cast<bool>(output); });
  if (named == node.outputs.end()) return false;
  auto key = values_.node_key(id);
  const ValueId other = key ? values_.earlier(*std::move(key), *named) : ValueId{};
  if (!other || is_any_pinned(node)) return false;
  const Node& first = model().node(model().value(other).producer);
  for (const ValueId output : first.outputs) {
    if (output && !is_in_sight(output, node.graph)) return false;
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i]) values_.is_same(node.outputs[i], first.outputs[i]);
  }
  note("duplicate-merged", id,
       fmt::format("read `{}` instead of `{}`: {} of the same inputs", model().value(other).name,
                   model().value(*named).name, node.op_type));
  return true;
}

bool Decisions::is_reshaped_back(NodeId id) {
  const Node& node = model().node(id);
  if (!keeps_order(node) || !node.output(0)) return false;
  const ValueId output = node.output(0);
  ValueId from = data(id);
  reshaped_from_[output.index] = from;
  for (int i = 0; from && i < kMostReshapes; ++i) {
    const auto next = reshaped_from_.find(from.index);
    if (next == reshaped_from_.end()) return false;
    from = values_.first(next->second);
    if (!from || !known_->are_alike(output, from) || !is_in_sight(from, node.graph)) continue;
    is_the_same(id, from, "it is reshaped and back");
    return !values_.is_pinned(output);
  }
  return false;
}

void Decisions::is_the_same(NodeId id, ValueId other, std::string_view why) {
  const ValueId output = model().node(id).output(0);
  if (values_.is_pinned(output)) {
    outputs_.emplace_back(output, other);
    return;
  }
  values_.is_same(output, other);
  note("identity-removed", id,
       fmt::format("read `{}` instead of `{}`: {}", model().value(other).name, model().value(output).name, why));
}

void Decisions::shorten_reshapes(NodeId id) {
  const Node& node = model().node(id);
  if (!is_onnx(node, "Reshape") || node.attribute("allowzero") != nullptr || !node.input(1)) return;
  ValueId from = data(id);
  for (int i = 0; from && i < kMostReshapes; ++i) {
    const auto next = reshaped_from_.find(from.index);
    const bool is_alone = model().value(from).users.size() == 1 && !values_.is_pinned(from);
    const ValueId before = next == reshaped_from_.end() ? ValueId{} : values_.first(next->second);
    if (!before || !is_alone || !is_in_sight(before, node.graph)) break;
    from = before;
  }
  if (!from || from == data(id) || !known_->has_shape(from)) return;
  const auto numbers = known_->ints(node.input(1));
  const bool copies = !numbers || std::ranges::find(*numbers, 0) != numbers->end();
  Decision decision;
  if (copies) {
    const auto target = reshape_target(*known_, from, node.output(0));
    if (!target) return;
    decision.written.push_back(
        {.input = 1, .constant = vector_of(DataType::int64, *target), .parts = {}, .title = {}, .dropped = {}});
  }
  note("reshape-shortened", id,
       fmt::format("reshape `{}` at once instead of `{}`", model().value(from).name, model().value(data(id)).name));
  decision.reads.emplace(0, from);
  decisions_.emplace(id.index, std::move(decision));
}

void Decisions::shorten_transposes(NodeId id) {
  const Node& node = model().node(id);
  const auto perm = perm_of(node);
  const Node& before = model().node(model().value(data(id)).producer);
  const auto first = perm_of(before);
  if (!perm || !first || perm->size() != first->size()) return;
  const ValueId from = values_.first(before.input(0));
  if (!from || !is_in_sight(from, node.graph)) return;
  std::vector<std::int64_t> both;
  for (const std::int64_t axis : *perm) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(first->size())) return;
    both.push_back((*first)[static_cast<std::size_t>(axis)]);
  }
  if (std::ranges::is_sorted(both)) return is_the_same(id, from, "it is transposed and back");
  note("transpose-shortened", id,
       fmt::format("transpose `{}` at once by [{}]", model().value(from).name, fmt::join(both, ", ")));
  decisions_[id.index].reads.emplace(0, from);
  decisions_[id.index].perm = std::move(both);
}

void Decisions::shorten_casts(NodeId id) {
  const Node& node = model().node(id);
  if (!is_onnx(node, "Cast") || !node.output(0)) return;
  const ValueId middle = data(id);
  const Node& before = model().node(model().value(middle).producer);
  const ValueId from = is_onnx(before, "Cast") ? values_.first(before.input(0)) : ValueId{};
  if (!from || !known_->has_type(from) || !known_->has_type(middle) || !is_in_sight(from, node.graph)) return;
  if (!is_lossless(known_->shapes()[from].type, known_->shapes()[middle].type)) return;
  if (known_->are_alike(from, node.output(0))) return is_the_same(id, from, "it is cast and back");
  note("cast-shortened", id, fmt::format("cast `{}` at once", model().value(from).name));
  decisions_[id.index].reads.emplace(0, from);
}

void Decisions::write_inputs(NodeId id) {
  std::vector<Written> written = written_inputs(*known_, id, data(id), shortens_);
  if (written.empty()) return;
  Decision& decision = decisions_[id.index];
  for (Written& one : written) {
    if (std::ranges::find(decision.written, one.input, &Written::input) != decision.written.end()) continue;
    if (!one.title.empty()) note("sizes-written", id, one.title);
    decision.written.push_back(std::move(one));
  }
}

/// A node that only gives an output its name goes where the value can have that name from the start.
void Decisions::give_output_names() {
  for (const auto& [output, equal] : outputs_) {
    const ValueId value = values_.first(equal);
    const Value& made = model().value(value);
    const bool is_free = made.producer && !values_.is_pinned(value) && !is_stored_[value.index] &&
                         new_name(value).empty() && made.graph == model().value(output).graph &&
                         values_.first(output) == output && values_.has_own_name(output) &&
                         known_->contents(value) == nullptr;
    if (!is_free) continue;
    const NodeId node = model().value(output).producer;
    note("identity-removed", node,
         fmt::format("name `{}` `{}` from the start: {} changes nothing", made.name, model().value(output).name,
                     model().node(node).op_type));
    values_.is_same(output, value);
    new_names_.emplace(value.index, model().value(output).name);
  }
}

}  // namespace trtcheck::simplifying
