#include "fold/fold.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "fold/allowed.hpp"
#include "fold/families.hpp"

namespace trtcheck {

using fold::Array;
using fold::quoted;
using fold::Unfolded;

namespace {

/// So that sizes and sums of sizes stay far from 2^63, whatever somebody allows.
constexpr std::int64_t kMostPerTensor = std::int64_t{1} << 31;

/// Inference follows integers exactly; of real numbers it forgets the sign of zero.
std::optional<Array> inferred(const ValueShape& shape, std::int64_t limit) {
  const bool is_whole =
      shape.type == DataType::int64 || shape.type == DataType::int32 || shape.type == DataType::boolean;
  const bool is_sure = !shape.assumed && !shape.differs && !shape.type_assumed;
  if (!shape.is_known || !is_whole || !is_sure || !shape.has_rank || shape.rank() > 1) return std::nullopt;
  if (static_cast<std::int64_t>(shape.known.size()) > limit) return std::nullopt;
  fold::Dims dims;
  for (const Dim dim : shape.dims) {
    if (!dim.is_literal()) return std::nullopt;
    dims.push_back(dim.value());
  }
  if (shape.known.size() != (dims.empty() ? 1 : static_cast<std::size_t>(dims[0]))) return std::nullopt;
  std::vector<std::int64_t> values;
  const std::int64_t most = std::int64_t{1} << (shape.type == DataType::int32 ? 31 : 62);
  for (const Dim element : shape.known) {
    if (!element.is_literal() || element.value() >= most || element.value() < -most) return std::nullopt;
    values.push_back(element.value());
  }
  return fold::array_of(shape.type, std::move(dims), values);
}

/// So well that nobody needs the contents to know type and dims.
bool is_shape_known(const ValueShape& shape) {
  const bool is_sure = !shape.assumed && !shape.differs && !shape.type_assumed;
  return is_sure && shape.has_rank && shape.type != DataType::undefined &&
         std::ranges::all_of(shape.dims, [](Dim dim) { return dim.is_literal(); });
}

bool is_if(const Node& node) { return node.op_type == "If" && node.domain().empty(); }

}  // namespace

struct Folder::Impl {
  Impl(const Model& m, const Shapes& s, Budget budget);

  /// What became of a value: an array, or a reason.
  struct Entry {
    std::shared_ptr<const Array> array;
    std::string reason;
    bool is_refused = false;  ///< and inference is not asked about it, or what follows from it
  };
  const Entry& settle(ValueId id);

  struct Waiting {
    ValueId id;
    std::size_t input = 0;  ///< those before it are settled: a Concat may have a hundred thousand
  };
  /// Settles a value, or names one that has to be settled first.
  ValueId step(Waiting& waiting);
  ValueId step_node(Waiting& waiting, NodeId node_id);
  ValueId step_if(ValueId id, const Node& node);
  /// The value is another one; `without` says why there is none.
  ValueId follow(ValueId id, ValueId other, const char* without);
  void evaluate(NodeId node_id, const fold::Row& row, std::int64_t opset);

  void keep(ValueId id, Array array);
  /// Whatever inference says.
  void refuse(ValueId id, std::string reason) { entries[id.index] = {nullptr, std::move(reason), true}; }
  /// Unless inference knows it.
  void fail(ValueId id, std::string reason);
  void fail_as(ValueId id, const Entry& other) { other.is_refused ? refuse(id, other.reason) : fail(id, other.reason); }
  [[nodiscard]] const Entry* find(ValueId id) const {
    const auto found = entries.find(id.index);
    return found == entries.end() ? nullptr : &found->second;
  }

  const Model* model;
  const Shapes* shapes;
  fold::Left left;
  std::unordered_map<std::uint32_t, Entry> entries{};
  std::set<std::pair<GraphId, std::string_view>> ambiguous{};  ///< names with two definitions
};

Folder::Impl::Impl(const Model& m, const Shapes& s, Budget budget) : model(&m), shapes(&s) {
  left = {std::min(budget.elements, kMostPerTensor), budget.total, budget.nodes, budget.steps};
  for (const Defect& defect : m.defects()) {
    const bool is_twice =
        defect.kind == Defect::Kind::duplicate_value || defect.kind == Defect::Kind::duplicate_initializer;
    if (is_twice && defect.value) ambiguous.emplace(defect.graph, m.value(defect.value).name);
  }
}

const Folder::Impl::Entry& Folder::Impl::settle(ValueId id) {
  std::vector<Waiting> waiting{{id}};
  std::unordered_set<std::uint32_t> is_waiting{id.index};
  while (!waiting.empty()) {
    const ValueId top = waiting.back().id;
    const ValueId first = find(top) == nullptr ? step(waiting.back()) : ValueId{};
    if (first && is_waiting.insert(first.index).second) {
      waiting.push_back({first});
      continue;
    }
    if (first) refuse(top, quoted(model->value(top).name) + " depends on itself");
    is_waiting.erase(top.index);
    waiting.pop_back();
  }
  return *find(id);
}

void Folder::Impl::fail(ValueId id, std::string reason) {
  if (std::optional<Array> known = inferred((*shapes)[id], std::min(left.elements, left.total))) {
    keep(id, std::move(*known));
  } else {
    entries[id.index] = {nullptr, std::move(reason)};
  }
}

void Folder::Impl::keep(ValueId id, Array array) {
  const auto elements = static_cast<std::int64_t>(array.count());
  // An empty one costs memory, too.
  if (elements + 1 > left.total) {
    return refuse(id, "more elements in total than the budget allows");
  }
  left.total -= elements + 1;
  entries[id.index] = {std::make_shared<const Array>(std::move(array)), {}};
}

ValueId Folder::Impl::follow(ValueId id, ValueId other, const char* without) {
  if (!other) {
    fail(id, without);
    return {};
  }
  const Entry* entry = find(other);
  if (entry == nullptr) return other;
  if (entry->array) {
    entries[id.index] = Entry(*entry);
  } else {
    fail_as(id, *entry);
  }
  return {};
}

ValueId Folder::Impl::step(Waiting& waiting) {
  const ValueId id = waiting.id;
  const Value& value = model->value(id);
  if (ambiguous.contains({value.graph, value.name})) {
    refuse(id, quoted(value.name) + " is defined twice");
    return {};
  }
  if (const TensorId constant = model->constant(id)) {
    try {
      keep(id, fold::read_constant(*model, constant, left));
    } catch (const Unfolded& why) {
      refuse(id, why.reason);
    }
    return {};
  }
  if (value.producer) return step_node(waiting, value.producer);
  const Graph& graph = model->graph(value.graph);
  if (graph.kind == Graph::Kind::function_call && value.is_input) {
    const auto at = static_cast<std::size_t>(std::ranges::find(graph.inputs, id) - graph.inputs.begin());
    return follow(id, model->node(graph.parent).input(at), "an input of a function is left out");
  }
  fail(id, quoted(value.name) + (value.is_defined ? " is an input" : " is not defined"));
  return {};
}

ValueId Folder::Impl::step_node(Waiting& waiting, NodeId node_id) {
  const ValueId id = waiting.id;
  const Node& node = model->node(node_id);
  if (node.call()) {
    const std::span<const ValueId> results = model->graph(node.call()).outputs;
    const std::uint32_t output = model->value(id).output;
    return follow(id, output < results.size() ? results[output] : ValueId{}, "a function has no such output");
  }
  if (is_if(node)) return step_if(id, node);
  const fold::Row* row = node.domain().empty() ? fold::find_row(node.op_type) : nullptr;
  const std::optional<std::int64_t> opset = model->opset(node.graph);
  if (row == nullptr || !opset) {
    fail(id, "operator " + quoted(node.op_type) + " is not evaluated");
    return {};
  }
  for (std::size_t& i = waiting.input; i < node.inputs.size(); ++i) {
    const bool is_read = i >= 64 || (row->reads >> i & 1U) != 0;
    if (!node.inputs[i] || (!is_read && is_shape_known((*shapes)[node.inputs[i]]))) continue;
    const Entry* entry = find(node.inputs[i]);
    if (entry == nullptr) return node.inputs[i];
    if (entry->array || !is_read) continue;
    fail_as(id, *entry);
    return {};
  }
  try {
    evaluate(node_id, *row, *opset);
  } catch (const Unfolded& why) {
    std::string reason = "operator " + quoted(node.op_type) + ": " + why.reason;
    why.may_be_inferred ? fail(id, std::move(reason)) : refuse(id, std::move(reason));
  } catch (const std::bad_alloc&) {
    refuse(id, "operator " + quoted(node.op_type) + ": there is not enough memory");
  }
  return {};
}

void Folder::Impl::evaluate(NodeId node_id, const fold::Row& row, std::int64_t opset) {
  const Node& node = model->node(node_id);
  if (left.nodes <= 0) throw Unfolded{"more nodes than the budget allows"};
  --left.nodes;
  fold::Call call{*model, *shapes, node, opset, {}, left};
  std::int64_t steps = 1;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Entry* entry = node.inputs[i] ? find(node.inputs[i]) : nullptr;
    call.inputs.push_back(entry != nullptr ? entry->array.get() : nullptr);
    if (call.inputs.back() != nullptr) steps += static_cast<std::int64_t>(call.inputs.back()->count());
  }
  call.spend(steps);
  fold::check_allowed(call);
  fold::Outputs outputs = row.evaluate(call);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const ValueId output = node.outputs[i];
    if (!output || find(output) != nullptr) continue;
    if (i < outputs.size()) {
      static_cast<void>(call.count(outputs[i].dims));
      keep(output, std::move(outputs[i]));
    } else {
      fail(output, "output " + std::to_string(i) + " of operator " + quoted(node.op_type) + " is not evaluated");
    }
  }
}

ValueId Folder::Impl::step_if(ValueId id, const Node& node) {
  const Entry* condition = find(node.input(0));
  if (condition == nullptr && node.input(0)) return node.input(0);
  if (condition == nullptr) {
    refuse(id, "an If has no condition");
    return {};
  }
  if (!condition->array) {
    fail_as(id, *condition);
    return {};
  }
  const Array& array = *condition->array;
  if (array.type != DataType::boolean || array.count() != 1) {
    fail(id, "the condition of an If is not one BOOL");
    return {};
  }
  const Attribute* branch = node.attribute(array.bytes[0] != std::byte{0} ? "then_branch" : "else_branch");
  const std::span<const ValueId> results = model->graph(branch == nullptr ? GraphId{} : branch->g()).outputs;
  const std::uint32_t output = model->value(id).output;
  return follow(id, output < results.size() ? results[output] : ValueId{}, "the branch of an If has no such output");
}

Folder::Folder(const Model& model, const Shapes& shapes, Budget budget)
    : impl_(std::make_unique<Impl>(model, shapes, budget)) {}
Folder::Folder(Folder&&) noexcept = default;
Folder& Folder::operator=(Folder&&) noexcept = default;
Folder::~Folder() = default;

std::optional<Constant> Folder::value(ValueId id) {
  const Impl::Entry& entry = impl_->settle(id);
  if (!entry.array) return std::nullopt;
  return fold::packed(*entry.array);
}

std::string_view Folder::why_not(ValueId id) { return impl_->settle(id).reason; }

}  // namespace trtcheck
