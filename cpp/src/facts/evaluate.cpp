#include "facts/evaluate.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "dims/product.hpp"
#include "facts/attribute_value.hpp"
#include "facts/predicates.hpp"
#include "facts/value.hpp"

namespace trtcheck::facts {
namespace {

// Indices of outputs start here (codegen/conditions.py).
constexpr std::uint16_t kOutputs = 0x8000;
constexpr std::int64_t kLongestRange = 64;

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
  [[nodiscard]] Value count(std::size_t count) const { return of(dims().literal(static_cast<std::int64_t>(count))); }

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
      case Op::always:
        return of(Truth::yes);
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
        return computed(dims(), e.op, value(e.a), value(e.b));
      case Op::attribute:
        return attribute(e);
      case Op::has_attribute:
        return of_bool(view_->node().attribute(e.text) != nullptr);
      case Op::network_type_named:
        return network_type_named(view_->view(), value(e.a));
      case Op::predicate:
        return predicate(e);
      case Op::opset:
        return view_->opset() == 0 ? Value{} : of(dims().literal(view_->opset()));
      case Op::inputs_count:
        return count(view_->node().inputs.size());
      case Op::outputs_count:
        return count(view_->node().outputs.size());
      case Op::unnamed_count:
        return of(dims().literal(std::ranges::count_if(view_->node().outputs, [](ValueId id) { return !id; })));
      case Op::fixed:
        return fixed(value(e.a));
      case Op::range_to:
        return range_to(value(e.a));
      case Op::len:
      case Op::item:
      case Op::slice:
      case Op::any_of_list:
      case Op::all_of_list:
        return of_list(e);
      case Op::op_name:
        return of(view_->node().op_type);
      case Op::node_name:
      case Op::release_name:
      case Op::gpu_name:
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
    return right ? dims().equal(*left, *right) : facts::equal(dims(), value(a), value(b));
  }

  [[nodiscard]] Truth less_equal(std::uint16_t a, std::uint16_t b) {
    const auto left = number_at(a);
    const auto right = left ? number_at(b) : std::nullopt;
    return right ? dims().less_equal(*left, *right) : facts::less_equal(dims(), value(a), value(b));
  }

  [[nodiscard]] Truth is_in(const Expression& e) {
    const Value item = value(e.a);
    Truth found = Truth::no;
    const bool is_list = for_each_item(tree_[e.b], [&](const Value& other) {
      found = facts::either(found, facts::equal(dims(), item, other));
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

  [[nodiscard]] Value attribute(const Expression& e) {
    const Attribute* given = view_->node().attribute(e.text);
    if (given == nullptr) {
      if (e.a != kNone) return value(e.a);
      is_absent_ = true;
      return {};
    }
    return attribute_value(view_->view(), *given);
  }

  [[nodiscard]] Value predicate(const Expression& e) {
    Question question{.view = *view_};
    Value found = answer(e.a, question);
    is_absent_ = is_absent_ || question.is_absent;
    is_claimed_ = is_claimed_ || question.is_claimed;
    return found;
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
        return count(list.size());
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
        const auto real = view_->real_contents(id);
        return real ? listed(*real) : Value{};
      }
      case Op::from_data_of:
        return float_input_of(view, id) ? of(Truth::yes) : Value{};
      case Op::source_of:
        return of(view_->source(id));
      case Op::name_of:
        return of(view.model.value(id).name);
      case Op::quantized_of:
        return of(type_of_codes(view, id));
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
        return count(shape.rank());
      case Op::dims_of:
        return listed(shape.dims);
      case Op::volume_of:
        return of(product(dims(), shape.dims));
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
    const std::optional<std::string> name = text_of_name(tree[piece.expression].op, view);
    out += name ? *name : text_of(evaluator.value(piece.expression), view.view().dims());
  }
  return out;
}

}  // namespace trtcheck::facts
