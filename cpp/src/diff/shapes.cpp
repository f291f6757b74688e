#include "diff/shapes.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/core.h>

#include <trtcheck/shapes.hpp>

#include "model/graphs.hpp"
#include "shapes/why_unknown.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::diffing {
namespace {

struct Side {
  const Model& model;
  Shapes shapes;

  Side(const Model& m, const Target& target) : model(m), shapes(infer(m, inference_options(m, target))) {}
  [[nodiscard]] const ValueShape& operator[](ValueId id) const noexcept { return shapes[id]; }
};

/// Sizes of more symbols than that are not compared.
constexpr std::size_t kMostSymbols = 16;

/// Models whose inputs have more names for sizes are compared without their shapes: hostile ones.
constexpr std::size_t kMostNames = 512;

/// A size that is one symbol and nothing else.
std::optional<std::string> symbol_of(const Side& side, Dim dim) {
  const auto linear = side.shapes.dims().linear(dim);
  const bool is_alone = linear && linear->factor == 1 && linear->constant == 0;
  return is_alone ? std::optional(std::string(linear->name)) : std::nullopt;
}

class Comparison {
 public:
  Comparison(const Model& before, const Target& before_target, const Model& after, const Target& after_target)
      : before_(before, before_target), after_(after, after_target) {
    for (std::uint32_t v = 0; v < before.value_count(); ++v) {
      const Value& value = before.value(ValueId{v});
      if (value.graph == GraphId{0} && !value.name.empty()) names_.emplace(value.name, ValueId{v});
    }
    for (const ValueId now : values_of(after)) {
      const auto was = names_.find(after.value(now).name);
      if (was != names_.end()) pairs_.emplace_back(was->second, now);
    }
  }

  void take(Diff& diff) {
    const bool has_few = has_few_names(before_.model, "first", diff) && has_few_names(after_.model, "second", diff);
    if (has_few) find_renamed(diff);
    for (const auto& [was, now] : pairs_) {
      if (has_few) compare_dims(was, now, diff);
      compare_constants(was, now, diff);
    }
    if (overlooked_ > 0) {
      diff.not_compared.push_back(
          fmt::format("shapes of {} were not compared, `{}` is the first: a size is computed from more than {} names",
                      counted(overlooked_, "tensor"), printable(first_overlooked_), kMostSymbols));
    }
    diff.folds_before = folds(before_);
    diff.folds_after = folds(after_);
  }

 private:
  /// Inputs, then what the nodes of the main graph make.
  static std::vector<ValueId> values_of(const Model& model) {
    std::vector<ValueId> made(model.graph().inputs.begin(), model.graph().inputs.end());
    for (const NodeId node : model.graph().order) {
      std::ranges::copy_if(model.node(node).outputs, std::back_inserter(made),
                           [](ValueId id) { return static_cast<bool>(id); });
    }
    return made;
  }

  static std::size_t names_in(const Model& model) {
    std::set<std::string_view> names;
    for (const ValueId input : model.graph().inputs) {
      const Type& type = model.type(model.value(input).declared);
      for (const DeclaredDim& dim : type.dims) {
        if (dim.kind == DeclaredDim::Kind::param) names.insert(dim.param);
      }
    }
    return names.size();
  }

  static bool has_few_names(const Model& model, std::string_view which, Diff& diff) {
    const std::size_t count = names_in(model);
    if (count <= kMostNames) return true;
    diff.not_compared.push_back(
        fmt::format("no shapes were compared: the inputs of the {} model have {} names for sizes, more than {}", which,
                    count, kMostNames));
    return false;
  }

  /// Of each name the one that stands for it wherever both models have the size alone.
  void find_renamed(Diff& diff) {
    std::map<std::string, std::set<std::string>> names;
    std::map<std::string, std::size_t> counts;
    std::vector<std::string> order;
    for (const auto& [was, now] : pairs_) {
      if (before_[was].rank() != after_[now].rank()) continue;
      std::set<std::string> own;
      for (std::size_t axis = 0; axis < after_[now].rank(); ++axis) {
        const auto old_name = symbol_of(before_, before_[was].dims[axis]);
        const auto new_name = symbol_of(after_, after_[now].dims[axis]);
        if (!old_name || !new_name) continue;
        if (names.try_emplace(*old_name).second) order.push_back(*old_name);
        names[*old_name].insert(*new_name);
        own.insert(*old_name);
      }
      for (const std::string& name : own) ++counts[name];
    }
    for (const std::string& name : order) {
      if (names[name].size() != 1) continue;
      const std::string& now = *names[name].begin();
      renamed_.emplace(name, now);
      if (now != name) diff.symbols.push_back({name, now, counts[name]});
    }
  }

  /// The size of the first model as the second would write it; nothing: it has names that the second does not have.
  [[nodiscard]] std::optional<Dim> translated(Dim dim) const {
    DimTable& table = after_.shapes.dims();
    if (dim.is_literal()) return dim;
    DimTable& old_table = before_.shapes.dims();
    std::vector<std::string_view> names;
    Dim made = dim;
    for (const std::string_view symbol : old_table.symbols(dim)) {
      const auto found = renamed_.find(symbol);
      if (found == renamed_.end()) return std::nullopt;
      const auto& [was, now] = *found;
      names.push_back(now);
      // A name that is on its way to another one is not mistaken for that.
      if (was != now) made = old_table.replaced(made, was, old_table.symbol("\x01" + now));
    }
    std::string text = old_table.text(made);
    std::erase(text, '\x01');
    return table.expression(text, names);
  }

  enum class Axis : std::uint8_t { same, overlooked, gained, lost, changed };

  /// Sizes are passed on from node to node: each pair is compared once.
  [[nodiscard]] Axis compare(Dim was, Dim now) {
    const auto [at, is_new] = compared_.try_emplace(
        std::pair(std::bit_cast<std::int64_t>(was), std::bit_cast<std::int64_t>(now)), Axis::same);
    if (is_new) at->second = compared(was, now);
    return at->second;
  }

  [[nodiscard]] Axis compared(Dim was, Dim now) const {
    if (was.is_literal() && now.is_literal()) return was.value() == now.value() ? Axis::same : Axis::changed;
    if (was.is_literal()) return Axis::lost;
    if (now.is_literal()) return Axis::gained;
    const bool was_exact = before_.shapes.dims().is_exact(was);
    const bool is_exact = after_.shapes.dims().is_exact(now);
    if (was_exact != is_exact) return was_exact ? Axis::lost : Axis::gained;
    if (!is_exact) return Axis::same;
    if (before_.shapes.dims().symbols(was).size() > kMostSymbols) return Axis::overlooked;
    const std::optional<Dim> expected = translated(was);
    return expected && after_.shapes.dims().equal(*expected, now) == Truth::yes ? Axis::same : Axis::changed;
  }

  void compare_dims(ValueId was, ValueId now, Diff& diff) {
    const ValueShape& old_shape = before_[was];
    const ValueShape& new_shape = after_[now];
    Axis worst = Axis::same;
    bool is_overlooked = false;
    const auto note = [&](Axis found) {
      is_overlooked = is_overlooked || found == Axis::overlooked;
      worst = std::max(worst, found);
    };
    if (old_shape.has_rank != new_shape.has_rank) {
      note(old_shape.has_rank ? Axis::lost : Axis::gained);
    } else if (old_shape.rank() != new_shape.rank()) {
      note(Axis::changed);
    } else {
      for (std::size_t axis = 0; axis < new_shape.rank(); ++axis)
        note(compare(old_shape.dims[axis], new_shape.dims[axis]));
    }
    if (is_overlooked && overlooked_++ == 0) first_overlooked_ = after_.model.value(now).name;
    if (worst <= Axis::overlooked) return;
    const ShapeChange::Kind kind = worst == Axis::lost     ? ShapeChange::Kind::lost
                                   : worst == Axis::gained ? ShapeChange::Kind::gained
                                                           : ShapeChange::Kind::changed;
    diff.shapes.push_back({.kind = kind,
                           .value = std::string(after_.model.value(now).name),
                           .before = before_.shapes.text(was),
                           .after = after_.shapes.text(now),
                           .reason = why_unknown(after_.model, after_.shapes, new_shape)});
  }

  static bool is_constant(const Side& side, ValueId id) {
    const NodeId producer = side.model.value(id).producer;
    return static_cast<bool>(side.model.constant(id)) || (producer && side.model.node(producer).op_type == "Constant");
  }

  void compare_constants(ValueId was, ValueId now, Diff& diff) const {
    const NodeId node = after_.model.value(now).producer;
    if (!node || !is_constant(before_, was) || is_constant(after_, now)) return;
    diff.constants.push_back({.value = std::string(after_.model.value(now).name),
                              .shape = after_.shapes.text(now),
                              .node = after_.model.node_label(node),
                              .op_type = std::string(after_.model.node(node).op_type)});
  }

  static std::size_t folds(const Side& side) {
    std::size_t count = 0;
    for (const NodeId id : side.model.graph().order) {
      const Node& node = side.model.node(id);
      const bool is_known =
          std::ranges::any_of(node.outputs, [](ValueId o) { return static_cast<bool>(o); }) &&
          std::ranges::all_of(node.outputs, [&](ValueId o) { return !o || side.shapes.folds_to_constant(o); });
      if (is_known && node.op_type != "Constant") ++count;
    }
    return count;
  }

  Side before_;
  Side after_;
  std::map<std::string_view, ValueId> names_;
  std::vector<std::pair<ValueId, ValueId>> pairs_;
  std::map<std::string, std::string, std::less<>> renamed_;
  std::map<std::pair<std::int64_t, std::int64_t>, Axis> compared_;
  std::size_t overlooked_ = 0;  ///< tensors of which an axis was not compared
  std::string_view first_overlooked_;
};

}  // namespace

void compare_shapes(const Model& before, const Target& before_target, const Model& after, const Target& after_target,
                    Diff& diff) {
  Comparison(before, before_target, after, after_target).take(diff);
}

}  // namespace trtcheck::diffing
