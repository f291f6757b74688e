#include "axes/conditions.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "axes/demands.hpp"
#include "provenance/provenance.hpp"
#include "rules/shape/obligation_words.hpp"

namespace trtcheck::axis {
namespace {

/// Sizes that are tried.
constexpr std::int64_t kMostSizes = 4096;
constexpr int kMostTries = 2'000'000;
/// Conditions of a model that are looked at.
constexpr std::size_t kMostConditions = 1000;
/// Two axes that are compared: sizes up to this.
constexpr std::int64_t kMostOfTwo = 12;

/// What the sizes that fit have in common.
AxisCondition classified(const std::vector<std::int64_t>& sizes, std::int64_t tried) {
  const auto made = [](AxisState state, std::int64_t number, std::string text) {
    return AxisCondition{.state = state, .number = number, .text = std::move(text)};
  };
  if (sizes.empty()) return made(AxisState::none, 0, fmt::format("no size up to {} fits", tried));
  if (sizes.size() == 1) return made(AxisState::fixed, sizes[0], fmt::format("only {}", sizes[0]));
  // An axis of 1 is repeated against a constant.
  if (sizes.size() == 2 && sizes[0] == 1) {
    return made(AxisState::fixed, sizes[1], fmt::format("only {} (or 1)", sizes[1]));
  }
  const std::int64_t step = sizes[1] - sizes[0];
  for (std::size_t i = 2; i < sizes.size(); ++i) {
    if (sizes[i] - sizes[i - 1] != step) return made(AxisState::some, 0, "only some sizes");
  }
  const bool reaches_end = sizes.back() + step > tried;
  if (step == 1 && reaches_end) return made(AxisState::at_least, sizes[0], fmt::format("at least {}", sizes[0]));
  if (step == 1 && sizes[0] == 1)
    return made(AxisState::at_most, sizes.back(), fmt::format("at most {}", sizes.back()));
  if (step > 1 && reaches_end && sizes[0] == step) {
    return made(AxisState::multiples, step, fmt::format("only multiples of {}", step));
  }
  return made(AxisState::some, 0, "only some sizes");
}

class Conditions {
 public:
  Conditions(const Model& model, const Shapes& shapes, const profiles::OpenInputs& inputs)
      : model_(&model), shapes_(&shapes), inputs_(&inputs), lines_(model) {}

  std::vector<DynamicAxis> axes() {
    for (const profiles::OpenDim& dim : inputs_->dims()) {
      axes_.push_back({.name = dim.name, .places = dim.axes});
      axes_.back().reaches = first_reader(dim.name);
    }
    for (const Demand& demand : demands(*shapes_, kMostConditions)) look_at(*demand.first);
    for (DynamicAxis& axis : axes_) {
      for (const AxisCondition& condition : axis.conditions) axis.state = stronger(axis.state, condition.state);
    }
    return std::move(axes_);
  }

 private:
  static AxisState stronger(AxisState a, AxisState b) {
    constexpr std::array kOrder{AxisState::none,      AxisState::fixed,   AxisState::equal,
                                AxisState::multiples, AxisState::at_most, AxisState::at_least,
                                AxisState::some,      AxisState::tied,    AxisState::free};
    return std::ranges::find(kOrder, a) <= std::ranges::find(kOrder, b) ? a : b;
  }

  void look_at(const Obligation& obligation) {
    const DimTable& table = shapes_->dims();
    std::vector<std::size_t> places;
    for (const Dim side : {obligation.a, obligation.b}) {
      for (const std::string_view symbol : table.symbols(side)) {
        const auto place = inputs_->place_of(symbol);
        if (!place) return;
        if (std::ranges::find(places, *place) == places.end()) places.push_back(*place);
      }
    }
    if (places.empty()) return;
    if (places.size() == 1) return one(obligation, places[0]);
    if (places.size() == 2) return two(obligation, places[0], places[1]);
    const std::string text = fmt::format("tied to {} other axes", places.size() - 1);
    for (const std::size_t place : places) add(obligation, place, {.state = AxisState::tied, .text = text});
  }

  [[nodiscard]] bool is_met(const Obligation& obligation, const std::vector<DimTable::Binding>& bindings) {
    --left_;
    const auto a = shapes_->dims().evaluate(obligation.a, bindings);
    const auto b = shapes_->dims().evaluate(obligation.b, bindings);
    return !a || !b || rules::is_met_by(obligation, *a, *b);
  }

  void one(const Obligation& obligation, std::size_t place) {
    std::vector<std::int64_t> sizes;
    std::int64_t tried = 0;
    while (tried < kMostSizes && left_ > 0) {
      ++tried;
      if (is_met(obligation, {{axes_[place].name, tried}})) sizes.push_back(tried);
    }
    if (tried == static_cast<std::int64_t>(sizes.size())) return;
    add(obligation, place, classified(sizes, tried));
  }

  void two(const Obligation& obligation, std::size_t a, std::size_t b) {
    bool is_diagonal = true;
    bool is_all = true;
    for (std::int64_t i = 1; i <= kMostOfTwo; ++i) {
      for (std::int64_t j = 1; j <= kMostOfTwo && left_ > 0; ++j) {
        const bool fits = is_met(obligation, {{axes_[a].name, i}, {axes_[b].name, j}});
        is_all = is_all && fits;
        // 1 may be repeated.
        if (fits != (i == j) && i != 1 && j != 1) is_diagonal = false;
        if (i == j && !fits) is_diagonal = false;
      }
    }
    if (is_all) return;
    if (!is_diagonal) {
      for (const auto& [own, other] : {std::pair(a, b), std::pair(b, a)}) {
        add(obligation, own, {.state = AxisState::tied, .text = fmt::format("tied to `{}`", axes_[other].name)});
      }
      return;
    }
    for (const auto& [own, other] : {std::pair(a, b), std::pair(b, a)}) {
      const bool may_be_one = obligation.need == Obligation::Need::one_or_equal;
      add(obligation, own,
          {.state = AxisState::equal,
           .other = axes_[other].name,
           .text = fmt::format("equal to `{}`{}", axes_[other].name, may_be_one ? " (or 1)" : "")});
    }
  }

  void add(const Obligation& obligation, std::size_t place, AxisCondition condition) {
    std::vector<AxisCondition>& known = axes_[place].conditions;
    // The first node of each kind tells it.
    const auto is_same = [&](const AxisCondition& other) { return other.text == condition.text; };
    if (std::ranges::any_of(known, is_same)) return;
    const Node& node = model_->node(obligation.node);
    condition.node = model_->node_label(obligation.node);
    condition.op_type = node.op_type;
    condition.why =
        fmt::format("{} `{}` needs {}", node.op_type, condition.node, rules::wanted(shapes_->dims(), obligation));
    if (obligation.node) condition.source = lines_.of(obligation.node).lines.source;
    known.push_back(std::move(condition));
  }

  [[nodiscard]] std::string first_reader(std::string_view name) const {
    for (const NodeId id : model_->graph().order) {
      for (const ValueId input : model_->node(id).inputs) {
        if (!input) continue;
        for (const Dim dim : (*shapes_)[input].dims) {
          const auto symbols = shapes_->dims().symbols(dim);
          if (std::ranges::find(symbols, name) == symbols.end()) continue;
          return fmt::format("{} `{}`", model_->node(id).op_type, model_->node_label(id));
        }
      }
    }
    return {};
  }

  const Model* model_;
  const Shapes* shapes_;
  const profiles::OpenInputs* inputs_;
  rules::Provenances lines_;
  std::vector<DynamicAxis> axes_;
  int left_ = kMostTries;
};

/// What is known of a dim that the file only names.
AxisCondition of_output(const Model& model, const Shapes& shapes, Dim dim, rules::Provenances& lines) {
  const std::vector<Origin> origins = shapes.dims().origins(dim);
  if (origins.empty()) {
    return {.state = AxisState::computed, .text = fmt::format("computed: {}", shapes.dims().text(dim))};
  }
  AxisCondition made{.state = AxisState::data, .text = "decided by data", .why = std::string(origins[0].reason)};
  const NodeId node{origins[0].node};
  if (node.index >= model.node_count()) return made;
  made.node = model.node_label(node);
  made.op_type = model.node(node).op_type;
  made.source = lines.of(node).lines.source;
  return made;
}

/// Nothing is known of it but its name.
AxisCondition of_claim(const Model& model, ValueId output, rules::Provenances& lines) {
  AxisCondition made{.state = AxisState::data, .text = "decided by data"};
  const NodeId node = model.value(output).producer;
  if (!node) return made;
  made.node = model.node_label(node);
  made.op_type = model.node(node).op_type;
  made.why = fmt::format("{} `{}` decides it when it runs", made.op_type, made.node);
  made.source = lines.of(node).lines.source;
  return made;
}

}  // namespace

std::vector<DynamicAxis> axes_of_inputs(const Model& model, const Shapes& shapes, const profiles::OpenInputs& inputs) {
  return Conditions(model, shapes, inputs).axes();
}

std::vector<DynamicAxis> axes_of_outputs(const Model& model, const Shapes& shapes, const profiles::OpenInputs& inputs) {
  rules::Provenances lines(model);
  std::vector<DynamicAxis> made;
  for (const ValueId id : model.graph().outputs) {
    const std::span<const DeclaredDim> declared = model.type(model.value(id).declared).dims;
    const ValueShape& shape = shapes[id];
    for (std::size_t axis = 0; axis < declared.size() && shape.rank() == declared.size(); ++axis) {
      if (declared[axis].kind != DeclaredDim::Kind::param) continue;
      const std::string name(declared[axis].param);
      const Dim dim = shape.dims[axis];
      if (inputs.place_of(name) || dim.is_literal()) continue;
      const bool is_claim = shape.assumed && shapes.dims().text(dim) == name;
      if (!is_claim && shapes.dims().equal(shapes.dims().parse(name), dim) == Truth::yes) continue;
      const std::string place = fmt::format("axis {} of `{}`", axis, model.value(id).name);
      const auto known = std::ranges::find(made, name, &DynamicAxis::name);
      if (known != made.end()) {
        known->places.push_back(place);
        continue;
      }
      DynamicAxis& added = made.emplace_back();
      added.name = name;
      added.places = {place};
      added.conditions = {is_claim ? of_claim(model, id, lines) : of_output(model, shapes, dim, lines)};
      added.state = added.conditions[0].state;
    }
  }
  return made;
}

}  // namespace trtcheck::axis

namespace trtcheck {

std::string_view to_string(AxisState state) noexcept {
  constexpr std::array<std::string_view, 11> kNames{"free", "equal", "fixed", "multiples", "at-most", "at-least",
                                                    "some", "tied",  "none",  "computed",  "data"};
  return kNames[static_cast<std::size_t>(state)];
}

}  // namespace trtcheck
