#include "facts/predicates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "view/build_time.hpp"

namespace trtcheck::facts {
namespace {

const Graph* graph_of(const Question& question, std::string_view name) {
  const Attribute* given = question.view.node().attribute(name);
  if (given == nullptr || given->type != AttributeType::graph) return nullptr;
  return &question.view.view().model.graph(given->g());
}

Value count_of(const Question& question, std::size_t count) {
  return of(question.view.view().dims().literal(static_cast<std::int64_t>(count)));
}

Value outputs_of(Question& question, std::string_view branch, std::size_t beside = 0) {
  const Graph* const graph = graph_of(question, branch);
  return graph == nullptr ? Value{}
                          : count_of(question, graph->outputs.size() - std::min(beside, graph->outputs.size()));
}

/// The shape of an output, where its rank is known.
const ValueShape* known_shape(Question& question, ValueId id) {
  const ValueShape& shape = question.view.shape(id);
  if (shape.kind != ValueShape::Kind::tensor || !shape.has_rank) return nullptr;
  question.is_claimed = question.is_claimed || shape.assumed;
  return &shape;
}

Value ranks_of(Question& question, std::string_view branch) {
  const Graph* const graph = graph_of(question, branch);
  if (graph == nullptr) return {};
  std::vector<Value> ranks;
  for (const ValueId id : graph->outputs) {
    const ValueShape* const shape = known_shape(question, id);
    ranks.push_back(shape == nullptr ? Value{} : count_of(question, shape->rank()));
  }
  return of(std::move(ranks));
}

/// All sizes in a row; nothing where a rank is not known.
Value sizes_of(Question& question, std::string_view branch) {
  const Graph* const graph = graph_of(question, branch);
  if (graph == nullptr) return {};
  std::vector<Value> sizes;
  for (const ValueId id : graph->outputs) {
    const ValueShape* const shape = known_shape(question, id);
    if (shape == nullptr) return {};
    for (const Dim dim : shape->dims) sizes.push_back(of(dim));
  }
  return of(std::move(sizes));
}

Value types_of(Question& question, std::string_view branch) {
  const Graph* const graph = graph_of(question, branch);
  if (graph == nullptr) return {};
  std::vector<Value> types;
  for (const ValueId id : graph->outputs) {
    const std::string_view type = question.view.view().parser.network_type(id);
    types.push_back(type.empty() ? Value{} : of(type));
  }
  return of(std::move(types));
}

/// The operator that makes a value in that graph for nobody else there; "" when there is none. Whether what folds is
/// made by a layer nobody knows.
Value maker_of(const ModelView& view, GraphId graph, ValueId id) {
  const trtcheck::Value& made = view.model.value(id);
  const bool is_made_here = made.producer && view.model.node(made.producer).graph == graph;
  if (!is_made_here || !made.users.empty() || view.model.constant(id)) return of(std::string_view{});
  return view.shapes.folds_to_constant(id) ? Value{} : of(view.model.node(made.producer).op_type);
}

std::optional<std::vector<Value>> makers_of(Question& question, std::string_view branch) {
  const Attribute* given = question.view.node().attribute(branch);
  if (given == nullptr || given->type != AttributeType::graph) return std::nullopt;
  const ModelView& view = question.view.view();
  std::vector<Value> makers;
  for (const ValueId id : view.model.graph(given->g()).outputs) makers.push_back(maker_of(view, given->g(), id));
  return makers;
}

Truth is_made(const Value& maker) {
  return maker.kind != Value::Kind::text ? Truth::unknown : maker.text.empty() ? Truth::no : Truth::yes;
}

Truth all_made(std::span<const Value> makers) {
  Truth all = Truth::yes;
  for (const Value& maker : makers) all = both(all, is_made(maker));
  return all;
}

/// Some are made by a layer of the branch, and some are not.
Truth is_mixed(std::span<const Value> makers) {
  Truth any = Truth::no;
  for (const Value& maker : makers) any = either(any, is_made(maker));
  return both(negated(all_made(makers)), any);
}

/// Whether two lists of one length differ in an item.
Truth differ(const Question& question, const Value& a, const Value& b) {
  if (a.kind != Value::Kind::list || b.kind != Value::Kind::list) return Truth::unknown;
  if (a.items.size() != b.items.size()) return Truth::no;
  DimTable& dims = question.view.view().dims();
  Truth found = Truth::no;
  for (std::size_t i = 0; i < a.items.size() && found != Truth::yes; ++i) {
    found = either(found, negated(equal(dims, a.items[i], b.items[i])));
  }
  return found;
}

bool has_unknown(const Value& list) {
  return std::ranges::any_of(list.items, [](const Value& item) { return item.kind == Value::Kind::unknown; });
}

Value body_reads(Question& question, std::size_t index) {
  const Graph* const body = graph_of(question, "body");
  if (body == nullptr || index >= body->inputs.size()) return {};
  const ValueId id = body->inputs[index];
  const bool is_used = !question.view.view().model.value(id).users.empty();
  return of_bool(is_used || std::ranges::find(body->outputs, id) != body->outputs.end());
}

/// Nothing where a function's caller gives it.
std::optional<std::string_view> equation_of(Question& question) {
  const Attribute* const given = question.view.node().attribute("equation");
  question.is_absent = question.is_absent || given == nullptr;
  if (given == nullptr || !given->ref_attr_name.empty() || given->type != AttributeType::string) return std::nullopt;
  return given->s();
}

// One function for each line of predicates.inc, in its order.

constexpr std::string_view kThen = "then_branch";
constexpr std::string_view kElse = "else_branch";

Value branches_differ_in_rank(Question& question) {
  const Value then_ranks = ranks_of(question, kThen);
  const Value else_ranks = ranks_of(question, kElse);
  if (then_ranks.items.size() == else_ranks.items.size() && (has_unknown(then_ranks) || has_unknown(else_ranks))) {
    return of(Truth::no);  // the condition of a fact that warns where it cannot be decided
  }
  return of(differ(question, then_ranks, else_ranks));
}

Value branches_differ_in_sizes(Question& question) {
  return of(differ(question, sizes_of(question, kThen), sizes_of(question, kElse)));
}

Value branches_differ_in_type(Question& question) {
  return of(differ(question, types_of(question, kThen), types_of(question, kElse)));
}

Value branches_mix_outside(Question& question) {
  const auto then_makers = makers_of(question, kThen);
  const auto else_makers = makers_of(question, kElse);
  if (!then_makers || !else_makers) return {};
  if (then_makers->size() != else_makers->size()) return of(Truth::no);
  return of(either(both(is_mixed(*then_makers), all_made(*else_makers)),
                   both(is_mixed(*else_makers), all_made(*then_makers))));
}

Value condition_at_run_time(Question& question) {
  return of(is_run_time_value(question.view.view(), question.view.input(0)));
}

Value condition_is_real_arithmetic(Question& question) {
  return of(is_real_arithmetic(question.view.view(), question.view.input(0)));
}

Value then_outputs(Question& question) { return outputs_of(question, kThen); }
Value else_outputs(Question& question) { return outputs_of(question, kElse); }
Value then_ranks(Question& question) { return ranks_of(question, kThen); }
Value else_ranks(Question& question) { return ranks_of(question, kElse); }
Value then_sizes(Question& question) { return sizes_of(question, kThen); }
Value else_sizes(Question& question) { return sizes_of(question, kElse); }
Value then_types(Question& question) { return types_of(question, kThen); }
Value else_types(Question& question) { return types_of(question, kElse); }

Value depth_at_run_time(Question& question) {
  return of(is_run_time_value(question.view.view(), question.view.input(1)));
}

/// Without the condition, which comes first.
Value body_outputs(Question& question) { return outputs_of(question, "body", 1); }
Value body_reads_iteration(Question& question) { return body_reads(question, 0); }
Value body_reads_condition(Question& question) { return body_reads(question, 1); }

Value condition_may_change(Question& question) {
  const auto makers = makers_of(question, "body");
  if (!makers || makers->empty() || makers->front().kind != Value::Kind::text) return {};
  const std::string_view maker = makers->front().text;
  return of_bool(!maker.empty() && maker != "Constant" && maker != "Identity");
}

Value equation_has_ellipsis(Question& question) {
  const auto equation = equation_of(question);
  return equation ? of_bool(equation->find('.') != std::string_view::npos) : Value{};
}

Value equation_has_other_characters(Question& question) {
  const auto equation = equation_of(question);
  return equation ? of_bool(equation->find_first_not_of("abcdefghijklmnopqrstuvwxyz,.-> ") != std::string_view::npos)
                  : Value{};
}

Value equation_takes_diagonal(Question& question) {
  const auto equation = equation_of(question);
  if (!equation) return {};
  std::array<bool, 256> is_seen{};  // in the input that is being read
  for (const char c : equation->substr(0, equation->find('-'))) {
    if (c == ',') is_seen.fill(false);
    if (c == ' ' || c == '.' || c == ',' || c == '>') continue;
    if (std::exchange(is_seen[static_cast<unsigned char>(c)], true)) return of(Truth::yes);
  }
  return of(Truth::no);
}

using Predicate = Value (*)(Question&);
#define TRTCHECK_PREDICATE(name, kind) Predicate{name},
constexpr std::array kPredicates{
#include "facts/predicates.inc"
};
#undef TRTCHECK_PREDICATE

}  // namespace

Value answer(std::uint16_t index, Question& question) { return kPredicates.at(index)(question); }

}  // namespace trtcheck::facts
