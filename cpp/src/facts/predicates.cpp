#include "facts/predicates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/graphs.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "view/bodies.hpp"
#include "view/build_time.hpp"
#include "view/narrow_layers.hpp"
#include "view/qdq_view.hpp"
#include "view/reads.hpp"
#include "view/run_time_sizes.hpp"
#include "view/size_arithmetic.hpp"

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

/// Nobody computes the shapes of a branch that is never taken, so what the file declares has to do.
Value untaken_rank(const Question& question, ValueId id) {
  const ModelView& view = question.view.view();
  const GraphId taken = view.shapes.taken_branch(question.view.id());
  if (!taken || view.model.value(id).graph == taken) return {};
  const TypeId declared = view.model.value(id).declared;
  if (!declared || !view.model.type(declared).has_shape) return {};
  return count_of(question, view.model.type(declared).dims.size());
}

Value ranks_of(Question& question, std::string_view branch) {
  const Graph* const graph = graph_of(question, branch);
  if (graph == nullptr) return {};
  std::vector<Value> ranks;
  for (const ValueId id : graph->outputs) {
    const ValueShape* const shape = known_shape(question, id);
    ranks.push_back(shape == nullptr ? untaken_rank(question, id) : count_of(question, shape->rank()));
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

/// Two shapes with a size that varies and is the same, and another that is not proven to be the same.
Truth vary_apart(Question& question, ValueId a, ValueId b) {
  const ValueShape* const first = known_shape(question, a);
  const ValueShape* const second = known_shape(question, b);
  if (first == nullptr || second == nullptr) return Truth::unknown;
  return vary_apart(question.view.view().dims(), *first, *second);
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

Value branches_vary_apart(Question& question) {
  const Graph* const taken = graph_of(question, kThen);
  const Graph* const other = graph_of(question, kElse);
  if (taken == nullptr || other == nullptr) return {};
  const auto outputs = question.view.node().outputs;
  const std::size_t count = std::min({outputs.size(), taken->outputs.size(), other->outputs.size()});
  Truth found = Truth::no;
  for (std::size_t i = 0; i < count && found != Truth::yes; ++i) {
    if (!outputs[i] || !is_read(question.view.view().model, outputs[i], Reads::data)) continue;
    found = either(found, vary_apart(question, taken->outputs[i], other->outputs[i]));
  }
  return of(found);
}

Value branches_mix_outside(Question& question) {
  const auto then_makers = makers_of(question, kThen);
  const auto else_makers = makers_of(question, kElse);
  if (!then_makers || !else_makers) return {};
  if (then_makers->size() != else_makers->size()) return of(Truth::no);
  return of(either(both(is_mixed(*then_makers), all_made(*else_makers)),
                   both(is_mixed(*else_makers), all_made(*then_makers))));
}

Value reads_narrow_layer(Question& question) {
  return of_bool(reads_narrow_layer(question.view.view(), question.view.id()));
}

Value returns_narrow_layer_beside_loop(Question& question) {
  return of_bool(returns_narrow_layer_beside_loop(question.view.view(), question.view.id()));
}

Value data_of_branches_apart(Question& question) {
  return of_bool(is_of_branches_apart(question.view.view(), question.view.input(0)));
}

Value resizes_behind_body(Question& question) {
  return of_bool(resizes_behind_body(question.view.view(), question.view.id()));
}

Value resizes_beside_if(Question& question) { return of(resizes_beside_if(question.view.view(), question.view.id())); }

Value has_loop_in_branch(Question& question) {
  return of(has_loop_in_branch(question.view.view(), question.view.id()));
}

Value stands_beside_loop(Question& question) {
  return of_bool(stands_beside_loop(question.view.view(), question.view.id()));
}

Value carries_moved_value(Question& question) {
  return of_bool(carries_moved_value(question.view.view(), question.view.id()));
}

Value carries_narrow_layer(Question& question) {
  return of_bool(carries_narrow_layer(question.view.view(), question.view.id()));
}

Value leaves_sequence_unread(Question& question) {
  return of_bool(leaves_sequence_unread(question.view.view(), question.view.id()));
}

Value condition_at_run_time(Question& question) {
  return of(is_run_time_value(question.view.view(), question.view.input(0)));
}

Value condition_is_real_arithmetic(Question& question) {
  return of(is_real_arithmetic(question.view.view(), question.view.input(0)));
}

Value condition_is_real_layer(Question& question) {
  return of_bool(is_real_layer(question.view.view(), question.view.input(0)));
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

Value stands_beside_move(Question& question) {
  const Model& model = question.view.view().model;
  const auto moves = [&](NodeId id) { return id && is_a(model.node(id).op_type, kinds::moves_data); };
  const auto readers = readers_of(model, question.view.output(0));
  return of_bool(moves(producer_of(model, question.view.input(0))) ||
                 std::ranges::any_of(readers, [&](const Use& use) { return moves(use.node); }));
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

constexpr std::size_t kMostSizeValues = 64;

/// Scales, and bounds of a Range, may be floating point.
bool holds_sizes(std::string_view op_type, std::uint8_t operand) {
  return op_type != "Range" && op_type != "Upsample" && (op_type != "Resize" || operand == 3);
}

/// The computed values that the node's sizes are made of, back to shapes and constants.
std::vector<ValueId> computed_sizes(const NodeView& node) {
  const ModelView& view = node.view();
  std::vector<ValueId> found;
  std::unordered_set<std::uint32_t> seen;
  const auto add = [&](ValueId id) {
    const bool is_computed = id && !view.model.constant(id) && view.model.value(id).producer;
    if (is_computed && found.size() < kMostSizeValues && seen.insert(id.index).second) found.push_back(id);
  };
  for (const std::uint8_t operand : size_operands(node.node().op_type)) {
    if (holds_sizes(node.node().op_type, operand)) add(node.input(operand));
  }
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Node& producer = view.model.node(view.model.value(found[next]).producer);
    if (producer.op_type == "Shape" || producer.op_type == "Size") continue;
    for (const ValueId input : producer.inputs) add(input);
  }
  return found;
}

Value sizes_through_matrix(Question& question) {
  return std::ranges::any_of(computed_sizes(question.view),
                             [&](ValueId id) {
                               const ValueShape* const shape = known_shape(question, id);
                               return shape != nullptr && shape->rank() > 1;
                             })
             ? of(Truth::yes)
             : Value{};
}

Value sizes_through_floats(Question& question) {
  const ModelView& view = question.view.view();
  return std::ranges::any_of(computed_sizes(question.view),
                             [&](ValueId id) {
                               const DataType type = view.shape(id).type;
                               const bool is_float = type == DataType::float32 || type == DataType::float16;
                               return is_float && !view.shapes.folds_to_constant(id);
                             })
             ? of(Truth::yes)
             : Value{};
}

Value sizes_through_scatter(Question& question) {
  const ModelView& view = question.view.view();
  return std::ranges::any_of(computed_sizes(question.view),
                             [&](ValueId id) {
                               const Node& producer = view.model.node(view.model.value(id).producer);
                               return producer.op_type == "ScatterND" && !view.shapes.folds_to_constant(id);
                             })
             ? of(Truth::yes)
             : Value{};
}

std::int64_t whole_number(const Node& node, std::string_view name) {
  const Attribute* const given = node.attribute(name);
  return given != nullptr && given->type == AttributeType::int_ ? given->i() : 0;
}

/// Whether two CumSums of one tensor add in another direction, or along another axis.
Truth sum_apart(const ModelView& view, const Node& a, const Node& b) {
  const bool same_order = whole_number(a, "reverse") == whole_number(b, "reverse") &&
                          whole_number(a, "exclusive") == whole_number(b, "exclusive");
  if (!same_order) return Truth::yes;
  const ValueShape& first = view.shape(a.input(1));
  const ValueShape& second = view.shape(b.input(1));
  if (a.input(1) == b.input(1)) return Truth::no;
  if (!first.is_known || !second.is_known || first.known.size() != 1 || second.known.size() != 1) return Truth::unknown;
  return negated(view.dims().equal(first.known[0], second.known[0]));
}

Value summed_otherwise(Question& question) {
  const ModelView& view = question.view.view();
  const Node& node = question.view.node();
  if (!node.input(0)) return {};
  Truth found = Truth::no;
  for (const Use& use : view.model.value(node.input(0)).users) {
    const Node& other = view.model.node(use.node);
    const bool is_another = use.node != question.view.id() && other.op_type == "CumSum" && use.input == 0;
    if (is_another) found = either(found, sum_apart(view, node, other));
  }
  return of(found);
}

bool is_one_number(const ModelView& view, ValueId id) {
  const ValueShape& shape = view.shape(id);
  return id && shape.has_rank && view.shapes.folds_to_constant(id) &&
         std::ranges::all_of(shape.dims, [](Dim dim) { return dim.is(1); });
}

/// softmax(Q K / c + mask) V: the node multiplies the last product.
Value scores_scaled_after_product(Question& question) {
  constexpr std::size_t kMostLayers = 8;
  const ModelView& view = question.view.view();
  bool is_softmax = false, is_scaled = false;
  Truth found = Truth::no;
  walk<kMostLayers>(question.view.input(0), [&](ValueId id, auto& onward) {
    const NodeId producer = producer_of(view.model, id);
    if (!producer) return false;
    const Node& node = view.model.node(producer);
    if (node.op_type == "MatMul") {
      if (is_softmax && is_scaled) found = Truth::yes;
      return true;
    }
    const bool is_number = is_one_number(view, node.input(1));
    if (node.op_type == "Softmax") is_softmax = true;
    if ((node.op_type == "Mul" || node.op_type == "Div") && is_number) is_scaled = true;
    const bool goes_on = node.op_type == "Softmax" || node.op_type == "Cast" || node.op_type == "Add" ||
                         ((node.op_type == "Mul" || node.op_type == "Div") && is_number);
    if (goes_on) onward.add(node.input(0));
    return false;
  });
  return of(found);
}

Value weights_of_quantized_conv(Question& question) {
  const ModelView& view = question.view.view();
  const Model& model = view.model;
  const ValueId made = question.view.node().output(0);
  return of_bool(made && std::ranges::any_of(readers_of(model, made), [&](const Use& use) {
                   const Node& reader = model.node(use.node);
                   const NodeId data = producer_of(model, reader.input(0));
                   // With a vector for the scale of its data it does not run quantized.
                   return reader.op_type == "Conv" && use.input == 1 && data &&
                          model.node(data).op_type == "DequantizeLinear" && !has_vector_scale(view, model.node(data));
                 }));
}

Value scale_is_computed(Question& question) {
  const ModelView& view = question.view.view();
  const NodeId producer = producer_of(view.model, question.view.input(1));
  if (!producer) return of_bool(false);
  const Node& maker = view.model.node(producer);
  // One row that is picked is a constant from 11.4 on; what it is before, nobody could measure.
  if (maker.op_type == "Gather")
    return of_bool(view.shape(maker.input(1)).has_rank && view.shape(maker.input(1)).rank() > 0);
  return of_bool(maker.op_type == "DequantizeLinear" || maker.op_type == "Relu");
}

Value weights_of_body(Question& question) {
  const Model& model = question.view.view().model;
  const auto is_of_body = [&](ValueId weights) {
    const NodeId maker = producer_of(model, weights);
    if (!maker) return false;
    const Node& node = model.node(maker);
    return is_a(node.op_type, kinds::loop) || (node.op_type == "If" && has_computed_condition(model, node));
  };
  return of_bool(is_of_body(question.view.input(1)) || is_of_body(question.view.input(2)));
}

Value axes_maker(Question& question) {
  constexpr std::size_t kMostPassingOn = 64;
  const ModelView& view = question.view.view();
  Value maker;
  walk<kMostPassingOn>(question.view.input(1), [&](ValueId id, auto& onward) {
    const NodeId producer = producer_of(view.model, id);
    const std::string_view op = producer ? view.model.node(producer).op_type : std::string_view{};
    const DataType type = view.shape(id).type;
    if (type == DataType::float16 || type == DataType::bfloat16) {
      maker = of(std::string_view("Cast"));  // of what the parser casts, these are computed by a layer
      return true;
    }
    if (op == "Identity" || op == "Cast") {
      onward.add(view.parser.argument(view.model.node(producer).input(0)));
      return false;
    }
    maker = of(op);
    return true;
  });
  return maker;
}

/// Of the operands of the node whose elements are sizes, or of the axes of an Unsqueeze.
template <class IsThere>
Value any_size(Question& question, IsThere is_there) {
  const Node& node = question.view.node();
  constexpr std::array<std::uint8_t, 1> kAxes{1};
  const bool has_axes = node.op_type == "Unsqueeze" || node.op_type == "Squeeze";
  const auto operands = has_axes ? std::span<const std::uint8_t>(kAxes) : size_operands(node.op_type);
  const auto asks = [&](std::size_t operand) {
    const ValueId size = question.view.input(operand);
    if (!size) return false;
    const SizeArithmetic found = size_arithmetic(question.view.view(), size);
    question.is_claimed = question.is_claimed || found.is_claimed;
    return is_there(found);
  };
  return of_bool(std::ranges::any_of(operands, asks) || (node.op_type == "Slice" && asks(3)));
}

Value size_has_matrix_where(Question& question) {
  return any_size(question, [](const SizeArithmetic& found) { return found.has_matrix_where; });
}

Value size_has_half_cast(Question& question) {
  return any_size(question, [](const SizeArithmetic& found) { return found.has_half_cast; });
}

Value size_has_half(Question& question) {
  return any_size(question, [](const SizeArithmetic& found) { return found.has_half; });
}

Value leaves_network(Question& question) {
  const Model& model = question.view.view().model;
  ValueId output = question.view.node().output(0);
  if (!output || !is_of_main_graph(model, model.value(output).graph)) return {};
  // The branch of an If that is taken for certain is part of the graph around it.
  while (output && model.value(output).is_output && model.value(output).graph != kMainGraph) {
    const GraphId within = model.value(output).graph;
    const NodeId owner = model.graph(within).parent;
    if (question.view.view().shapes.taken_branch(owner) != within) return of(Truth::no);
    const auto returned = model.graph(within).outputs;
    const auto at = static_cast<std::size_t>(std::ranges::find(returned, output) - returned.begin());
    output = model.node(owner).output(at);
  }
  return of_bool(output && model.value(output).is_output);
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
