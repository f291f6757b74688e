#include "sizing/trier.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/kinds.hpp"

namespace trtcheck::sizing {

std::string label(const Model& model, NodeId id) {
  return fmt::format("{} `{}`", model.node(id).op_type, model.node_label(id));
}

std::int64_t int_of(const Node& node, std::string_view name, std::int64_t otherwise) {
  const Attribute* attribute = node.attribute(name);
  return attribute == nullptr ? otherwise : attribute->i();
}

bool depends(const DimTable& dims, const std::vector<Freed>& freed, Dim dim) {
  if (dim.is_literal()) return false;
  const auto symbols = dims.symbols(dim);
  return std::ranges::any_of(freed, [&](const Freed& one) {
    return std::ranges::find(symbols, std::string_view(one.symbol)) != symbols.end();
  });
}

Trier::Trier(const Subject& subject, const Decisions& decisions)
    : model_(subject.model),
      known_(subject.known),
      before_(subject.before),
      folder_(subject.folder),
      freed_(subject.freed),
      decisions_(&decisions) {
  for (const Freed& one : *freed_) bindings_.push_back({one.symbol, one.number});
}

Trial Trier::run() && {
  const Revise revise = [this](NodeId node, Values values, DimTable& dims) { return look(node, values, dims); };
  Trial trial(infer_revised(*model_, *known_, revise));
  trial.changes = std::move(changes_);
  trial.questions = std::move(questions_);
  trial.against = std::move(against_);
  if (trial.against.empty()) trial.against = contradiction(trial.shapes);
  trial.mixed = mixed_by(trial.shapes);
  return trial;
}

std::optional<std::int64_t> Trier::number_of(Dim dim) const {
  return dim.is_literal() ? std::optional(dim.value()) : dims_->evaluate(dim, bindings_);
}

bool Trier::is_dynamic(Dim dim) const { return depends(*dims_, *freed_, dim); }

bool Trier::is_any_dynamic(const ValueShape& shape) const {
  return shape.has_rank && std::ranges::any_of(shape.dims, [this](Dim dim) { return is_dynamic(dim); });
}

const ValueShape& Trier::shape(ValueId id) const {
  static const ValueShape nothing;
  return id ? values_[id.index] : nothing;
}

std::optional<Numbers> Trier::ints(ValueId id) const {
  const ValueShape& known = shape(id);
  if (!known.is_known || !known.has_rank || known.rank() > 1) return std::nullopt;
  Numbers made;
  for (const Dim dim : known.known) {
    if (!dim.is_literal()) return std::nullopt;
    made.push_back(dim.value());
  }
  return made;
}

std::optional<Numbers> Trier::sizes_before(ValueId id) const {
  const ValueShape& known = (*before_)[id];
  if (!known.has_rank) return std::nullopt;
  Numbers made;
  for (const Dim dim : known.dims) {
    if (!dim.is_literal()) return std::nullopt;
    made.push_back(dim.value());
  }
  return made;
}

Dim Trier::symbol(const Freed& one) { return dims_->symbol(one.symbol); }

std::uint64_t Trier::place(ValueId id, std::size_t axis) { return (std::uint64_t{id.index} << 16U) | axis; }

Factors Trier::factors(ValueId id, std::size_t axis) const {
  const auto known = factors_.find(place(id, axis));
  if (known != factors_.end()) return known->second;
  const Dim dim = shape(id).dims[axis];
  return {{.dim = dim, .number = number_of(dim).value_or(0), .is_dynamic = is_dynamic(dim)}};
}

void Trier::learn(ValueId id) {
  if (!id || !learnt_.insert(id.index).second || !is_any_dynamic(shape(id))) return;
  const ValueShape& made = shape(id);
  for (std::size_t axis = 0; axis < made.rank(); ++axis) {
    if (is_dynamic(made.dims[axis]) && !factors_.contains(place(id, axis))) hand_on(id, axis);
  }
}

void Trier::hand_on(ValueId id, std::size_t axis) {
  const Dim dim = shape(id).dims[axis];
  for (const ValueId input : model_->node(model_->value(id).producer).inputs) {
    if (!input || !shape(input).has_rank) continue;
    for (std::size_t i = 0; i < shape(input).rank(); ++i) {
      const auto known = factors_.find(place(input, i));
      if (known == factors_.end() || !shape(input).dims[i].same(dim)) continue;
      factors_[place(id, axis)] = known->second;
      return;
    }
  }
}

std::size_t Trier::decide(std::string key, std::size_t ways, NodeId node) {
  const auto known = decisions_->find(key);
  const bool is_new = std::ranges::find(questions_, key, &Trial::Question::key) == questions_.end();
  const std::size_t way = known == decisions_->end() ? 0 : std::min(known->second, ways - 1);
  if (is_new) questions_.push_back({std::move(key), ways, node});
  return way;
}

void Trier::object(NodeId node, std::string_view why) {
  if (against_.empty()) against_ = fmt::format("{}: {}", label(*model_, node), why);
}

std::vector<Instead> Trier::look(NodeId id, Values values, DimTable& dims) {
  values_ = values;
  dims_ = &dims;
  const Node& node = model_->node(id);
  for (const ValueId input : node.inputs) learn(input);
  std::vector<Change> made;
  if (node.domain().empty()) at_node(id, node, made);
  std::vector<Instead> instead;
  for (const Change& change : made) instead.push_back(read_instead(node, change));
  if (!made.empty()) {
    changes_[id.index] = std::move(made);
  } else {
    changes_.erase(id.index);
  }
  return instead;
}

Instead Trier::read_instead(const Node& node, const Change& change) const {
  const ValueId value = node.input(change.input);
  if (change.kind == Change::Kind::table) return {.value = value, .contents = change.entries};
  std::vector<Dim> dims(shape(value).dims.begin(), shape(value).dims.end());
  if (change.narrowed_axis) dims[*change.narrowed_axis] = dims_->literal(1);
  for (std::size_t i = 0; i < change.entries.size(); ++i) {
    if (!change.entries[i].is(1)) dims[i] = change.entries[i];
  }
  return {.value = value, .dims = std::move(dims)};
}

void Trier::at_node(NodeId id, const Node& node, std::vector<Change>& made) {
  using Look = void (Trier::*)(NodeId, const Node&, std::vector<Change>&);
  static const std::map<std::string_view, Look> looks{
      {"Reshape", &Trier::at_reshape}, {"Flatten", &Trier::at_flatten},        {"Expand", &Trier::at_expand},
      {"Tile", &Trier::at_tile},       {"ConstantOfShape", &Trier::at_filled}, {"Slice", &Trier::at_slice},
      {"Resize", &Trier::at_resize},   {"Concat", &Trier::at_concat},          {"GridSample", &Trier::at_grid},
      {"Gather", &Trier::at_gather},   {"GatherElements", &Trier::at_gather},  {"ScatterElements", &Trier::at_gather},
      {"GatherND", &Trier::at_places}, {"ScatterND", &Trier::at_places}};
  if (const auto look = looks.find(node.op_type); look != looks.end()) return (this->*look->second)(id, node, made);
  if (is_a(node.op_type, kinds::recurrent)) return at_recurrent(id, node, made);
  if (!is_a(node.op_type, kinds::matrix_product)) broadcast(node, made);
}

std::string Trier::contradiction(const Shapes& shapes) const {
  if (!shapes.conflicts().empty()) {
    const Conflict& conflict = shapes.conflicts().front();
    return fmt::format("{}: {}", label(*model_, conflict.node), conflict.message);
  }
  for (std::uint32_t i = 0; i < model_->value_count(); ++i) {
    const ValueId id{i};
    if (!is_same(shapes, id)) {
      const NodeId producer = model_->value(id).producer;
      return fmt::format("{}: `{}` would be {} instead of {}", label(*model_, producer), model_->value(id).name,
                         shapes.text(id), before_->text(id));
    }
  }
  return "";
}

bool Trier::is_same(const Shapes& shapes, ValueId id) const {
  const ValueShape& old = (*before_)[id];
  const ValueShape& now = shapes[id];
  if (!old.has_rank || !model_->value(id).producer) return true;
  if (!now.has_rank || now.rank() != old.rank()) return false;
  for (std::size_t i = 0; i < old.rank(); ++i) {
    if (!old.dims[i].is_literal()) continue;
    const auto number =
        now.dims[i].is_literal() ? std::optional(now.dims[i].value()) : shapes.dims().evaluate(now.dims[i], bindings_);
    if (number != old.dims[i].value()) return false;
  }
  return true;
}

std::size_t Trier::mixed_by(const Shapes& shapes) const {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < model_->node_count(); ++i) {
    if (mixes(model_->node(NodeId{i}), shapes)) ++count;
  }
  return count;
}

bool Trier::mixes(const Node& node, const Shapes& shapes) const {
  const auto dynamic_axes = [&](ValueId id) {
    return id && shapes[id].has_rank
               ? std::ranges::count_if(shapes[id].dims, [&](Dim dim) { return depends(shapes.dims(), *freed_, dim); })
               : 0;
  };
  const auto given = dynamic_axes(node.input(0));
  if (given == 0 || node.output(0) == ValueId{}) return false;
  const auto left = dynamic_axes(node.output(0));
  if (left != given && !is_a(node.op_type, kinds::reads_sizes_only)) return true;
  if (node.op_type != "Softmax") return false;
  const ValueShape& data = shapes[node.input(0)];
  std::int64_t axis = int_of(node, "axis", -1);
  if (axis < 0) axis += static_cast<std::int64_t>(data.rank());
  return axis >= 0 && axis < static_cast<std::int64_t>(data.rank()) &&
         depends(shapes.dims(), *freed_, data.dims[static_cast<std::size_t>(axis)]);
}

Trial tried(const Subject& subject, const Decisions& decisions) { return Trier(subject, decisions).run(); }

}  // namespace trtcheck::sizing
