// What a model asks of its sizes, and what cannot hold, each with the ways back of its sides.
#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>

#include "axes/demands.hpp"
#include "view/executed.hpp"
#include "why/explainer.hpp"

namespace trtcheck {
namespace {

using Part = TracePlace::Part;

constexpr std::size_t kMostDemands = 500;
constexpr std::size_t kMostConflicts = 200;
/// So many have their ways back: each asks the shape functions again.
constexpr std::size_t kExplained = 50;
constexpr std::size_t kMostSteps = 200;
constexpr std::size_t kMostSides = 4;

/// "6" in "input 1 has 63 channels" is none.
bool names(std::string_view message, std::string_view size) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = message.find(size); at != std::string_view::npos; at = message.find(size, at + 1)) {
    const bool starts = at == 0 || !is_part(message[at - 1]);
    const std::size_t end = at + size.size();
    if (starts && (end == message.size() || !is_part(message[end]))) return true;
  }
  return false;
}

class Facts {
 public:
  Facts(const Model& model, const Shapes& shapes, const InferOptions& options, bool with_ways)
      : model_(&model), shapes_(&shapes), options_(&options), with_ways_(with_ways), lines_(model) {}

  SizeFacts take() {
    for (const axis::Demand& demand : axis::demands(*shapes_, kMostDemands)) add(demand);
    for (const Conflict& conflict : shapes_->conflicts()) {
      if (made_.conflicts.size() == kMostConflicts) break;
      if (!skipped_by(*model_, *shapes_, conflict.node)) add(conflict);
    }
    return std::move(made_);
  }

 private:
  whys::Explainer& explainer() {
    if (!explainer_) explainer_ = std::make_unique<whys::Explainer>(*model_, *options_);
    return *explainer_;
  }

  /// What the node has, label, operator and line.
  template <class Fact>
  void place(Fact& fact, NodeId node) {
    fact.node = model_->node_label(node);
    fact.op_type = model_->node(node).op_type;
    fact.source = lines_.of(node).lines.source;
  }

  /// Places of the inputs of a node with a size that is wanted.
  template <class IsWanted>
  [[nodiscard]] std::vector<TracePlace> places(NodeId node, const IsWanted& is_wanted) const {
    std::vector<TracePlace> found;
    for (const ValueId input : model_->node(node).inputs) {
      if (!input) continue;
      const ValueShape& shape = (*shapes_)[input];
      const auto add_all = [&](std::span<const Dim> dims, Part part) {
        for (std::uint32_t i = 0; i < dims.size() && found.size() < kMostSides; ++i) {
          const TracePlace place{input, part, i};
          if (is_wanted(dims[i]) && std::ranges::find(found, place) == found.end()) found.push_back(place);
        }
      };
      add_all(shape.dims, Part::axis);
      if (shape.is_known) add_all(shape.known, Part::element);
    }
    return found;
  }

  void add(const axis::Demand& demand) {
    const Obligation& need = *demand.first;
    SizeDemand& made = made_.demands.emplace_back();
    made.text = axis::demand_text(shapes_->dims(), need);
    made.because = need.why;
    made.others = demand.others;
    place(made, need.node);
    if (!with_ways_ || made_.demands.size() > kExplained) return;
    const auto is_side = [&](Dim dim) { return !dim.is_literal() && (dim.same(need.a) || dim.same(need.b)); };
    std::vector<TracePlace> from = places(need.node, is_side);
    // A size that the node computed for itself is made of those that it reads.
    if (from.empty()) from = places(need.node, [&](Dim dim) { return shares_symbols(dim, need); });
    bool is_cut = false;
    if (!from.empty()) made.steps = explainer().steps(std::move(from), kMostSteps, is_cut);
  }

  [[nodiscard]] bool shares_symbols(Dim dim, const Obligation& need) const {
    const DimTable& table = shapes_->dims();
    const std::vector<std::string_view> own = table.symbols(dim);
    for (const Dim side : {need.a, need.b}) {
      for (const std::string_view symbol : table.symbols(side)) {
        if (std::ranges::find(own, symbol) != own.end()) return true;
      }
    }
    return false;
  }

  void add(const Conflict& conflict) {
    SizeConflict& made = made_.conflicts.emplace_back();
    made.message = conflict.message;
    made.taken_as = conflict.taken_as;
    if (conflict.value) made.value = model_->value(conflict.value).name;
    if (conflict.axis >= 0) made.axis = static_cast<std::size_t>(conflict.axis);
    place(made, conflict.node);
    if (made_.conflicts.size() > kExplained) return;
    std::vector<TracePlace> sides =
        places(conflict.node, [&](Dim dim) { return names(conflict.message, shapes_->dims().text(dim)); });
    if (sides.empty()) return;
    const std::size_t count = sides.size();
    bool is_cut = false;
    made.steps = explainer().steps(std::move(sides), kMostSteps, is_cut);
    for (std::size_t i = 0; i < count; ++i) made.sides.push_back(whys::brief(made.steps, i));
  }

  const Model* model_;
  const Shapes* shapes_;
  const InferOptions* options_;
  bool with_ways_;
  rules::Provenances lines_;
  std::unique_ptr<whys::Explainer> explainer_;
  SizeFacts made_;
};

}  // namespace

SizeFacts size_facts(const Model& model, const Shapes& shapes, const InferOptions& options, bool with_ways) {
  return Facts(model, shapes, options, with_ways).take();
}

}  // namespace trtcheck
