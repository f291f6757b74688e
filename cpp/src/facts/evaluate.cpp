#include "facts/evaluate.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "target/network_types.hpp"

namespace trtcheck::facts {
namespace {

// Indices of outputs start here (codegen/conditions.py).
constexpr std::uint16_t kOutputs = 0x8000;
constexpr std::int64_t kLongestRange = 64;

struct Value {
  enum class Kind : std::uint8_t { unknown, truth, number, real, text, type, list };
  Kind kind = Kind::unknown;
  Truth truth = Truth::unknown;
  DataType type = DataType::undefined;
  Dim number{};
  double real = 0;
  std::string_view text{};
  std::vector<Value> items{};
};

Value of(Truth truth) { return {.kind = Value::Kind::truth, .truth = truth}; }
Value of(Dim number) { return {.kind = Value::Kind::number, .number = number}; }
Value of(double real) { return {.kind = Value::Kind::real, .real = real}; }
Value of(std::string_view text) { return {.kind = Value::Kind::text, .text = text}; }
Value of(DataType type) { return {.kind = Value::Kind::type, .type = type}; }
Value of(std::vector<Value> items) { return {.kind = Value::Kind::list, .items = std::move(items)}; }
Value of_bool(bool truth) { return of(truth ? Truth::yes : Truth::no); }

/// `as`: what an item is made of, where there is no Value of it.
template <class Items, class As = std::identity>
Value listed(const Items& items, As as = {}) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const auto& item : items) values.push_back(of(as(item)));
  return of(std::move(values));
}

Truth negated(Truth truth) { return truth == Truth::unknown ? truth : truth == Truth::yes ? Truth::no : Truth::yes; }
Truth both(Truth a, Truth b) {
  if (a == Truth::no || b == Truth::no) return Truth::no;
  return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::unknown;
}
Truth either(Truth a, Truth b) { return negated(both(negated(a), negated(b))); }

class Evaluator {
 public:
  Evaluator(const NodeView& view, std::span<const Expression> tree) : view_(&view), tree_(tree) {}

  [[nodiscard]] Value value(std::uint16_t index) { return value(tree_[index]); }
  [[nodiscard]] Truth truth(std::uint16_t index) {
    const Value found = value(index);
    return found.kind == Value::Kind::truth ? found.truth : Truth::unknown;
  }
  [[nodiscard]] bool is_absent() const noexcept { return is_absent_; }
  [[nodiscard]] bool is_claimed() const noexcept { return is_claimed_; }
  [[nodiscard]] bool differs() const noexcept { return differs_; }

 private:
  [[nodiscard]] DimTable& dims() const { return view_->view().dims(); }

  [[nodiscard]] Value value(const Expression& e) {
    switch (e.op) {
      case Op::number:
        return of(dims().literal(e.number));
      case Op::real:
        return of(e.real);
      case Op::text:
        return of(e.text);
      case Op::type_literal:
        return of(static_cast<DataType>(e.number));
      case Op::list:
        return list(e);
      case Op::bound:
        return *bound_[e.a];
      case Op::negate:
        return of(negated(truth(e.a)));
      case Op::both: {
        const Truth left = truth(e.a);
        return of(left == Truth::no ? left : facts::both(left, truth(e.b)));
      }
      case Op::either: {
        const Truth left = truth(e.a);
        return of(left == Truth::yes ? left : facts::either(left, truth(e.b)));
      }
      case Op::equal:
        return of(equal(e.a, e.b));
      case Op::unequal:
        return of(negated(equal(e.a, e.b)));
      case Op::less:
        return of(negated(less_equal(e.b, e.a)));
      case Op::less_equal:
        return of(less_equal(e.a, e.b));
      case Op::is_in:
        return of(is_in(e));
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::floor_divide:
      case Op::modulo:
        return computed(e.op, value(e.a), value(e.b));
      case Op::attribute:
        return attribute(e);
      case Op::has_attribute:
        return of_bool(view_->node().attribute(e.text) != nullptr);
      case Op::network_type_named:
        return network_type_named(value(e.a));
      case Op::letters:
        return letters(value(e.a));
      case Op::graph_output_ranks:
      case Op::graph_output_sizes:
      case Op::graph_output_types:
      case Op::graph_exits:
      case Op::graph_reads:
        return of_graph(e);
      case Op::opset:
        return view_->opset() == 0 ? Value{} : of(dims().literal(view_->opset()));
      case Op::inputs_count:
        return of(dims().literal(static_cast<std::int64_t>(view_->node().inputs.size())));
      case Op::outputs_count:
        return of(dims().literal(static_cast<std::int64_t>(view_->node().outputs.size())));
      case Op::unnamed_count:
        return of(dims().literal(std::ranges::count_if(view_->node().outputs, [](ValueId id) { return !id; })));
      case Op::fixed:
        return fixed(value(e.a));
      case Op::known:
        return of_bool(value(e.a).kind != Value::Kind::unknown);
      case Op::range_to:
        return range_to(value(e.a));
      case Op::len:
      case Op::sum:
      case Op::distinct:
      case Op::item:
      case Op::slice:
      case Op::any_of_list:
      case Op::all_of_list:
        return of_list(e);
      case Op::op_name:
        return of(view_->node().op_type);
      case Op::node_name:
      case Op::release_name:
        return {};  // texts that nobody keeps: see message()
      default:
        return of_tensor(e);
    }
  }

  Value list(const Expression& e) {
    std::vector<Value> items;
    items.reserve(e.b);
    for (std::uint16_t i = 0; i < e.b; ++i) items.push_back(value(static_cast<std::uint16_t>(e.a + i)));
    return of(std::move(items));
  }

  [[nodiscard]] static std::optional<double> as_real(const Value& value) {
    if (value.kind == Value::Kind::real) return value.real;
    if (value.kind == Value::Kind::number && value.number.is_literal())
      return static_cast<double>(value.number.value());
    return std::nullopt;
  }

  /// A number that needs no computing, which nearly all comparisons are about.
  [[nodiscard]] std::optional<Dim> number_at(std::uint16_t index) const {
    const Expression& e = tree_[index];
    if (e.op == Op::number) return dims().literal(e.number);
    if (e.op == Op::bound && bound_[e.a]->kind == Value::Kind::number) return bound_[e.a]->number;
    return std::nullopt;
  }

  [[nodiscard]] Truth equal(std::uint16_t a, std::uint16_t b) {
    const auto left = number_at(a);
    const auto right = left ? number_at(b) : std::nullopt;
    return right ? dims().equal(*left, *right) : equal(value(a), value(b));
  }

  [[nodiscard]] Truth less_equal(std::uint16_t a, std::uint16_t b) {
    const auto left = number_at(a);
    const auto right = left ? number_at(b) : std::nullopt;
    return right ? dims().less_equal(*left, *right) : less_equal(value(a), value(b));
  }

  [[nodiscard]] Truth equal(const Value& a, const Value& b) const {
    using Kind = Value::Kind;
    if (a.kind == Kind::number && b.kind == Kind::number) return dims().equal(a.number, b.number);
    if (a.kind == Kind::text && b.kind == Kind::text) return a.text == b.text ? Truth::yes : Truth::no;
    if (a.kind == Kind::type && b.kind == Kind::type) return a.type == b.type ? Truth::yes : Truth::no;
    const auto left = as_real(a);
    const auto right = as_real(b);
    if (!left || !right) return Truth::unknown;
    return *left == *right ? Truth::yes : Truth::no;
  }

  [[nodiscard]] Truth less_equal(const Value& a, const Value& b) const {
    using Kind = Value::Kind;
    if (a.kind == Kind::number && b.kind == Kind::number) return dims().less_equal(a.number, b.number);
    const auto left = as_real(a);
    const auto right = as_real(b);
    if (!left || !right) return Truth::unknown;
    return *left <= *right ? Truth::yes : Truth::no;
  }

  [[nodiscard]] Truth is_in(const Expression& e) {
    const Value item = value(e.a);
    Truth found = Truth::no;
    const bool is_list = for_each_item(tree_[e.b], [&](const Value& other) {
      found = facts::either(found, equal(item, other));
      return found != Truth::yes;
    });
    return is_list ? found : Truth::unknown;
  }

  /// Items of a list as long as `take` wants more; the lists that facts ask about most are not made first. False: it is
  /// none.
  template <class Take>
  bool for_each_item(const Expression& e, Take take) {
    if (e.op == Op::list) {
      for (std::uint16_t i = 0; i < e.b && take(value(static_cast<std::uint16_t>(e.a + i))); ++i) {
      }
      return true;
    }
    const Attribute* given = e.op == Op::attribute ? view_->node().attribute(e.text) : nullptr;
    if (given == nullptr && e.op == Op::attribute && e.a != kNone) return for_each_item(tree_[e.a], take);
    if (given != nullptr && given->type == AttributeType::ints && given->ref_attr_name.empty()) {
      for (const std::int64_t item : given->ints()) {
        if (!take(of(dims().literal(item)))) break;
      }
      return true;
    }
    const Value made = value(e);
    if (made.kind != Value::Kind::list) return false;
    for (const Value& item : made.items) {
      if (!take(item)) break;
    }
    return true;
  }

  [[nodiscard]] Value computed(Op op, const Value& a, const Value& b) const {
    if (a.kind != Value::Kind::number || b.kind != Value::Kind::number) {
      const auto left = as_real(a);
      const auto right = as_real(b);
      if (!left || !right || op == Op::floor_divide || op == Op::modulo) return {};
      return of(op == Op::add ? *left + *right : op == Op::subtract ? *left - *right : *left * *right);
    }
    switch (op) {
      case Op::add:
        return of(dims().add(a.number, b.number));
      case Op::subtract:
        return of(dims().sub(a.number, b.number));
      case Op::multiply:
        return of(dims().mul(a.number, b.number));
      default:
        // Divisors below 1 are not what sizes are divided by.
        if (dims().bounds(b.number).low < 1) return {};
        return of(op == Op::modulo ? dims().mod(a.number, b.number) : dims().floor_div(a.number, b.number));
    }
  }

  [[nodiscard]] Value attribute(const Expression& e) {
    const Attribute* given = view_->node().attribute(e.text);
    if (given == nullptr) {
      if (e.a != kNone) return value(e.a);
      is_absent_ = true;
      return {};
    }
    if (!given->ref_attr_name.empty()) return {};
    switch (given->type) {
      case AttributeType::int_:
        return of(dims().literal(given->i()));
      case AttributeType::float_:
        return of(static_cast<double>(given->f()));
      case AttributeType::string:
        return of(given->s());
      case AttributeType::ints:
        return listed(given->ints(), [this](std::int64_t item) { return dims().literal(item); });
      case AttributeType::floats:
        return listed(given->floats(), [](float item) { return static_cast<double>(item); });
      case AttributeType::strings:
        return listed(given->strings());
      case AttributeType::tensor:
        // The type of a tensor; its contents are no business of a condition.
        return of(view_->view().model.tensor(given->t()).type);
      default:
        return {};
    }
  }

  /// An attribute that names an element type, or a tensor of that type.
  [[nodiscard]] Value network_type_named(const Value& named) const {
    DataType type = named.type;
    if (named.kind == Value::Kind::number && named.number.is_literal()) {
      const std::int64_t number = named.number.value();
      if (number < 1 || number > static_cast<std::int64_t>(DataType::float4e2m1) + 3) return {};
      type = static_cast<DataType>(number);
    } else if (named.kind != Value::Kind::type) {
      return {};
    }
    return of(network_type_name(type, view_->view().target.release));
  }

  /// Words about a branch or body.
  [[nodiscard]] Value of_graph(const Expression& e) {
    const Attribute* given = view_->node().attribute(e.text);
    if (given == nullptr || given->type != AttributeType::graph) return {};
    const Graph& graph = view_->view().model.graph(given->g());
    if (e.op == Op::graph_reads) {
      const auto at = position(value(e.a), graph.inputs.size());
      return at && *at < graph.inputs.size() ? of_bool(is_read(graph, graph.inputs[*at])) : Value{};
    }
    std::vector<Value> values;
    for (const ValueId id : graph.outputs) {
      const ValueShape& shape = view_->shape(id);
      const bool is_known = shape.kind == ValueShape::Kind::tensor && shape.has_rank;
      if (e.op == Op::graph_output_types) {
        const std::string_view type = view_->view().parser.network_type(id);
        values.push_back(type.empty() ? Value{} : of(type));
        continue;
      }
      if (e.op == Op::graph_exits) {
        values.push_back(exit(given->g(), id));
        continue;
      }
      is_claimed_ = is_claimed_ || (is_known && shape.assumed);
      if (e.op == Op::graph_output_sizes) {
        if (!is_known) return {};
        for (const Dim dim : shape.dims) values.push_back(of(dim));
        continue;
      }
      values.push_back(is_known ? of(dims().literal(static_cast<std::int64_t>(shape.rank()))) : Value{});
    }
    return of(std::move(values));
  }

  /// The operator that makes a value in that graph for nobody else there; "" when there is none. Whether what folds is
  /// made by a layer nobody knows.
  [[nodiscard]] Value exit(GraphId graph, ValueId id) const {
    const auto& view = view_->view();
    const trtcheck::Value& made = view.model.value(id);
    const bool is_made_here = made.producer && view.model.node(made.producer).graph == graph;
    if (!is_made_here || !made.users.empty() || view.model.constant(id)) return of(std::string_view{});
    return view.shapes.folds_to_constant(id) ? Value{} : of(view.model.node(made.producer).op_type);
  }

  [[nodiscard]] static Value letters(const Value& text) {
    if (text.kind != Value::Kind::text) return {};
    std::vector<Value> values;
    for (std::size_t i = 0; i < text.text.size(); ++i) values.push_back(of(text.text.substr(i, 1)));
    return of(std::move(values));
  }

  [[nodiscard]] bool is_read(const Graph& graph, ValueId id) const {
    return !view_->view().model.value(id).users.empty() || std::ranges::find(graph.outputs, id) != graph.outputs.end();
  }

  [[nodiscard]] Value fixed(const Value& size) const {
    if (size.kind != Value::Kind::number) return {};
    if (size.number.is_literal()) return of(Truth::yes);
    return dims().is_exact(size.number) ? of(Truth::no) : Value{};
  }

  /// 0, 1, ... below a number that is known and no larger than a rank or a list of axes is.
  [[nodiscard]] Value range_to(const Value& end) const {
    if (end.kind != Value::Kind::number || !end.number.is_literal() || end.number.value() > kLongestRange) return {};
    std::vector<Value> values;
    for (std::int64_t i = 0; i < end.number.value(); ++i) values.push_back(of(dims().literal(i)));
    return of(std::move(values));
  }

  [[nodiscard]] Value of_list(const Expression& e) {
    if (e.op == Op::any_of_list || e.op == Op::all_of_list) return quantified(e);
    Value items = value(e.a);
    if (items.kind != Value::Kind::list) return {};
    std::vector<Value>& list = items.items;
    switch (e.op) {
      case Op::len:
        return of(dims().literal(static_cast<std::int64_t>(list.size())));
      case Op::sum: {
        Value sum = of(dims().literal(0));
        for (const Value& item : list) sum = computed(Op::add, sum, item);
        return sum;
      }
      case Op::distinct: {
        Truth differ = Truth::yes;
        for (std::size_t i = 0; i < list.size(); ++i) {
          for (std::size_t j = 0; j < i; ++j) differ = facts::both(differ, negated(equal(list[i], list[j])));
        }
        return of(differ);
      }
      case Op::item: {
        const auto at = position(value(e.b), list.size());
        return at && *at < list.size() ? std::move(list[*at]) : Value{};
      }
      case Op::slice: {
        const auto first = e.b == kNone ? std::optional<std::size_t>(0) : position(value(e.b), list.size());
        const auto last = e.c == kNone ? std::optional(list.size()) : position(value(e.c), list.size());
        if (!first || !last) return {};
        const std::size_t end = std::min(*last, list.size());
        const std::size_t begin = std::min(*first, end);
        return of(std::vector<Value>(list.begin() + static_cast<std::ptrdiff_t>(begin),
                                     list.begin() + static_cast<std::ptrdiff_t>(end)));
      }
      default:
        return {};
    }
  }

  /// As in Python: negative ones count from the end. Beyond both ends: nothing before the list, past it behind.
  [[nodiscard]] static std::optional<std::size_t> position(const Value& value, std::size_t size) {
    if (value.kind != Value::Kind::number || !value.number.is_literal()) return std::nullopt;
    const std::int64_t at = value.number.value();
    if (at >= 0) return static_cast<std::size_t>(at);
    const auto from_end = static_cast<std::size_t>(-at);
    return from_end > size ? std::nullopt : std::optional(size - from_end);
  }

  [[nodiscard]] Value quantified(const Expression& e) {
    const bool is_any = e.op == Op::any_of_list;
    Truth found = is_any ? Truth::no : Truth::yes;
    const Truth settled = negated(found);
    const bool is_list = for_each_item(tree_[e.a], [&](const Value& item) {
      bound_[e.c] = &item;
      const Truth one = truth(e.b);
      found = is_any ? facts::either(found, one) : facts::both(found, one);
      return found != settled;
    });
    return is_list ? of(found) : Value{};
  }

  /// Words about one input or output, whose index is `a`.
  [[nodiscard]] Value of_tensor(const Expression& e) {
    const bool is_output = e.a >= kOutputs;
    const ValueId id = is_output ? view_->output(e.a - kOutputs) : view_->input(e.a);
    if (e.op == Op::given_of) {
      return of_bool(static_cast<bool>(is_output ? id : view_->node().input(e.a)));
    }
    if (!id) {
      is_absent_ = true;
      return {};
    }
    const ModelView& view = view_->view();
    const ValueShape& shape = view_->shape(id);
    switch (e.op) {
      case Op::const_of:
        return of(view.parser.is_constant(id));
      case Op::folds_of:
        return of_bool(view.shapes.folds_to_constant(id));
      case Op::type_of:
        if (shape.kind != ValueShape::Kind::tensor || shape.type == DataType::undefined || shape.type_assumed)
          return {};
        return of(shape.type);
      case Op::network_type_of: {
        const std::string_view type = view.parser.network_type(id);
        return type.empty() ? Value{} : of(type);
      }
      case Op::data_of: {
        if (const auto whole = view_->whole_contents(id)) return listed(*whole);
        if (const auto real = view_->real_contents(id)) return listed(*real);
        return {};
      }
      case Op::from_data_of:
        return float_input_of(view, id) ? of(Truth::yes) : Value{};
      case Op::from_input_of:
        return network_input_of(view, id) ? of(Truth::yes) : Value{};
      case Op::source_of:
        return of(view_->source(id));
      case Op::name_of:
        return of(view.model.value(id).name);
      default:
        return of_shape(e, shape);
    }
  }

  [[nodiscard]] Value of_shape(const Expression& e, const ValueShape& shape) {
    if (shape.kind != ValueShape::Kind::tensor || !shape.has_rank) return {};
    is_claimed_ = is_claimed_ || shape.assumed;
    differs_ = differs_ || (shape.differs && e.op != Op::rank_of);
    switch (e.op) {
      case Op::rank_of:
        return of(dims().literal(static_cast<std::int64_t>(shape.rank())));
      case Op::dims_of:
        return listed(shape.dims);
      case Op::volume_of: {
        Dim volume = dims().literal(1);
        for (const Dim dim : shape.dims) volume = dims().mul(volume, dim);
        return of(volume);
      }
      case Op::dim: {
        const auto axis = position(value(e.b), shape.rank());
        return axis && *axis < shape.rank() ? of(shape.dims[*axis]) : Value{};
      }
      default:
        return {};
    }
  }

  const NodeView* view_;
  std::span<const Expression> tree_;
  /// Variables of the loops around, outermost first (codegen/conditions.py).
  std::array<const Value*, 4> bound_{};
  bool is_absent_ = false;
  bool is_claimed_ = false;
  bool differs_ = false;
};

std::string text_of(const Value& value, const NodeView& view) {
  switch (value.kind) {
    case Value::Kind::unknown:
      return "?";
    case Value::Kind::truth:
      return value.truth == Truth::yes ? "yes" : value.truth == Truth::no ? "no" : "?";
    case Value::Kind::number:
      return view.view().dims().text(value.number);
    case Value::Kind::real:
      return fmt::format("{}", value.real);
    case Value::Kind::text:
      return std::string(value.text);
    case Value::Kind::type:
      return to_string(value.type);
    case Value::Kind::list:
      break;
  }
  std::string out = "[";
  for (const Value& item : value.items) out.append(out.size() == 1 ? "" : ", ").append(text_of(item, view));
  return out + "]";
}

}  // namespace

Outcome evaluate(const Fact& fact, const NodeView& view, std::span<const Expression> tree) {
  Evaluator evaluator(view, tree);
  const Truth holds = evaluator.truth(fact.condition);
  return {holds, evaluator.is_absent(), evaluator.is_claimed(), evaluator.differs()};
}

std::string message(const Fact& fact, const NodeView& view, std::span<const Expression> tree) {
  std::string out;
  Evaluator evaluator(view, tree);
  for (const Piece& piece : fact.message) {
    out += piece.text;
    if (piece.expression == kNone) continue;
    const Expression& inserted = tree[piece.expression];
    if (inserted.op == Op::node_name) {
      out += view.view().model.node_label(view.id());
    } else if (inserted.op == Op::release_name) {
      out += to_string(view.view().target.release);
    } else {
      out += text_of(evaluator.value(piece.expression), view);
    }
  }
  return out;
}

}  // namespace trtcheck::facts
