#include "cure/cures/elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "cure/cures/declarations.hpp"
#include "cure/numbers.hpp"
#include "fold/array.hpp"

namespace trtcheck::cure {
namespace {

std::optional<Converted> from_reals(const Constant& constant, const std::vector<double>& numbers, DataType to) {
  if (!fold::is_real(to)) {
    std::vector<std::int64_t> whole;
    for (const double number : numbers) {
      if (std::trunc(number) != number || std::abs(number) >= std::ldexp(1.0, 62)) return std::nullopt;
      whole.push_back(static_cast<std::int64_t>(number));
    }
    Converted made{constant_of(to, constant.dims, whole), true};
    const auto back = whole_numbers(made.constant);
    if (!back || *back != whole) return std::nullopt;
    return made;
  }
  Converted made{constant_of(to, constant.dims, numbers), true};
  const auto back = real_numbers(made.constant);
  if (!back || back->size() != numbers.size()) return std::nullopt;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i]) && !std::isfinite((*back)[i])) return std::nullopt;
    if (std::isnan(numbers[i]) != std::isnan((*back)[i])) return std::nullopt;
    if (!std::isnan(numbers[i]) && numbers[i] != (*back)[i]) made.exact = false;
  }
  return made;
}

std::optional<Converted> from_integers(const Constant& constant, const std::vector<std::int64_t>& numbers,
                                       DataType to) {
  if (fold::is_real(to)) {
    std::vector<double> reals;
    bool exact = true;
    for (const std::int64_t number : numbers) {
      reals.push_back(static_cast<double>(number));
      exact = exact && std::abs(reals.back()) <= std::ldexp(1.0, 53);
    }
    auto made = from_reals(constant, reals, to);
    if (made) made->exact = made->exact && exact;
    return made;
  }
  Converted made{constant_of(to, constant.dims, numbers), true};
  const auto back = whole_numbers(made.constant);
  if (!back || *back != numbers) return std::nullopt;
  return made;
}

bool is_number(DataType type) {
  return fold::width_of(type) != 0 && type != DataType::uint64 && type != DataType::float8e8m0;
}

}  // namespace

std::optional<Converted> converted(const Constant& constant, DataType to) {
  if (!is_number(constant.type) || !is_number(to)) return std::nullopt;
  if (fold::is_real(constant.type)) {
    const auto numbers = real_numbers(constant);
    return numbers ? from_reals(constant, *numbers, to) : std::nullopt;
  }
  const auto numbers = whole_numbers(constant);
  return numbers ? from_integers(constant, *numbers, to) : std::nullopt;
}

std::optional<Constant> stored(Draft& draft, ValueId id) {
  if (auto known = draft.contents(id)) return known;
  return tensor_contents(draft.model(), draft.model().constant(id));
}

Constant constant_of(DataType type, std::vector<std::int64_t> dims, const std::vector<double>& numbers) {
  return fold::packed(fold::array_of<double>(type, std::move(dims), numbers));
}

Constant constant_of(DataType type, std::vector<std::int64_t> dims, const std::vector<std::int64_t>& numbers) {
  return fold::packed(fold::array_of<std::int64_t>(type, std::move(dims), numbers));
}

std::string cast(Draft& draft, const std::string& value, DataType to) {
  return draft.op("Cast", {value}, {{"to", static_cast<std::int64_t>(to)}});
}

void cast_to(Draft& draft, const std::string& output, const std::string& value, DataType to) {
  draft.op_to({output}, "Cast", {value}, {{"to", static_cast<std::int64_t>(to)}});
}

void like_node(Draft& draft, std::string_view op_type, Draft::Inputs inputs, std::vector<std::string> outputs,
               Draft::Attributes attributes) {
  draft.add(edit::InsertNode{draft.place().graph,
                             draft.place().position,
                             {.op_type = std::string(op_type),
                              .inputs = std::move(inputs),
                              .outputs = std::move(outputs),
                              .attributes = std::move(attributes),
                              .name = {},
                              .domain = {},
                              .like = draft.place()}});
}

void store_output(Draft& draft, NodeId node, const Constant& constant) {
  const Node& old = draft.model().node(node);
  const ValueId output = old.output(0);
  edit::TensorValue tensor{.type = constant.type, .dims = constant.dims, .bytes = {}};
  tensor.bytes.assign(reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size());
  const edit::NodeAt place = edit::place_of(draft.model(), node);
  draft.remove_node(node);
  // Before IR version 4 initializers are inputs, too; an output is made by a node, so that it is one for everybody.
  constexpr std::int64_t kOwnInitializers = 4;
  const std::string name(draft.model().value(output).name);
  if (place.graph.function || draft.model().ir_version() < kOwnInitializers || draft.model().value(output).is_output) {
    draft.add(edit::InsertNode{
        place.graph,
        place.position,
        {.op_type = "Constant", .inputs = {}, .outputs = {name}, .attributes = {{"value", std::move(tensor)}}}});
  } else {
    draft.add(edit::PutTensor{place.graph, name, std::move(tensor)});
  }
}

namespace {

/// A node that is new, or an input that is.
bool reads(const edit::Edit& edit, std::string_view name) {
  if (const auto* set = std::get_if<edit::SetInput>(&edit)) return set->name == name;
  const auto* inserted = std::get_if<edit::InsertNode>(&edit);
  return inserted != nullptr && std::ranges::find(inserted->node.inputs, name) != inserted->node.inputs.end();
}

bool is_changed(const Draft& draft, const Use& use) {
  const edit::NodeAt place = edit::place_of(draft.model(), use.node);
  return std::ranges::any_of(draft.edits(), [&](const edit::Edit& edit) {
    if (const auto* removed = std::get_if<edit::RemoveNode>(&edit)) return removed->node == place;
    const auto* set = std::get_if<edit::SetInput>(&edit);
    return set != nullptr && set->node == place && set->index == use.input;
  });
}

}  // namespace

void drop_stored(Draft& draft, ValueId id) {
  const Value& value = draft.model().value(id);
  if (!value.initializer || value.is_input || value.is_output || value.users.empty()) return;
  if (!std::ranges::all_of(value.users, [&](const Use& use) { return is_changed(draft, use); })) return;
  if (std::ranges::any_of(draft.edits(), [&](const edit::Edit& edit) { return reads(edit, value.name); })) return;
  const edit::RemoveTensor removal{edit::place_of(draft.model(), value.graph), std::string(value.name)};
  const bool is_there = std::ranges::any_of(draft.edits(), [&](const edit::Edit& edit) {
    const auto* removed = std::get_if<edit::RemoveTensor>(&edit);
    return removed != nullptr && removed->name == removal.name && removed->graph == removal.graph;
  });
  if (!is_there) draft.add(removal);
}

std::string name_of(const Draft& draft, ValueId id) { return std::string(draft.model().value(id).name); }

NodeId producer(const Draft& draft, ValueId id) { return draft.model().value(id).producer; }

bool is_onnx_op(const Draft& draft, NodeId node, std::string_view op_type) {
  return node && draft.model().node(node).op_type == op_type && draft.model().node(node).domain().empty();
}

}  // namespace trtcheck::cure
