#include "simplify/sizes.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

#include "edit/declared_dim.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace simplifying {
namespace {

[[noreturn]] void refuse(std::string cause) { throw Error("static size", std::move(cause)); }

class Pinning {
 public:
  Pinning(const Model& model, const Shapes& shapes) : model_(&model), shapes_(&shapes) {}

  Plan plan(const std::vector<StaticSize>& sizes) && {
    for (const StaticSize& size : sizes) bind(size);
    for (std::uint32_t i = 0; i < model_->graph_count(); ++i) declare_all(GraphId{i});
    return std::move(plan_);
  }

 private:
  void bind(const StaticSize& size) {
    if (std::ranges::any_of(size.dims, [](std::int64_t dim) { return dim < 1; })) {
      refuse(fmt::format("`{}`: each size must be at least 1", size.name));
    }
    if (const ValueId input = input_named(size.name)) {
      bind_input(input, size.dims);
    } else if (symbols().contains(size.name)) {
      if (size.dims.size() != 1) refuse(fmt::format("`{}` is a symbol, which has one size", size.name));
      bind_symbol(size.name, size.dims.front());
    } else {
      refuse(fmt::format("there is no input and no symbol `{}`{}", size.name, did_you_mean(size.name, all_names())));
    }
    plan_.steps.push_back({"size-pinned", {}, fmt::format("`{}` is {}", size.name, fmt::join(size.dims, "x"))});
  }

  [[nodiscard]] ValueId input_named(std::string_view name) const {
    for (const ValueId input : model_->graph().inputs) {
      if (model_->value(input).name == name) return input;
    }
    return {};
  }
  /// Of inputs: others are not the caller's.
  [[nodiscard]] std::set<std::string, std::less<>> symbols() const {
    std::set<std::string, std::less<>> names;
    for (const ValueId input : model_->graph().inputs) {
      for (const DeclaredDim& dim : model_->type(model_->value(input).declared).dims) {
        if (dim.kind == DeclaredDim::Kind::param) names.emplace(dim.param);
      }
    }
    return names;
  }
  [[nodiscard]] std::vector<std::string_view> all_names() const {
    std::vector<std::string_view> names;
    for (const ValueId input : model_->graph().inputs) {
      names.push_back(model_->value(input).name);
      for (const DeclaredDim& dim : model_->type(model_->value(input).declared).dims) {
        if (dim.kind == DeclaredDim::Kind::param) names.push_back(dim.param);
      }
    }
    return names;
  }

  void bind_input(ValueId input, const std::vector<std::int64_t>& dims) {
    const Value& value = model_->value(input);
    const Type& type = model_->type(value.declared);
    if (type.kind != Type::Kind::tensor) refuse(fmt::format("`{}` is no tensor", value.name));
    if (type.has_shape && type.dims.size() != dims.size()) {
      refuse(fmt::format("`{}` has {} dims, not {}", value.name, type.dims.size(), dims.size()));
    }
    for (std::size_t i = 0; i < type.dims.size(); ++i) {
      const DeclaredDim& declared = type.dims[i];
      if (declared.kind == DeclaredDim::Kind::param) bind_symbol(declared.param, dims[i]);
      if (declared.kind == DeclaredDim::Kind::value && declared.value != dims[i]) {
        refuse(fmt::format("axis {} of `{}` has {} entries, not {}", i, value.name, declared.value, dims[i]));
      }
    }
    const auto [at, is_new] = inputs_.emplace(input, dims);
    if (!is_new && at->second != dims) refuse(fmt::format("`{}` is given twice", value.name));
  }
  void bind_symbol(std::string_view name, std::int64_t number) {
    const auto [at, is_new] = numbers_.emplace(name, number);
    if (is_new || at->second == number) return;
    refuse(fmt::format("`{}` cannot be both {} and {}", name, at->second, number));
  }

  void declare_all(GraphId id) {
    const Graph& graph = model_->graph(id);
    // What a function says, it says for all calls.
    for (GraphId around = id; around != GraphId{0}; around = model_->node(model_->graph(around).parent).graph) {
      if (model_->graph(around).kind != Graph::Kind::body) return;
    }
    std::set<ValueId> values(graph.inputs.begin(), graph.inputs.end());
    values.insert(graph.outputs.begin(), graph.outputs.end());
    values.insert(graph.declared.begin(), graph.declared.end());
    for (const ValueId value : values) {
      if (value && model_->value(value).graph == id) declare(value);
    }
  }

  void declare(ValueId id) {
    const Value& value = model_->value(id);
    const Type& type = model_->type(value.declared);
    const auto given = inputs_.find(id);
    if (type.kind != Type::Kind::tensor) return;
    if (given == inputs_.end() &&
        !std::ranges::any_of(type.dims, [&](const DeclaredDim& dim) { return number_of(dim).has_value(); }))
      return;
    edit::TypeValue made{.type = type.element, .dims = std::vector<edit::DimValue>{}};
    const std::size_t rank = given == inputs_.end() ? type.dims.size() : given->second.size();
    bool is_changed = !type.has_shape;
    for (std::size_t i = 0; i < rank; ++i) {
      edit::DimValue dim = type.has_shape ? edit::as_declared(type.dims[i]) : edit::DimValue{};
      const std::optional<std::int64_t> number =
          given != inputs_.end() ? std::optional(given->second[i]) : number_of(type.dims[i]);
      if (number) {
        is_changed = is_changed || dim != edit::DimValue(*number);
        dim = *number;
      }
      made.dims->push_back(std::move(dim));
    }
    if (!is_changed) return;
    plan_.edits.emplace_back(edit::DeclareType{edit::place_of(*model_, value.graph), std::string(value.name), made});
  }
  /// Of a symbol, or of an expression of symbols: "batch", "2*length".
  [[nodiscard]] std::optional<std::int64_t> number_of(const DeclaredDim& dim) const {
    if (dim.kind != DeclaredDim::Kind::param) return std::nullopt;
    if (const auto known = numbers_.find(dim.param); known != numbers_.end()) return known->second;
    std::vector<DimTable::Binding> bindings;
    for (const auto& [name, number] : numbers_) bindings.push_back({name, number});
    DimTable& table = shapes_->dims();
    return table.evaluate(table.parse(dim.param), bindings);
  }

  const Model* model_;
  const Shapes* shapes_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
  std::map<ValueId, std::vector<std::int64_t>> inputs_;
  Plan plan_;
};

}  // namespace

Plan with_sizes(const Model& model, const Shapes& shapes, const std::vector<StaticSize>& sizes) {
  return Pinning(model, shapes).plan(sizes);
}

}  // namespace simplifying

StaticSize parse_static_size(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    simplifying::refuse(fmt::format("`{}`: NAME=SIZES is required, as in x=1x3x224x224", text));
  }
  StaticSize size{.name = std::string(text.substr(0, equals)), .dims = {}};
  std::string_view rest = text.substr(equals + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    const std::string_view word = rest.substr(0, end);
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || stop != word.data() + word.size() || number < 1) {
      simplifying::refuse(fmt::format("`{}`: `{}` is no size of at least 1", text, word));
    }
    size.dims.push_back(number);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
    if (rest.empty()) simplifying::refuse(fmt::format("`{}`: a size is missing after the last x", text));
  }
  return size;
}

}  // namespace trtcheck
