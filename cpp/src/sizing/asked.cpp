#include "sizing/asked.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "edit/declared_dim.hpp"
#include "text/suggest.hpp"

namespace trtcheck::sizing {

void refuse_axis(std::string cause) { throw Error("dynamic axis", std::move(cause)); }

namespace {

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

/// What is asked for, looked up in the model.
class Asked {
 public:
  Asked(const Model& model, const std::vector<NamedAxis>& axes) : model_(&model) {
    for (const NamedAxis& axis : axes) add(axis);
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
  void add(const NamedAxis& axis) {
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
      made.dims->push_back(symbol == symbols.end() ? edit::as_declared(type.dims[i]) : edit::DimValue(symbol->second));
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

}  // namespace

AskedAxes asked_axes(const Model& model, const std::vector<NamedAxis>& axes) {
  const Asked asked(model, axes);
  return {.freed = asked.freed(), .declarations = asked.declarations()};
}

}  // namespace trtcheck::sizing
