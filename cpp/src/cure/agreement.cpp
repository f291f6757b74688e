#include "cure/agreement.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "dims/dim_key.hpp"

namespace trtcheck::cure {
namespace {

/// Symbols that the caller decides about, with the sizes of the inputs.
std::set<std::string_view> fed_symbols(const Model& model, const Shapes& shapes) {
  std::set<std::string_view> symbols;
  for (const ValueId input : model.graph().inputs) {
    for (const Dim dim : shapes[input].dims) {
      for (const std::string_view symbol : shapes.dims().symbols(dim)) symbols.insert(symbol);
    }
  }
  return symbols;
}

/// Texts of dims; most occur again and again.
class Texts {
 public:
  explicit Texts(const Shapes& shapes) : shapes_(&shapes) {}
  const std::string& operator()(Dim dim) {
    const auto [at, is_new] = texts_.try_emplace(key_of(dim));
    if (is_new) at->second = shapes_->dims().text(dim);
    return at->second;
  }

 private:
  const Shapes* shapes_;
  std::unordered_map<std::int64_t, std::string> texts_;
};

/// Two shapes are as good as the same: equal, or the old one was not known.
class Agreement {
 public:
  Agreement(const Model& model, const Shapes& before, const Shapes& after)
      : before_(&before), fed_(fed_symbols(model, before)), old_texts_(before), new_texts_(after) {}

  [[nodiscard]] bool agrees(const ValueShape& old, const ValueShape& now) {
    if (old.kind == ValueShape::Kind::unknown) return true;
    if (old.kind != now.kind) return false;
    if (old.type != DataType::undefined && old.type != now.type) return false;
    if (!old.has_rank) return true;
    if (!now.has_rank || old.rank() != now.rank()) return false;
    for (std::size_t i = 0; i < old.rank(); ++i) {
      if (!agrees(old.dims[i], now.dims[i])) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool agrees(Dim old, Dim now) {
    if (old.is_literal()) return now.is_literal() && old.value() == now.value();
    if (!before_->dims().is_exact(old)) return true;
    if (old_texts_(old) == new_texts_(now)) return true;
    // What the file calls by a name that no input has, it does not know.
    const auto symbols = before_->dims().symbols(old);
    return std::ranges::none_of(symbols, [&](std::string_view symbol) { return fed_.contains(symbol); });
  }

  const Shapes* before_;
  std::set<std::string_view> fed_;
  Texts old_texts_;
  Texts new_texts_;
};

/// Where types were mixed, inference had to guess; what the file says of the value counts as well.
bool is_as_declared(const Model& model, const Value& value, const ValueShape& now) {
  const DataType declared = model.type(value.declared).element;
  return now.kind == ValueShape::Kind::tensor && declared != DataType::undefined && declared == now.type;
}

/// Of several with one name the first.
std::unordered_map<std::string_view, ValueId> values_by_name(const Model& model) {
  std::unordered_map<std::string_view, ValueId> values;
  values.reserve(model.value_count());
  for (std::uint32_t i = 0; i < model.value_count(); ++i) values.emplace(model.value(ValueId{i}).name, ValueId{i});
  return values;
}

std::vector<std::string_view> fed_names(const Model& model) {
  std::vector<std::string_view> names;
  for (const ValueId input : model.graph().inputs) {
    if (model.is_network_input(input)) names.push_back(model.value(input).name);
  }
  return names;
}

}  // namespace

std::optional<std::string> changed_value(const Model& before, const Shapes& before_shapes, const Model& after,
                                         const Shapes& after_shapes) {
  const auto values = values_by_name(after);
  Agreement agreement(before, before_shapes, after_shapes);
  for (std::uint32_t i = 0; i < before.value_count(); ++i) {
    const Value& value = before.value(ValueId{i});
    if (value.graph != GraphId{0} || !value.is_defined) continue;
    const auto now = values.find(value.name);
    if (now == values.end() || !after.value(now->second).is_defined) continue;
    ValueShape old = before_shapes[ValueId{i}];
    const ValueShape& made = after_shapes[now->second];
    if (is_as_declared(before, value, made)) old.type = made.type;
    if (agreement.agrees(old, made)) continue;
    return fmt::format("`{}` would be {} instead of {}", value.name, after_shapes.text(made), before_shapes.text(old));
  }
  const auto is_same = [&](ValueId a, ValueId b) { return before.value(a).name == after.value(b).name; };
  if (!std::ranges::equal(before.graph().outputs, after.graph().outputs, is_same)) {
    return "the model would have other outputs";
  }
  if (fed_names(before) != fed_names(after)) return "the model would have other inputs";
  return std::nullopt;
}

}  // namespace trtcheck::cure
