#include "sizing/trial.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dims/dim_key.hpp"
#include "dims/product.hpp"
#include "schema/kinds.hpp"
#include "shapes/revised.hpp"
#include "sizing/factors.hpp"

namespace trtcheck::sizing {
namespace {

// Exporters write INT64_MAX or INT32_MAX for "to the end".
constexpr std::int64_t kFar = std::int64_t{1} << 30;

using Values = std::span<const ValueShape>;
using Numbers = std::vector<std::int64_t>;

std::string label(const Model& model, NodeId id) {
  return fmt::format("{} `{}`", model.node(id).op_type, model.node_label(id));
}

std::int64_t int_of(const Node& node, std::string_view name, std::int64_t otherwise) {
  const Attribute* attribute = node.attribute(name);
  return attribute == nullptr ? otherwise : attribute->i();
}

class Trier {
 public:
  Trier(const Model& model, const Shapes& before, Folder& folder, const std::vector<Freed>& freed,
        const Decisions& decisions)
      : model_(&model), before_(&before), folder_(&folder), freed_(&freed), decisions_(&decisions) {
    for (const Freed& one : freed) bindings_.push_back({one.symbol, one.number});
  }

  Trial run() && {
    const Revise revise = [this](NodeId node, Values values, DimTable& dims) { return look(node, values, dims); };
    Trial trial(infer_revised(*model_, {}, revise));
    trial.changes = std::move(changes_);
    trial.questions = std::move(questions_);
    trial.against = std::move(against_);
    if (trial.against.empty()) trial.against = contradiction(trial.shapes);
    trial.mixed = mixed_by(trial.shapes);
    return trial;
  }

 private:
  // --- sizes ---
  [[nodiscard]] std::optional<std::int64_t> number_of(Dim dim) const {
    return dim.is_literal() ? std::optional(dim.value()) : dims_->evaluate(dim, bindings_);
  }
  [[nodiscard]] static bool is_dynamic_in(const DimTable& dims, const std::vector<Freed>& freed, Dim dim) {
    if (dim.is_literal()) return false;
    const auto symbols = dims.symbols(dim);
    return std::ranges::any_of(freed, [&](const Freed& one) {
      return std::ranges::find(symbols, std::string_view(one.symbol)) != symbols.end();
    });
  }
  [[nodiscard]] bool is_dynamic(Dim dim) const { return is_dynamic_in(*dims_, *freed_, dim); }
  [[nodiscard]] bool is_any_dynamic(const ValueShape& shape) const {
    return shape.has_rank && std::ranges::any_of(shape.dims, [this](Dim dim) { return is_dynamic(dim); });
  }
  [[nodiscard]] const ValueShape& shape(ValueId id) const {
    static const ValueShape nothing;
    return id ? values_[id.index] : nothing;
  }
  /// Contents that are numbers, all of them.
  [[nodiscard]] std::optional<Numbers> ints(ValueId id) const {
    const ValueShape& known = shape(id);
    if (!known.is_known || !known.has_rank || known.rank() > 1) return std::nullopt;
    Numbers made;
    for (const Dim dim : known.known) {
      if (!dim.is_literal()) return std::nullopt;
      made.push_back(dim.value());
    }
    return made;
  }
  [[nodiscard]] std::optional<Numbers> sizes_before(ValueId id) const {
    const ValueShape& known = (*before_)[id];
    if (!known.has_rank) return std::nullopt;
    Numbers made;
    for (const Dim dim : known.dims) {
      if (!dim.is_literal()) return std::nullopt;
      made.push_back(dim.value());
    }
    return made;
  }
  [[nodiscard]] Dim symbol(const Freed& one) { return dims_->symbol(one.symbol); }

  // --- factors ---
  static std::uint64_t place(ValueId id, std::size_t axis) { return (std::uint64_t{id.index} << 16U) | axis; }

  Factors factors(ValueId id, std::size_t axis) const {
    const auto known = factors_.find(place(id, axis));
    if (known != factors_.end()) return known->second;
    const Dim dim = shape(id).dims[axis];
    return {{.dim = dim, .number = number_of(dim).value_or(0), .is_dynamic = is_dynamic(dim)}};
  }
  /// A dim that a node hands on is made of what it was made of.
  void learn(ValueId id) {
    if (!id || !learnt_.insert(id.index).second || !is_any_dynamic(shape(id))) return;
    const ValueShape& made = shape(id);
    for (std::size_t axis = 0; axis < made.rank(); ++axis) {
      if (is_dynamic(made.dims[axis]) && !factors_.contains(place(id, axis))) hand_on(id, axis);
    }
  }
  void hand_on(ValueId id, std::size_t axis) {
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

  // --- decisions ---
  std::size_t decide(std::string key, std::size_t ways, NodeId node) {
    const auto known = decisions_->find(key);
    const bool is_new = std::ranges::find(questions_, key, &Trial::Question::key) == questions_.end();
    const std::size_t way = known == decisions_->end() ? 0 : std::min(known->second, ways - 1);
    if (is_new) questions_.push_back({std::move(key), ways, node});
    return way;
  }
  void object(NodeId node, std::string_view why) {
    if (against_.empty()) against_ = fmt::format("{}: {}", label(*model_, node), why);
  }

  // --- nodes ---
  std::vector<Instead> look(NodeId id, Values values, DimTable& dims) {
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
  [[nodiscard]] Instead read_instead(const Node& node, const Change& change) const {
    const ValueId value = node.input(change.input);
    if (change.kind == Change::Kind::table) return {.value = value, .contents = change.entries};
    std::vector<Dim> dims(shape(value).dims.begin(), shape(value).dims.end());
    if (change.narrowed_axis) dims[*change.narrowed_axis] = dims_->literal(1);
    for (std::size_t i = 0; i < change.entries.size(); ++i) {
      if (!change.entries[i].is(1)) dims[i] = change.entries[i];
    }
    return {.value = value, .dims = std::move(dims)};
  }

  void at_node(NodeId id, const Node& node, std::vector<Change>& made) {
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

  void at_reshape(NodeId id, const Node& node, std::vector<Change>& made) {
    const ValueShape& data = shape(node.input(0));
    const auto target = ints(node.input(1));
    const auto wanted = sizes_before(node.output(0));
    if (!target || !wanted || !is_any_dynamic(data) || !sizes_before(node.input(0))) return;
    std::vector<Factors> given;
    for (std::size_t axis = 0; axis < data.rank(); ++axis) given.push_back(factors(node.input(0), axis));
    std::optional<Split> found = split(given, *wanted, 0);
    if (!found) {
      return object(id, fmt::format("its sizes [{}] take a dynamic one of [{}] apart", fmt::join(*wanted, ", "),
                                    text(data.dims)));
    }
    if (found->ways > 1) {
      const std::string key = fmt::format("[{}] to [{}]", text(data.dims), fmt::join(*wanted, ", "));
      found = split(given, *wanted, decide(key, found->ways, id));
    }
    std::vector<Dim> out;
    for (std::size_t i = 0; i < found->dims.size(); ++i) {
      out.push_back(product_of(*dims_, found->dims[i]));
      factors_[place(node.output(0), i)] = std::move(found->dims[i]);
    }
    learnt_.insert(node.output(0).index);
    const bool zero_copies = int_of(node, "allowzero", 0) == 0;
    if (is_made(*target, data.dims, out, zero_copies)) return;
    made.push_back({.input = 1, .entries = target_for(data.dims, out, zero_copies)});
  }
  [[nodiscard]] std::string text(std::span<const Dim> dims) const {
    std::vector<std::string> parts;
    for (const Dim dim : dims) parts.push_back(dims_->text(dim));
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  /// The target that is there makes these dims.
  [[nodiscard]] bool is_made(const Numbers& target, std::span<const Dim> given, std::span<const Dim> out,
                             bool zero_copies) const {
    std::optional<std::size_t> inferred;
    for (std::size_t i = 0; i < target.size(); ++i) {
      if (target[i] == -1) {
        inferred = i;
      } else if (target[i] == 0 && zero_copies) {
        if (i >= given.size() || !given[i].same(out[i])) return false;
      } else if (!out[i].is(target[i])) {
        return false;
      }
    }
    return inferred || product(*dims_, given).same(product(*dims_, out));
  }
  [[nodiscard]] std::vector<Dim> target_for(std::span<const Dim> given, std::span<const Dim> out,
                                            bool zero_copies) const {
    std::vector<Dim> target;
    bool has_inferred = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i].is_literal()) {
        target.push_back(out[i]);
      } else if (zero_copies && i < given.size() && given[i].same(out[i])) {
        target.push_back(dims_->literal(0));
      } else if (!has_inferred) {
        has_inferred = true;
        target.push_back(dims_->literal(-1));
      } else {
        target.push_back(out[i]);
      }
    }
    return target;
  }

  void at_flatten(NodeId /*id*/, const Node& node, std::vector<Change>& /*made*/) {
    const ValueShape& data = shape(node.input(0));
    if (!is_any_dynamic(data)) return;
    const auto rank = static_cast<std::int64_t>(data.rank());
    const std::int64_t given = int_of(node, "axis", 1);
    const auto axis = static_cast<std::size_t>(std::clamp(given < 0 ? given + rank : given, std::int64_t{0}, rank));
    Factors halves[2];
    for (std::size_t i = 0; i < data.rank(); ++i) {
      const Factors part = factors(node.input(0), i);
      Factors& half = halves[i < axis ? 0 : 1];
      half.insert(half.end(), part.begin(), part.end());
    }
    factors_[place(node.output(0), 0)] = std::move(halves[0]);
    factors_[place(node.output(0), 1)] = std::move(halves[1]);
  }

  /// A number that a freed size may be, where nothing tells; the number itself otherwise.
  Dim freed_or(std::int64_t number, std::size_t index, NodeId id) {
    std::vector<const Freed*> alike;
    for (const Freed& one : *freed_) {
      const bool is_new = std::ranges::find(alike, one.symbol, &Freed::symbol) == alike.end();
      if (number > 1 && one.number == number && is_new) alike.push_back(&one);
    }
    if (alike.empty()) return dims_->literal(number);
    const std::size_t way =
        decide(fmt::format("entry {} of {}: {}", index, label(*model_, id), number), alike.size() + 1, id);
    return way == 0 ? dims_->literal(number) : symbol(*alike[way - 1]);
  }
  void add_table(std::size_t input, const Numbers& old, std::vector<Dim> entries, std::vector<Change>& made) {
    const bool is_same = std::ranges::equal(old, entries, [](std::int64_t a, Dim b) { return b.is(a); });
    if (!is_same) made.push_back({.input = input, .entries = std::move(entries)});
  }

  void at_expand(NodeId id, const Node& node, std::vector<Change>& made) {
    const ValueShape& data = shape(node.input(0));
    const auto target = ints(node.input(1));
    if (!target || !data.has_rank) return;
    std::vector<Dim> entries;
    for (std::size_t i = 0; i < target->size(); ++i) {
      const std::size_t back = target->size() - i;
      const Dim dim = back <= data.rank() ? data.dims[data.rank() - back] : dims_->literal(1);
      const std::int64_t entry = (*target)[i];
      if (is_dynamic(dim)) {
        if (entry > 1 && number_of(dim) != entry)
          object(id, fmt::format("it repeats `{}` to {}", dims_->text(dim), entry));
        entries.push_back(dims_->literal(1));
      } else {
        entries.push_back(dim.is(1) ? freed_or(entry, i, id) : dims_->literal(entry));
      }
    }
    add_table(1, *target, std::move(entries), made);
  }
  void at_tile(NodeId id, const Node& node, std::vector<Change>& made) {
    const ValueShape& data = shape(node.input(0));
    const auto repeats = ints(node.input(1));
    if (!repeats || !data.has_rank || data.rank() != repeats->size()) return;
    std::vector<Dim> entries;
    for (std::size_t i = 0; i < repeats->size(); ++i) {
      entries.push_back(data.dims[i].is(1) ? freed_or((*repeats)[i], i, id) : dims_->literal((*repeats)[i]));
    }
    add_table(1, *repeats, std::move(entries), made);
  }
  void at_filled(NodeId id, const Node& node, std::vector<Change>& made) {
    const auto target = ints(node.input(0));
    if (!target) return;
    std::vector<Dim> entries;
    for (std::size_t i = 0; i < target->size(); ++i) entries.push_back(freed_or((*target)[i], i, id));
    add_table(0, *target, std::move(entries), made);
  }

  void at_slice(NodeId id, const Node& node, std::vector<Change>& made) {
    const ValueShape& data = shape(node.input(0));
    const auto starts = ints(node.input(1));
    const auto ends = ints(node.input(2));
    if (!starts || !ends || starts->size() != ends->size() || !is_any_dynamic(data)) return;
    const auto axes = node.input(3) ? ints(node.input(3)) : std::optional<Numbers>();
    const auto steps = node.input(4) ? ints(node.input(4)) : std::optional<Numbers>();
    std::vector<Dim> entries;
    for (std::size_t i = 0; i < ends->size(); ++i) {
      std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
      if (axis < 0) axis += static_cast<std::int64_t>(data.rank());
      const bool is_inside = axis >= 0 && axis < static_cast<std::int64_t>(data.rank());
      const bool is_forward = !steps || i >= steps->size() || (*steps)[i] > 0;
      std::int64_t end = (*ends)[i];
      if (is_inside && is_forward) end = end_of_slice(id, data.dims[static_cast<std::size_t>(axis)], (*starts)[i], end);
      entries.push_back(dims_->literal(end));
    }
    // The far end is no dim: it is beyond what dims hold.
    if (std::ranges::equal(*ends, entries, [](std::int64_t a, Dim b) { return b.is(a); })) return;
    made.push_back({.input = 2, .entries = std::move(entries)});
  }
  std::int64_t end_of_slice(NodeId id, Dim dim, std::int64_t start, std::int64_t end) {
    const auto number = number_of(dim);
    if (!is_dynamic(dim) || !number || end < 0 || end >= kFar) return end;
    if (end < *number) {
      object(id, fmt::format("it takes entries {} to {} of the {} of `{}`: which of another number, the file does not "
                             "say",
                             start, end, *number, dims_->text(dim)));
      return end;
    }
    if (*number > 1 || start != 0) return kFarEnd;
    return decide(fmt::format("end of {}", label(*model_, id)), 2, id) == 0 ? kFarEnd : end;
  }

  void at_resize(NodeId id, const Node& node, std::vector<Change>& made) {
    const ValueShape& data = shape(node.input(0));
    const auto sizes = node.input(3) ? ints(node.input(3)) : std::optional<Numbers>();
    if (!sizes || sizes->size() != data.rank() || !is_any_dynamic(data) || node.attribute("axes") != nullptr) return;
    std::vector<Dim> entries;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
      const Dim dim = data.dims[i];
      if (!is_dynamic(dim)) {
        entries.push_back(dims_->literal((*sizes)[i]));
      } else if (number_of(dim) == (*sizes)[i]) {
        entries.push_back(dim);
      } else {
        object(id, fmt::format("it makes {} of `{}`: how many of another number, the file does not say", (*sizes)[i],
                               dims_->text(dim)));
        entries.push_back(dims_->literal((*sizes)[i]));
      }
    }
    add_table(3, *sizes, std::move(entries), made);
  }

  // --- values that meet ---
  void at_concat(NodeId id, const Node& node, std::vector<Change>& made) {
    const std::size_t rank = shape(node.input(0)).rank();
    std::int64_t joined = int_of(node, "axis", 0);
    if (joined < 0) joined += static_cast<std::int64_t>(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (static_cast<std::int64_t>(axis) == joined) continue;
      const auto dim = dynamic_dim(node, axis);
      for (std::size_t i = 0; dim && i < node.inputs.size(); ++i) meet(id, node, i, axis, *dim, made);
    }
  }
  [[nodiscard]] std::optional<Dim> dynamic_dim(const Node& node, std::size_t axis) const {
    for (const ValueId input : node.inputs) {
      const ValueShape& known = shape(input);
      if (axis < known.rank() && is_dynamic(known.dims[axis])) return known.dims[axis];
    }
    return std::nullopt;
  }
  void at_grid(NodeId id, const Node& node, std::vector<Change>& made) {
    if (shape(node.input(0)).rank() == 0) return;
    if (const Dim dim = shape(node.input(0)).dims[0]; is_dynamic(dim)) meet(id, node, 1, 0, dim, made);
  }
  void at_recurrent(NodeId id, const Node& node, std::vector<Change>& made) {
    const bool is_batch_first = int_of(node, "layout", 0) == 1;
    const std::size_t axis = is_batch_first ? 0 : 1;
    if (shape(node.input(0)).rank() != 3 || !is_dynamic(shape(node.input(0)).dims[axis])) return;
    const Dim dim = shape(node.input(0)).dims[axis];
    if (node.input(4)) meet(id, node, 4, 0, dim, made);
    for (const std::size_t state : {std::size_t{5}, std::size_t{6}}) {
      if (node.input(state)) meet(id, node, state, axis, dim, made);
    }
  }
  /// An input that has to have this size on an axis, and has its number.
  void meet(NodeId id, const Node& node, std::size_t input, std::size_t axis, Dim dim, std::vector<Change>& made) {
    const ValueId value = node.input(input);
    const ValueShape& known = shape(value);
    if (axis >= known.rank() || !known.dims[axis].is_literal() || !known.dims[axis].is(number_of(dim).value_or(-1)))
      return;
    const bool counts = is_a(node.op_type, kinds::recurrent) ? false : is_whole(known.type);
    Change change{.input = input, .kind = Change::Kind::spread};
    change.entries.assign(known.rank(), dims_->literal(1));
    change.entries[axis] = dim;
    if (counts) {
      return object(id, fmt::format("input {} `{}` holds whole numbers, which may count `{}`", input,
                                    model_->value(value).name, dims_->text(dim)));
    }
    if (!known.dims[axis].is(1)) {
      if (!has_equal_rows(value, axis)) {
        return object(id, fmt::format("input {} `{}` has {} entries on axis {}, which differ or are not known", input,
                                      model_->value(value).name, known.dims[axis].value(), axis));
      }
      change.narrowed_axis = axis;
    }
    const auto same = std::ranges::find(made, input, &Change::input);
    if (same == made.end()) {
      made.push_back(std::move(change));
    } else {
      same->entries[axis] = dim;
    }
  }
  [[nodiscard]] static bool is_whole(DataType type) {
    return type == DataType::int64 || type == DataType::int32 || type == DataType::uint8 || type == DataType::int8;
  }
  /// Of a constant: it does not depend on where one is on the axis.
  [[nodiscard]] bool has_equal_rows(ValueId value, std::size_t axis) {
    const auto constant = folder_->value(value);
    if (!constant || axis >= constant->dims.size() || constant->bytes.empty()) return false;
    std::size_t block = constant->bytes.size();
    for (std::size_t i = 0; i <= axis; ++i) {
      if (i == axis) break;
      block /= static_cast<std::size_t>(constant->dims[i]);
    }
    const std::size_t row = block / static_cast<std::size_t>(constant->dims[axis]);
    if (row == 0 || block % row != 0) return false;
    for (std::size_t at = 0; at < constant->bytes.size(); at += row) {
      const std::size_t first = at / block * block;
      if (std::memcmp(&constant->bytes[at], &constant->bytes[first], row) != 0) return false;
    }
    return true;
  }

  /// Of inputs that are broadcast, a constant with equal rows is left one of them.
  void broadcast(const Node& node, std::vector<Change>& made) {
    if (node.inputs.size() < 2 || !is_broadcast(node)) return;
    for (std::size_t back = 1; back <= (*before_)[node.output(0)].rank(); ++back) {
      std::optional<Dim> dynamic;
      for (const ValueId input : node.inputs) {
        const ValueShape& known = shape(input);
        if (back <= known.rank() && is_dynamic(known.dims[known.rank() - back]))
          dynamic = known.dims[known.rank() - back];
      }
      for (std::size_t i = 0; dynamic && i < node.inputs.size(); ++i) narrow(node, i, back, *dynamic, made);
    }
  }
  void narrow(const Node& node, std::size_t input, std::size_t back, Dim dynamic, std::vector<Change>& made) {
    const ValueShape& known = shape(node.input(input));
    if (back > known.rank()) return;
    const std::size_t axis = known.rank() - back;
    const Dim dim = known.dims[axis];
    if (!dim.is_literal() || dim.is(1) || number_of(dynamic) != dim.value()) return;
    if (!has_equal_rows(node.input(input), axis)) return;
    Change change{.input = input, .kind = Change::Kind::spread};
    change.entries.assign(known.rank(), dims_->literal(1));
    change.narrowed_axis = axis;
    if (std::ranges::find(made, input, &Change::input) == made.end()) made.push_back(std::move(change));
  }
  /// The sizes of the output are those of the inputs, broadcast, as elementwise operators do it.
  [[nodiscard]] bool is_broadcast(const Node& node) const {
    const auto out = sizes_before(node.output(0));
    if (!out) return false;
    Numbers made(out->size(), 1);
    for (const ValueId input : node.inputs) {
      const auto sizes = input ? sizes_before(input) : std::nullopt;
      if (!sizes || sizes->size() > made.size()) return false;
      for (std::size_t back = 1; back <= sizes->size(); ++back) {
        std::int64_t& size = made[made.size() - back];
        const std::int64_t other = (*sizes)[sizes->size() - back];
        if (size != 1 && other != 1 && size != other) return false;
        size = std::max(size, other);
      }
    }
    return made == *out;
  }

  // --- places ---
  void at_gather(NodeId id, const Node& node, std::vector<Change>& /*made*/) {
    const ValueShape& data = shape(node.input(0));
    std::int64_t axis = int_of(node, "axis", 0);
    if (axis < 0) axis += static_cast<std::int64_t>(data.rank());
    if (axis < 0 || axis >= static_cast<std::int64_t>(data.rank())) return;
    refuse_places(id, node, data.dims[static_cast<std::size_t>(axis)]);
  }
  void at_places(NodeId id, const Node& node, std::vector<Change>& /*made*/) {
    const ValueShape& data = shape(node.input(0));
    const ValueShape& indices = shape(node.input(1));
    if (indices.rank() == 0 || !indices.dims.back().is_literal()) return;
    const auto first = static_cast<std::size_t>(int_of(node, "batch_dims", 0));
    const auto count = static_cast<std::size_t>(indices.dims.back().value());
    for (std::size_t axis = first; axis < std::min(first + count, data.rank()); ++axis) {
      refuse_places(id, node, data.dims[axis]);
    }
  }
  /// Numbers that say which entries of a dynamic axis: where they come from nobody knows.
  void refuse_places(NodeId id, const Node& node, Dim dim) {
    if (!is_dynamic(dim) || (node.op_type == "Gather" && ints(node.input(1)))) return;
    object(id, fmt::format("computed numbers say which entries of `{}` it takes, and they may be made for {} of them",
                           dims_->text(dim), number_of(dim).value_or(0)));
  }

  // --- afterwards ---
  [[nodiscard]] std::string contradiction(const Shapes& shapes) const {
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
  /// With the numbers of the file it is what it was.
  [[nodiscard]] bool is_same(const Shapes& shapes, ValueId id) const {
    const ValueShape& old = (*before_)[id];
    const ValueShape& now = shapes[id];
    if (!old.has_rank || !model_->value(id).producer) return true;
    if (!now.has_rank || now.rank() != old.rank()) return false;
    for (std::size_t i = 0; i < old.rank(); ++i) {
      if (!old.dims[i].is_literal()) continue;
      const auto number = now.dims[i].is_literal() ? std::optional(now.dims[i].value())
                                                   : shapes.dims().evaluate(now.dims[i], bindings_);
      if (number != old.dims[i].value()) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t mixed_by(const Shapes& shapes) const {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < model_->node_count(); ++i) {
      if (mixes(model_->node(NodeId{i}), shapes)) ++count;
    }
    return count;
  }
  /// The entries of a dynamic axis are brought together, lost, or set against each other.
  [[nodiscard]] bool mixes(const Node& node, const Shapes& shapes) const {
    const auto dynamic_axes = [&](ValueId id) {
      return id && shapes[id].has_rank
                 ? std::ranges::count_if(shapes[id].dims,
                                         [&](Dim dim) { return is_dynamic_in(shapes.dims(), *freed_, dim); })
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
           is_dynamic_in(shapes.dims(), *freed_, data.dims[static_cast<std::size_t>(axis)]);
  }

  // What inference holds for the far end of a Slice.
  static constexpr std::int64_t kFarEnd = std::int64_t{1} << 40;

  const Model* model_;
  const Shapes* before_;
  Folder* folder_;
  const std::vector<Freed>* freed_;
  const Decisions* decisions_;
  std::vector<DimTable::Binding> bindings_;
  Values values_;
  DimTable* dims_ = nullptr;
  std::unordered_map<std::uint64_t, Factors> factors_;
  std::set<std::uint32_t> learnt_;
  std::map<std::uint32_t, std::vector<Change>> changes_;
  std::vector<Trial::Question> questions_;
  std::string against_;
};

}  // namespace

Trial tried(const Model& model, const Shapes& before, Folder& folder, const std::vector<Freed>& freed,
            const Decisions& decisions) {
  return Trier(model, before, folder, freed, decisions).run();
}

}  // namespace trtcheck::sizing
