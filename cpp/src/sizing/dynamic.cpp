#include "sizing/dynamic.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

#include "cure/agreement.hpp"
#include "cure/sweep.hpp"
#include "edit/edited.hpp"
#include "sizing/trial.hpp"
#include "sizing/written.hpp"
#include "text/suggest.hpp"

namespace trtcheck::sizing {
namespace {

// Questions have two ways or three; a model with more than a few of them says too little.
constexpr std::size_t kMostTrials = 256;

[[noreturn]] void refuse_axis(std::string cause) { throw Error("dynamic axis", std::move(cause)); }

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

edit::DimValue as_declared(const DeclaredDim& dim) {
  if (dim.kind == DeclaredDim::Kind::value) return dim.value;
  if (dim.kind == DeclaredDim::Kind::param) return std::string(dim.param);
  return std::monostate{};
}

/// What is asked for, looked up in the model.
class Asked {
 public:
  Asked(const Model& model, const std::vector<DynamicAxis>& axes) : model_(&model) {
    for (const DynamicAxis& axis : axes) add(axis);
    for (const Freed& one : freed_) {
      for (const Freed& other : freed_) {
        if (one.symbol != other.symbol || one.number == other.number) continue;
        refuse_axis(fmt::format("`{}` cannot be both {} and {}", one.symbol, one.number, other.number));
      }
    }
  }

  [[nodiscard]] const std::vector<Freed>& freed() const noexcept { return freed_; }

  /// Inputs get the symbols; what is said of other values is taken away: it is of one size.
  [[nodiscard]] std::vector<edit::Edit> declarations() const {
    std::vector<edit::Edit> edits;
    for (const auto& [input, symbols] : symbols_) edits.emplace_back(declared(input, symbols));
    for (std::uint32_t i = 0; i < model_->graph_count(); ++i) forget(GraphId{i}, edits);
    return edits;
  }

 private:
  void add(const DynamicAxis& axis) {
    const ValueId input = input_named(axis.input);
    const Type& type = model_->type(model_->value(input).declared);
    if (!is_name(axis.symbol)) refuse_axis(fmt::format("`{}` is no name: letters, digits and _", axis.symbol));
    if (!type.has_shape || axis.axis >= type.dims.size()) {
      refuse_axis(fmt::format("`{}` has {} axes, there is no axis {}", axis.input, type.dims.size(), axis.axis));
    }
    const DeclaredDim& dim = type.dims[axis.axis];
    if (dim.kind != DeclaredDim::Kind::value || dim.value < 1) {
      refuse_axis(fmt::format("axis {} of `{}` is dynamic already", axis.axis, axis.input));
    }
    freed_.push_back({.symbol = axis.symbol, .number = dim.value, .input = axis.input, .axis = axis.axis});
    symbols_[input][axis.axis] = axis.symbol;
  }
  [[nodiscard]] ValueId input_named(const std::string& name) const {
    std::vector<std::string_view> names;
    for (const ValueId input : model_->graph().inputs) {
      if (!model_->is_network_input(input)) continue;
      if (model_->value(input).name == name) return input;
      names.push_back(model_->value(input).name);
    }
    refuse_axis(fmt::format("there is no input `{}`{}", name, did_you_mean(name, names)));
  }

  [[nodiscard]] edit::DeclareType declared(ValueId id, const std::map<std::size_t, std::string>& symbols) const {
    const Type& type = model_->type(model_->value(id).declared);
    edit::TypeValue made{.type = type.element, .dims = std::vector<edit::DimValue>{}};
    for (std::size_t i = 0; i < type.dims.size(); ++i) {
      const auto symbol = symbols.find(i);
      made.dims->push_back(symbol == symbols.end() ? as_declared(type.dims[i]) : edit::DimValue(symbol->second));
    }
    return {{}, std::string(model_->value(id).name), std::move(made)};
  }
  void forget(GraphId id, std::vector<edit::Edit>& edits) const {
    const Graph& graph = model_->graph(id);
    if (graph.kind == Graph::Kind::function_call || graph.kind == Graph::Kind::function_definition) return;
    const edit::GraphAt place = edit::place_of(*model_, id);
    if (place.function) return;
    for (const ValueId value : graph.declared) {
      edits.emplace_back(edit::RemoveDeclaration{place, std::string(model_->value(value).name)});
    }
    std::set<ValueId> borders(graph.outputs.begin(), graph.outputs.end());
    // What a Loop hands to its body is what comes in.
    if (graph.kind == Graph::Kind::body) borders.insert(graph.inputs.begin(), graph.inputs.end());
    for (const ValueId border : borders) {
      const Value& value = model_->value(border);
      const Type& type = model_->type(value.declared);
      const bool is_fed = value.is_input && graph.kind == Graph::Kind::main;
      if (!border || value.graph != id || is_fed || type.kind != Type::Kind::tensor || !type.has_shape) continue;
      edit::TypeValue made{.type = type.element, .dims = std::vector<edit::DimValue>(type.dims.size())};
      edits.emplace_back(edit::DeclareType{place, std::string(value.name), std::move(made)});
    }
  }

  const Model* model_;
  std::vector<Freed> freed_;
  std::map<ValueId, std::map<std::size_t, std::string>> symbols_;
};

/// Each freed size is the number that the function gives.
template <class Number>
InferOptions sizes_of(const Model& model, const std::vector<Freed>& freed, Number number) {
  InferOptions options;
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
// No multiple of it, and no number that is likely to be there already.
std::int64_t another_number(const Freed& one) { return 2 * one.number + 11; }

std::string node_text(const Model& model, NodeId id) {
  return fmt::format("{} `{}`", model.node(id).op_type, model.node_label(id));
}

/// The one way to read the model that is left.
class Search {
 public:
  Search(const Model& model, const Shapes& before, Folder& folder, const std::vector<Freed>& freed)
      : model_(&model), before_(&before), folder_(&folder), freed_(&freed) {}

  Trial best() && {
    Decisions decisions;
    for (std::size_t count = 0; count < kMostTrials; ++count) {
      Trial trial = tried(*model_, *before_, *folder_, *freed_, decisions);
      const std::vector<Trial::Question> questions = trial.questions;
      keep(std::move(trial), decisions);
      if (!advance(decisions, questions)) return chosen();
    }
    refuse_axis("too much of the model can be read in several ways");
  }

  /// More than one way was as good.
  [[nodiscard]] bool was_chosen() const noexcept { return alike_ > 1; }

 private:
  void keep(Trial trial, const Decisions& decisions) {
    if (!trial.against.empty()) {
      if (why_not_.empty()) why_not_ = trial.against;
      return;
    }
    if (best_ && trial.mixed > best_->mixed) return;
    if (best_ && trial.mixed == best_->mixed) {
      ++alike_;
      if (outputs_of(trial) != outputs_of(*best_)) refuse_both_ = question_of(trial, decisions);
      return;
    }
    best_decisions_ = decisions;
    best_.emplace(std::move(trial));
    alike_ = 1;
    refuse_both_.clear();
  }
  [[nodiscard]] std::string outputs_of(const Trial& trial) const {
    std::string text;
    for (const ValueId output : model_->graph().outputs) text += trial.shapes.text(output) + ";";
    return text;
  }
  [[nodiscard]] std::string question_of(const Trial& trial, const Decisions& decisions) const {
    for (const Trial::Question& question : trial.questions) {
      const auto way = decisions.find(question.key);
      const auto other = best_decisions_.find(question.key);
      const std::size_t a = way == decisions.end() ? 0 : way->second;
      const std::size_t b = other == best_decisions_.end() ? 0 : other->second;
      if (a != b) return fmt::format("{}: {}", node_text(*model_, question.node), question.key);
    }
    return "an output";
  }
  /// The next combination; false after the last one.
  static bool advance(Decisions& decisions, const std::vector<Trial::Question>& questions) {
    Decisions next;
    for (const Trial::Question& question : questions) {
      const auto known = decisions.find(question.key);
      next[question.key] = known == decisions.end() ? 0 : known->second;
    }
    for (auto question = questions.rbegin(); question != questions.rend(); ++question) {
      if (++next[question->key] < question->ways) {
        decisions = std::move(next);
        return true;
      }
      next.erase(question->key);
    }
    return false;
  }
  Trial chosen() {
    if (!best_) refuse_axis(why_not_);
    if (!refuse_both_.empty()) {
      refuse_axis(
          fmt::format("{}: this can be read in two ways, and the outputs would have different sizes", refuse_both_));
    }
    return std::move(*best_);
  }

  const Model* model_;
  const Shapes* before_;
  Folder* folder_;
  const std::vector<Freed>* freed_;
  std::optional<Trial> best_;
  Decisions best_decisions_;
  std::size_t alike_ = 0;
  std::string why_not_;
  std::string refuse_both_;
};

bool is_dynamic(const DimTable& dims, const std::vector<Freed>& freed, Dim dim) {
  if (dim.is_literal()) return false;
  const auto symbols = dims.symbols(dim);
  return std::ranges::any_of(freed, [&](const Freed& one) {
    return std::ranges::find(symbols, std::string_view(one.symbol)) != symbols.end();
  });
}

class Freeing {
 public:
  Freeing(const cure::SourceFile& origin, const Limits& limits) : origin_(&origin), limits_(&limits) {}

  cure::Prepared run(const edit::Pieces& pieces, const std::vector<DynamicAxis>& axes) {
    const Model given = cure::model_of(*origin_, pieces, *limits_);
    const Asked asked(given, axes);
    freed_ = asked.freed();
    edit::Pieces declared = edit::edited(given, asked.declarations()).over(pieces);
    const Model model = cure::model_of(*origin_, declared, *limits_);
    const Shapes before = infer(model, sizes_of(model, freed_, number_of_file));
    if (!before.conflicts().empty()) {
      const Conflict& conflict = before.conflicts().front();
      refuse_axis(
          fmt::format("the model contradicts itself: {}: {}", node_text(model, conflict.node), conflict.message));
    }
    Folder folder(model, before);
    Search search(model, before, folder, freed_);
    const Trial trial = std::move(search).best();
    WrittenTrial made = written(model, trial, folder, freed_);
    edit::Pieces changed = swept(model, edit::edited(model, made.edits).over(declared));
    changed = redeclared(given, changed);
    verify(model, before, changed);
    cure::Prepared prepared{.pieces = std::move(changed), .applied = {}};
    tell(given, prepared, search.was_chosen());
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
    const Shapes shapes = infer(model);
    std::vector<edit::Edit> edits;
    for (std::uint32_t i = 0; i < model.value_count(); ++i) {
      const Value& value = model.value(ValueId{i});
      const auto known = said.find(value.name);
      const bool is_made = value.producer || (value.is_input && !is_fed(value));
      if (known == said.end() || !is_made || !shapes[ValueId{i}].has_rank) continue;
      const edit::GraphAt place = edit::place_of(model, value.graph);
      if (place.function) continue;
      edits.emplace_back(
          edit::DeclareType{place, std::string(value.name), {known->second, dims_of(shapes, ValueId{i})}});
    }
    return edit::edited(model, edits).over(pieces);
  }
  static bool is_fed(const Value& value) { return value.is_input && value.graph == GraphId{0}; }
  static std::vector<edit::DimValue> dims_of(const Shapes& shapes, ValueId id) {
    std::vector<edit::DimValue> made;
    for (const Dim dim : shapes[id].dims) {
      if (dim.is_literal()) {
        made.emplace_back(dim.value());
      } else if (shapes.dims().is_exact(dim)) {
        made.emplace_back(shapes.dims().text(dim));
      } else {
        made.emplace_back(std::monostate{});
      }
    }
    return made;
  }

  /// The same for the sizes of the file, and for others what was meant.
  void verify(const Model& before, const Shapes& before_shapes, const edit::Pieces& pieces) {
    const Model model = cure::model_of(*origin_, pieces, *limits_);
    const Shapes same = infer(model, sizes_of(model, freed_, number_of_file));
    if (const auto problem = cure::changed_value(before, before_shapes, model, same)) refuse_axis(*problem);
    const Shapes symbolic = infer(model);
    const Shapes other = infer(model, sizes_of(model, freed_, another_number));
    if (!other.conflicts().empty()) {
      const Conflict& conflict = other.conflicts().front();
      refuse_axis(fmt::format("{}: {}", node_text(model, conflict.node), conflict.message));
    }
    std::vector<DimTable::Binding> bindings;
    for (const Freed& one : freed_) bindings.push_back({one.symbol, another_number(one)});
    for (std::uint32_t i = 0; i < model.value_count(); ++i) {
      const ValueShape& meant = symbolic[ValueId{i}];
      for (std::size_t axis = 0; axis < meant.rank() && axis < other[ValueId{i}].rank(); ++axis) {
        const Dim dim = other[ValueId{i}].dims[axis];
        const auto number = meant.dims[axis].is_literal() ? std::optional(meant.dims[axis].value())
                                                          : symbolic.dims().evaluate(meant.dims[axis], bindings);
        if (!number || !dim.is_literal() || dim.value() == *number) continue;
        refuse_axis(fmt::format("`{}` would be {} instead of {}", model.value(ValueId{i}).name, other.text(ValueId{i}),
                                symbolic.text(ValueId{i})));
      }
    }
    note_outputs(model, symbolic);
    note_unknown(model, symbolic);
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
      if (std::ranges::none_of(shape.dims, [&](Dim dim) { return is_dynamic(shapes.dims(), freed_, dim); })) continue;
      outputs_.push_back(fmt::format("`{}` is {}", model.value(output).name, shapes.text(output)));
    }
    if (outputs_.empty())
      refuse_axis("no output would have another size: entries of the axis are added up or left out");
  }

  void tell(const Model& /*given*/, cure::Prepared& prepared, bool was_chosen) const {
    for (const Freed& one : freed_) {
      AppliedCure made{};
      made.cure = "axis-made-dynamic";
      made.kind = was_chosen || !unknown_.empty() ? CureClass::choice : CureClass::interface;
      made.title = fmt::format("axis {} of `{}`, {} in the file, is `{}`; {}", one.axis, one.input, one.number,
                               one.symbol, fmt::join(outputs_, ", "));
      if (!unknown_.empty()) made.title += fmt::format("; what `{}` is, only the running model tells", unknown_);
      prepared.applied.push_back(std::move(made));
    }
  }

  const cure::SourceFile* origin_;
  const Limits* limits_;
  std::vector<Freed> freed_;
  std::vector<std::string> outputs_;
  std::string unknown_;  ///< a value whose sizes are not known
};

}  // namespace

cure::Prepared with_dynamic_axes(const cure::SourceFile& origin, const edit::Pieces& pieces,
                                 const std::vector<DynamicAxis>& axes, const Limits& limits) {
  return Freeing(origin, limits).run(pieces, axes);
}

}  // namespace trtcheck::sizing
