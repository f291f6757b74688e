#include "sizing/dynamic.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cure/agreement.hpp"
#include "cure/sweep.hpp"
#include "edit/edited.hpp"
#include "sizing/asked.hpp"
#include "sizing/search.hpp"
#include "sizing/trier.hpp"
#include "sizing/written.hpp"
#include "subgraph/declared.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::sizing {
namespace {

/// With each freed size the number that the function gives.
template <class Number>
InferOptions sizes_of(const Model& model, InferOptions options, const std::vector<Freed>& freed, Number number) {
  for (const ValueId input : model.graph().inputs) {
    const Value& value = model.value(input);
    const Type& type = model.type(value.declared);
    if (!model.is_network_input(input) || !type.has_shape) continue;
    InputRange range{.input = std::string(value.name), .dims = {}};
    bool is_bound = false;
    for (const DeclaredDim& dim : type.dims) {
      Interval interval{1, Interval::kMax};
      if (dim.kind == DeclaredDim::Kind::value) interval = {dim.value, dim.value};
      const auto one = std::ranges::find_if(
          freed, [&](const Freed& other) { return dim.kind == DeclaredDim::Kind::param && dim.param == other.symbol; });
      if (one != freed.end()) {
        interval = {number(*one), number(*one)};
        is_bound = true;
      }
      range.dims.push_back(interval);
    }
    if (is_bound) options.ranges.push_back(std::move(range));
  }
  return options;
}
std::int64_t number_of_file(const Freed& one) { return one.number; }
std::int64_t twice(const Freed& one) { return 2 * one.number; }
std::int64_t thrice(const Freed& one) { return 3 * one.number; }
std::int64_t one_more(const Freed& one) { return one.number + 1; }
// No number that is likely to be there already.
std::int64_t another_number(const Freed& one) { return 2 * one.number + 11; }

class Freeing {
 public:
  Freeing(const cure::SourceFile& origin, const CheckOptions& check)
      : origin_(&origin), limits_(&check.limits), known_(symbolic_options(check.target)) {}

  cure::Prepared run(const edit::Pieces& pieces, const std::vector<NamedAxis>& axes) {
    const Model given = cure::model_of(*origin_, pieces, *limits_);
    const AskedAxes asked = asked_axes(given, axes);
    freed_ = asked.freed;
    edit::Pieces declared = edit::edited(given, asked.declarations).over(pieces);
    const Model model = cure::model_of(*origin_, declared, *limits_);
    const Shapes before = infer(model, sizes_of(model, known_, freed_, number_of_file));
    if (!before.conflicts().empty()) {
      const Conflict& conflict = before.conflicts().front();
      refuse_axis(fmt::format("the model contradicts itself: {}: {}", label(model, conflict.node), conflict.message));
    }
    Folder folder(model, before);
    const BestTrial best = best_trial({&model, &known_, &before, &folder, &freed_});
    WrittenTrial made = written(model, best.trial, folder, freed_);
    edit::Pieces changed = swept(model, edit::edited(model, made.edits).over(declared));
    changed = redeclared(given, changed);
    verify(model, before, changed);
    cure::Prepared prepared{.pieces = std::move(changed), .applied = {}};
    tell(prepared, best.was_chosen);
    std::ranges::move(made.told, std::back_inserter(prepared.applied));
    return prepared;
  }

 private:
  [[nodiscard]] edit::Pieces swept(const Model& before, edit::Pieces pieces) const {
    const Model after = cure::model_of(*origin_, pieces, *limits_);
    const std::vector<edit::Edit> edits = cure::newly_unused(before, after);
    return edits.empty() ? pieces : edit::edited(after, edits).over(pieces);
  }

  /// What the file said of values it says again, of the new sizes.
  [[nodiscard]] edit::Pieces redeclared(const Model& given, const edit::Pieces& pieces) const {
    std::map<std::string, DataType, std::less<>> said;
    for (std::uint32_t i = 0; i < given.value_count(); ++i) {
      const Value& value = given.value(ValueId{i});
      const Type& type = given.type(value.declared);
      if (type.kind == Type::Kind::tensor && type.has_shape && !is_fed(value)) {
        said.emplace(value.name, type.element);
      }
    }
    const Model model = cure::model_of(*origin_, pieces, *limits_);
    const Shapes shapes = infer(model, known_);
    std::vector<edit::Edit> edits;
    for (std::uint32_t i = 0; i < model.value_count(); ++i) {
      const Value& value = model.value(ValueId{i});
      const auto known = said.find(value.name);
      const bool is_made = value.producer || (value.is_input && !is_fed(value));
      if (known == said.end() || !is_made || !shapes[ValueId{i}].has_rank) continue;
      const edit::GraphAt place = edit::place_of(model, value.graph);
      if (place.function) continue;
      edits.emplace_back(edit::DeclareType{place, std::string(value.name),
                                           subgraph::inferred_type(shapes, ValueId{i}, known->second)});
    }
    return edit::edited(model, edits).over(pieces);
  }
  static bool is_fed(const Value& value) { return value.is_input && value.graph == GraphId{0}; }

  /// The same for the sizes of the file, and for multiples of them what was meant; for others, too, or it is said.
  void verify(const Model& before, const Shapes& before_shapes, const edit::Pieces& pieces) {
    const Model model = cure::model_of(*origin_, pieces, *limits_);
    const Shapes same = infer(model, sizes_of(model, known_, freed_, number_of_file));
    if (const auto problem = cure::changed_value(before, before_shapes, model, same)) refuse_axis(*problem);
    const Shapes symbolic = infer(model, known_);
    for (const auto& number : {twice, thrice}) {
      if (const auto problem = contradiction(model, symbolic, number)) refuse_axis(*problem);
    }
    for (const auto& number : {one_more, another_number}) {
      if (only_multiples_.empty()) only_multiples_ = contradiction(model, symbolic, number).value_or("");
    }
    note_outputs(model, symbolic);
    note_unknown(model, symbolic);
  }
  /// What would not be as it was meant if each size had this number.
  [[nodiscard]] std::optional<std::string> contradiction(const Model& model, const Shapes& symbolic,
                                                         std::int64_t (*number_of)(const Freed&)) const {
    const Shapes other = infer(model, sizes_of(model, known_, freed_, number_of));
    if (!other.conflicts().empty()) {
      const Conflict& conflict = other.conflicts().front();
      return fmt::format("{}: {}", label(model, conflict.node), conflict.message);
    }
    std::vector<DimTable::Binding> bindings;
    for (const Freed& one : freed_) bindings.push_back({one.symbol, number_of(one)});
    for (std::uint32_t i = 0; i < model.value_count(); ++i) {
      const ValueShape& meant = symbolic[ValueId{i}];
      for (std::size_t axis = 0; axis < meant.rank() && axis < other[ValueId{i}].rank(); ++axis) {
        const Dim dim = other[ValueId{i}].dims[axis];
        const auto number = meant.dims[axis].is_literal() ? std::optional(meant.dims[axis].value())
                                                          : symbolic.dims().evaluate(meant.dims[axis], bindings);
        if (!number || !dim.is_literal() || dim.value() == *number) continue;
        return fmt::format("`{}` would be {} instead of {}", model.value(ValueId{i}).name, other.text(ValueId{i}),
                           symbolic.text(ValueId{i}));
      }
    }
    return std::nullopt;
  }
  /// Of such a value nothing is proven.
  void note_unknown(const Model& model, const Shapes& shapes) {
    for (std::uint32_t i = 0; i < model.value_count() && unknown_.empty(); ++i) {
      const ValueShape& shape = shapes[ValueId{i}];
      const auto is_exact = [&](Dim dim) { return shapes.dims().is_exact(dim); };
      if (!model.value(ValueId{i}).producer || (shape.has_rank && std::ranges::all_of(shape.dims, is_exact))) continue;
      unknown_ = model.value(ValueId{i}).name;
    }
  }
  void note_outputs(const Model& model, const Shapes& shapes) {
    for (const ValueId output : model.graph().outputs) {
      const ValueShape& shape = shapes[output];
      if (std::ranges::none_of(shape.dims, [&](Dim dim) { return depends(shapes.dims(), freed_, dim); })) continue;
      outputs_.push_back(fmt::format("`{}` is {}", model.value(output).name, shapes.text(output)));
    }
    if (outputs_.empty())
      refuse_axis("no output would have another size: entries of the axis are added up or left out");
  }

  void tell(cure::Prepared& prepared, bool was_chosen) const {
    for (const Freed& one : freed_) {
      AppliedCure made{};
      made.cure = "axis-made-dynamic";
      made.kind =
          was_chosen || !unknown_.empty() || !only_multiples_.empty() ? CureClass::choice : CureClass::interface;
      made.title = fmt::format("axis {} of `{}`, {} in the file, is `{}`; {}", one.axis, one.input, one.number,
                               one.symbol, fmt::join(outputs_, ", "));
      if (!only_multiples_.empty()) made.title += fmt::format("; not for each size: {}", only_multiples_);
      if (!unknown_.empty()) made.title += fmt::format("; what `{}` is, only the running model tells", unknown_);
      prepared.applied.push_back(std::move(made));
    }
  }

  const cure::SourceFile* origin_;
  const Limits* limits_;
  InferOptions known_;  ///< for all sizes
  std::vector<Freed> freed_;
  std::vector<std::string> outputs_;
  std::string only_multiples_;  ///< what is wrong with another size; "" = nothing
  std::string unknown_;         ///< a value whose sizes are not known
};

}  // namespace

cure::Prepared with_dynamic_axes(const cure::SourceFile& origin, const edit::Pieces& pieces,
                                 const std::vector<NamedAxis>& axes, const CheckOptions& check) {
  return Freeing(origin, check).run(pieces, axes);
}

}  // namespace trtcheck::sizing
