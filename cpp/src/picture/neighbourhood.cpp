#include "picture/neighbourhood.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "picture/neighbourhood_nodes.hpp"
#include "text/printable.hpp"

namespace trtcheck {

std::string picture::cut(std::string_view text) { return shortened(text, kMaxText); }

namespace {

using Kind = Neighbourhood::Kind;
using Role = Neighbourhood::Role;

// Of inputs beyond, not even the one at fault is looked for: each of many findings at one node would.
constexpr std::size_t kLookedAt = 10'000;
constexpr std::size_t kStubEdges = 3;
constexpr std::size_t kConstants = 8;
// No tensor of TensorRT has more dims.
constexpr std::size_t kContents = 8;

/// What tells more than the dims where a tensor of sizes, axes or indices is at fault.
std::string contents_of(const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  const bool is_integer = shape.type == DataType::int64 || shape.type == DataType::int32;
  if (!shape.is_known || !is_integer || shape.known.empty() || shape.known.size() > kContents) return "";
  std::vector<std::string> entries;
  for (const Dim entry : shape.known) entries.push_back(shapes.dims().text(entry));
  return shape.dims.empty() ? entries[0] : fmt::format("[{}]", fmt::join(entries, ","));
}

/// Builds the value from the nodes that were chosen.
class Drawing {
 public:
  Drawing(const Model& model, const Shapes& shapes, const ShownNodes& shown, const NeighbourhoodFinder::Center& center)
      : model_(model), shapes_(shapes), shown_(shown), center_(center) {}

  [[nodiscard]] Neighbourhood made() {
    for (const NodeId id : shown_.nodes) {
      place_[id] =
          add({Kind::node, role_of(id), picture::cut(model_.node(id).op_type), picture::cut(model_.node_label(id))});
    }
    if (shown_.cut) {
      const std::uint32_t stub = add({Kind::more, Role::plain, "", fmt::format("{} more", shown_.cut->hidden)});
      behind_[shown_.cut->before] = before_[shown_.cut->after] = stub;
    }
    for (const NodeId id : shown_.nodes) draw_inputs(id);
    for (const auto& [reader, input] : shown_.captured) draw_captured(reader, input);
    for (const NodeId id : shown_.nodes) draw_outputs(id);
    return std::move(out_);
  }

 private:
  [[nodiscard]] Role role_of(NodeId id) const {
    if (id == center_.victim) return Role::victim;
    return id == center_.culprit ? Role::culprit : Role::plain;
  }

  std::uint32_t add(Neighbourhood::Node node) {
    out_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(out_.nodes.size() - 1);
  }

  void link(std::uint32_t from, std::uint32_t to, ValueId id) {
    const std::string_view name = model_.value(id).name;
    const bool at_fault = !center_.value.empty() && name == center_.value;
    out_.edges.push_back({from, to, picture::cut(name), picture::cut(shapes_.text(id)), at_fault,
                          picture::cut(contents_of(shapes_, id))});
  }

  void draw_inputs(NodeId reader) {
    const std::size_t count = model_.node(reader).inputs.size();
    const std::span<const ValueId> all = model_.node(reader).inputs.first(std::min(count, kLookedAt));
    const std::vector<ValueId> inputs = inputs_of(all);
    std::size_t constants = 0;
    std::vector<ValueId> hidden;
    for (const ValueId id : inputs) {
      const std::optional<std::uint32_t> source = source_of(id, reader, constants);
      if (source) link(*source, place_.at(reader), id);
      if (!source && is_hidden(id)) hidden.push_back(id);
      if (place_.contains(model_.value(id).producer)) {
        drawn_uses_[id] += static_cast<std::size_t>(std::ranges::count(all, id));
      }
    }
    const std::size_t unseen = count > kPorts ? count - inputs.size() : 0;
    if (hidden.empty() && unseen == 0) return;
    const std::uint32_t stub = stub_at(before_, reader, hidden.size() + unseen);
    for (const ValueId id : at_fault_first(std::move(hidden))) link(stub, place_.at(reader), id);
  }

  /// Each once; of very many the first ones, and the one at fault.
  [[nodiscard]] std::vector<ValueId> inputs_of(std::span<const ValueId> all) const {
    std::vector<ValueId> inputs;
    for (const ValueId id : all) {
      const bool wanted = id && (inputs.size() < kPorts || model_.value(id).name == center_.value);
      if (wanted && std::ranges::find(inputs, id) == inputs.end()) inputs.push_back(id);
    }
    return inputs;
  }

  /// Where the edge starts, when that is shown.
  std::optional<std::uint32_t> source_of(ValueId id, NodeId reader, std::size_t& constants) {
    const Value& value = model_.value(id);
    if (const auto it = place_.find(value.producer); value.producer && it != place_.end()) return it->second;
    if (value.is_input && !model_.constant(id)) return end_at(id, Kind::input);
    if (!value.is_defined) return end_at(id, Kind::more);
    if (!is_constant(id) || role_of(reader) == Role::plain || ++constants > kConstants) return std::nullopt;
    return end_at(id, Kind::initializer);
  }

  [[nodiscard]] bool is_constant(ValueId id) const {
    const Value& value = model_.value(id);
    return value.initializer || (value.producer && is_constant_node(model_, value.producer));
  }
  [[nodiscard]] bool is_hidden(ValueId id) const { return model_.value(id).producer && !is_constant(id); }

  /// The one end of a value that no node of the picture makes.
  std::uint32_t end_at(ValueId id, Kind kind) {
    const auto [it, is_new] = ends_.try_emplace({id, kind}, 0U);
    if (is_new) {
      const bool is_missing = kind == Kind::more;
      it->second = add({kind, Role::plain, "", is_missing ? "nothing makes it" : picture::cut(model_.value(id).name)});
    }
    return it->second;
  }

  void draw_captured(NodeId reader, ValueId id) {
    const auto from = place_.find(model_.value(id).producer);
    if (from == place_.end()) return;
    link(from->second, place_.at(reader), id);
    ++drawn_uses_[id];
  }

  void draw_outputs(NodeId maker) {
    const std::span<const ValueId> all = model_.node(maker).outputs;
    std::size_t hidden = all.size() - std::min(all.size(), kPorts);
    std::vector<ValueId> cut_off;
    std::size_t ends = 0;
    for (const ValueId id : all.first(std::min(all.size(), kPorts))) {
      if (!id) continue;
      const Value& value = model_.value(id);
      if (value.is_output && ++ends <= kStubEdges) link(place_.at(maker), end_at(id, Kind::output), id);
      const std::size_t shown = drawn_uses_.contains(id) ? drawn_uses_.at(id) : 0;
      if (value.users.size() <= shown) continue;
      hidden += value.users.size() - shown;
      cut_off.push_back(id);
    }
    if (hidden == 0) return;
    const std::uint32_t stub = stub_at(behind_, maker, hidden);
    for (const ValueId id : at_fault_first(std::move(cut_off))) link(place_.at(maker), stub, id);
  }

  /// The stub of that node, made with the number that it stands for unless the way between culprit and victim has one.
  std::uint32_t stub_at(std::map<NodeId, std::uint32_t>& stubs, NodeId node, std::size_t count) {
    const auto it = stubs.find(node);
    if (it != stubs.end()) return it->second;
    return stubs[node] = add({Kind::more, Role::plain, "", count == 1 ? "" : fmt::format("{} more", count)});
  }

  [[nodiscard]] std::vector<ValueId> at_fault_first(std::vector<ValueId> ids) const {
    std::stable_partition(ids.begin(), ids.end(),
                          [this](ValueId id) { return model_.value(id).name == center_.value; });
    ids.resize(std::min(ids.size(), kStubEdges));
    return ids;
  }

  const Model& model_;
  const Shapes& shapes_;
  const ShownNodes& shown_;
  const NeighbourhoodFinder::Center& center_;
  Neighbourhood out_;
  std::map<NodeId, std::uint32_t> place_;
  std::map<NodeId, std::uint32_t> before_;
  std::map<NodeId, std::uint32_t> behind_;
  std::map<std::pair<ValueId, Kind>, std::uint32_t> ends_;
  std::map<ValueId, std::size_t> drawn_uses_;
};

}  // namespace

struct NeighbourhoodFinder::Impl {
  const Model& model;
  const Shapes& shapes;
  PathFinder paths;
};

NeighbourhoodFinder::NeighbourhoodFinder(const Model& model, const Shapes& shapes)
    : impl_(new Impl{model, shapes, PathFinder(model)}) {}
NeighbourhoodFinder::~NeighbourhoodFinder() = default;

Neighbourhood NeighbourhoodFinder::around(const Center& center, const Reach& reach) {
  const ShownNodes shown = choose_nodes(impl_->model, impl_->paths, center, reach);
  return Drawing(impl_->model, impl_->shapes, shown, center).made();
}

}  // namespace trtcheck
