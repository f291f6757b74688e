#include "sizing/written.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

#include "cure/node_text.hpp"
#include "dims/dim_key.hpp"
#include "edit/names.hpp"

namespace trtcheck::sizing {
namespace {

// What inference holds for the far end of a Slice, in ONNX's words.
constexpr std::int64_t kFarAway = std::int64_t{1} << 30;

edit::TensorValue vector_of(const std::vector<std::int64_t>& numbers) {
  std::string bytes(numbers.size() * sizeof(std::int64_t), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return {.type = DataType::int64, .dims = {static_cast<std::int64_t>(numbers.size())}, .bytes = std::move(bytes)};
}

class Writer {
 public:
  Writer(const Model& model, const Trial& trial, Folder& folder, const std::vector<Freed>& freed)
      : model_(&model), trial_(&trial), folder_(&folder), freed_(&freed), names_(model) {
    for (std::uint32_t i = 0; i < model.graph().order.size(); ++i) order_[model.graph().order[i].index] = i;
  }

  WrittenTrial write() && {
    for (const auto& [index, changes] : trial_->changes) {
      const NodeId node{index};
      const edit::NodeAt place = edit::place_of(*model_, node);
      if (place.graph.function) {
        throw Error("dynamic axis", fmt::format("{} is part of a function of the model, which is not changed: inline "
                                                "it first",
                                                label(node)));
      }
      for (const Change& change : changes) change_input(node, place, change);
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] DimTable& dims() const { return trial_->shapes.dims(); }
  [[nodiscard]] std::string label(NodeId id) const {
    return fmt::format("{} `{}`", model_->node(id).op_type, model_->node_label(id));
  }
  void add(edit::Edit edit) { made_.edits.push_back(std::move(edit)); }

  void change_input(NodeId id, const edit::NodeAt& place, const Change& change) {
    const Node& node = model_->node(id);
    std::string title;
    std::string name;
    if (change.kind == Change::Kind::table) {
      name = table(id, place, change.entries);
      title = fmt::format("read [{}] as input {} `{}`", fmt::join(texts(change.entries), ", "), change.input,
                          model_->value(node.input(change.input)).name);
    } else {
      const bool is_expanded = std::ranges::any_of(change.entries, [](Dim dim) { return !dim.is(1); });
      name = change.narrowed_axis ? narrowed(node.input(change.input), *change.narrowed_axis)
                                  : std::string(model_->value(node.input(change.input)).name);
      if (is_expanded) name = expanded(id, place, name, change.entries);
      title = is_expanded
                  ? fmt::format("expand input {} `{}` to [{}]", change.input,
                                model_->value(node.input(change.input)).name, fmt::join(texts(change.entries), ", "))
                  : fmt::format("read one row of input {} `{}`, whose rows are equal", change.input,
                                model_->value(node.input(change.input)).name);
    }
    add(edit::SetInput{place, static_cast<std::uint32_t>(change.input), std::move(name)});
    AppliedCure told{};
    told.cure = "axis-made-dynamic";
    told.kind = CureClass::interface;
    told.title = std::move(title);
    told.node = model_->node_label(id);
    told.op_type = node.op_type;
    told.graph = model_->graph_path(node.graph);
    told.before = {cure::node_text(*model_, id)};
    made_.told.push_back(std::move(told));
  }
  [[nodiscard]] std::vector<std::string> texts(const std::vector<Dim>& entries) const {
    std::vector<std::string> made;
    for (const Dim dim : entries) {
      made.push_back(dim.is_literal() && dim.value() >= kFarAway ? "end" : dims().text(dim));
    }
    return made;
  }

  /// A constant of all numbers, else a Concat.
  std::string table(NodeId id, const edit::NodeAt& place, const std::vector<Dim>& entries) {
    std::vector<std::string> parts;
    std::vector<std::int64_t> numbers;
    for (const Dim dim : entries) {
      if (dim.is_literal()) {
        numbers.push_back(dim.value() >= kFarAway ? std::numeric_limits<std::int64_t>::max() : dim.value());
        continue;
      }
      if (!numbers.empty()) parts.push_back(stored(std::exchange(numbers, {})));
      parts.push_back(size(id, place, dim));
    }
    if (!numbers.empty() || parts.empty()) parts.push_back(stored(numbers));
    if (parts.size() == 1) return parts.front();
    const std::string name = names_.fresh(fmt::format("{}/sizes", first_output(id)));
    insert(place, {.op_type = "Concat",
                   .inputs = std::move(parts),
                   .outputs = {name},
                   .attributes = {{"axis", std::int64_t{0}}}});
    return name;
  }
  [[nodiscard]] std::string_view first_output(NodeId id) const {
    return model_->value(model_->node(id).output(0)).name;
  }
  void insert(const edit::NodeAt& place, edit::NewNode node) {
    add(edit::InsertNode{place.graph, place.position, std::move(node)});
  }
  void insert_at_front(edit::NewNode node) { add(edit::InsertNode{{}, 0, std::move(node)}); }

  std::string stored(const std::vector<std::int64_t>& numbers) {
    std::string& name = constants_[fmt::format("{}", fmt::join(numbers, ","))];
    if (!name.empty()) return name;
    name = names_.fresh("sizes");
    put(name, vector_of(numbers));
    return name;
  }
  void put(const std::string& name, edit::TensorValue tensor) {
    // Before IR version 4 an initializer is an input, too.
    if (model_->ir_version() >= 4) return add(edit::PutTensor{{}, name, std::move(tensor)});
    insert_at_front({.op_type = "Constant", .outputs = {name}, .attributes = {{"value", std::move(tensor)}}});
  }

  /// A vector of one element.
  std::string size(NodeId id, const edit::NodeAt& place, Dim dim) {
    std::string& name = sizes_[key_of(dim)];
    if (!name.empty()) return name;
    for (const Freed& one : *freed_) {
      const Dim symbol = dims().symbol(one.symbol);
      const auto factor = factor_of(dim, one);
      if (!factor || !dims().mul(dims().literal(*factor), symbol).same(dim)) continue;
      const std::string whole = input_size(one);
      if (*factor == 1) return name = whole;
      const std::string made = names_.fresh(fmt::format("{}_times_{}", one.symbol, *factor));
      insert_at_front({.op_type = "Mul", .inputs = {whole, stored({*factor})}, .outputs = {made}});
      return sizes_[key_of(dim)] = made;
    }
    return size_before(id, place, dim);
  }
  [[nodiscard]] std::optional<std::int64_t> factor_of(Dim dim, const Freed& one) const {
    const DimTable::Binding bindings[] = {{one.symbol, 1}};
    return dims().evaluate(dim, bindings);
  }
  std::string input_size(const Freed& one) {
    std::string& name = sizes_[key_of(dims().symbol(one.symbol))];
    if (!name.empty()) return name;
    const std::string shape = names_.fresh(one.input + "/shape");
    const std::string made = names_.fresh(one.symbol);
    insert_at_front({.op_type = "Shape", .inputs = {one.input}, .outputs = {shape}});
    insert_at_front({.op_type = "Gather",
                     .inputs = {shape, stored({static_cast<std::int64_t>(one.axis)})},
                     .outputs = {made},
                     .attributes = {{"axis", std::int64_t{0}}}});
    return sizes_[key_of(dims().symbol(one.symbol))] = made;
  }
  /// Of a tensor that is there before the node.
  std::string size_before(NodeId id, const edit::NodeAt& place, Dim dim) {
    const auto here = order_.find(id.index);
    for (const NodeId other : model_->graph().order) {
      if (here == order_.end() || order_.at(other.index) >= here->second) break;
      for (const ValueId value : model_->node(other).outputs) {
        const ValueShape& known = trial_->shapes[value];
        if (!value || !known.has_rank) continue;
        const auto axis = std::ranges::find_if(known.dims, [&](Dim one) { return one.same(dim); });
        if (axis == known.dims.end()) continue;
        const std::string shape = names_.fresh(fmt::format("{}/shape", model_->value(value).name));
        const std::string made = names_.fresh(fmt::format("{}/size", model_->value(value).name));
        insert(place, {.op_type = "Shape", .inputs = {std::string(model_->value(value).name)}, .outputs = {shape}});
        insert(place, {.op_type = "Gather",
                       .inputs = {shape, stored({axis - known.dims.begin()})},
                       .outputs = {made},
                       .attributes = {{"axis", std::int64_t{0}}}});
        sizes_.erase(key_of(dim));
        return made;
      }
    }
    throw Error("dynamic axis", fmt::format("{}: no tensor before it has the size `{}`, which it would have to read",
                                            label(id), dims().text(dim)));
  }

  std::string expanded(NodeId id, const edit::NodeAt& place, const std::string& value,
                       const std::vector<Dim>& entries) {
    const std::string target = table(id, place, entries);
    const std::string name = names_.fresh(fmt::format("{}/expanded", value));
    insert(place, {.op_type = "Expand", .inputs = {value, target}, .outputs = {name}});
    return name;
  }
  /// The first row of a constant.
  std::string narrowed(ValueId value, std::size_t axis) {
    std::string& name = narrowed_[fmt::format("{} {}", value.index, axis)];
    if (!name.empty()) return name;
    const Constant whole = folder_->value(value).value();
    std::size_t block = whole.bytes.size();
    for (std::size_t i = 0; i < axis; ++i) block /= static_cast<std::size_t>(whole.dims[i]);
    const std::size_t row = block / static_cast<std::size_t>(whole.dims[axis]);
    edit::TensorValue made{.type = whole.type, .dims = whole.dims};
    made.dims[axis] = 1;
    for (std::size_t at = 0; at < whole.bytes.size(); at += block) {
      made.bytes.append(reinterpret_cast<const char*>(&whole.bytes[at]), row);
    }
    name = names_.fresh(fmt::format("{}/row", model_->value(value).name));
    put(name, std::move(made));
    return name;
  }

  const Model* model_;
  const Trial* trial_;
  Folder* folder_;
  const std::vector<Freed>* freed_;
  edit::Names names_;
  WrittenTrial made_;
  std::unordered_map<std::uint32_t, std::uint32_t> order_;
  std::unordered_map<std::string, std::string> constants_;
  std::unordered_map<std::int64_t, std::string> sizes_;
  std::unordered_map<std::string, std::string> narrowed_;
};

}  // namespace

WrittenTrial written(const Model& model, const Trial& trial, Folder& folder, const std::vector<Freed>& freed) {
  return Writer(model, trial, folder, freed).write();
}

}  // namespace trtcheck::sizing
