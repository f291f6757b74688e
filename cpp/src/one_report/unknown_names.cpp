#include "one_report/unknown_names.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return made;
}

std::set<std::string, std::less<>> declared_names(const Model& model) {
  std::set<std::string, std::less<>> names;
  for (std::uint32_t v = 0; v < model.value_count(); ++v) {
    const Value& value = model.value(ValueId{v});
    if (!value.declared) continue;
    for (const DeclaredDim& dim : model.type(value.declared).dims) {
      if (dim.kind == DeclaredDim::Kind::param) names.emplace(dim.param);
    }
  }
  return names;
}

}  // namespace

std::string bounds_text(const NamedUnknown& unknown) {
  const Interval range = unknown.origin.range;
  if (range.high != Interval::kMax && range.low != Interval::kMin) {
    return fmt::format("{} in {}..{}", unknown.name, range.low, range.high);
  }
  if (range.low != Interval::kMin) return fmt::format("{} >= {}", unknown.name, range.low);
  return range.high == Interval::kMax ? unknown.name : fmt::format("{} <= {}", unknown.name, range.high);
}

UnknownNames::UnknownNames(const Model& model, const Shapes& shapes) {
  std::map<std::uint32_t, Origin> found;
  for (std::uint32_t v = 0; v < model.value_count(); ++v) {
    for (const Dim dim : shapes[ValueId{v}].dims) {
      if (dim.is_literal() || shapes.dims().is_exact(dim)) continue;
      for (const Origin& origin : shapes.dims().origins(dim)) {
        if (origin.node < model.node_count()) found.emplace(origin.number, origin);
      }
    }
  }
  if (found.empty()) return;
  const auto taken = declared_names(model);
  std::map<std::string, std::size_t> counts;
  for (const auto& [number, origin] : found) {
    const NodeId node{origin.node};
    const std::string op = lower(shortened(model.node(node).op_type, kMaxName));
    std::string name;
    do {
      name = fmt::format("{}_{}", op, ++counts[op]);
    } while (taken.contains(name));
    names_.emplace(number, name);
    all_.push_back({std::move(name), origin, node});
  }
}

std::string UnknownNames::text(const Shapes& shapes, Dim dim) const { return shapes.dims().text(dim, names_); }

std::string UnknownNames::text(const Shapes& shapes, ValueId id) const {
  const ValueShape& shape = shapes[id];
  if (names_.empty() || shape.kind != ValueShape::Kind::tensor || !shape.has_rank) return shapes.text(id);
  std::string out = (shape.type == DataType::undefined ? "?" : to_string(shape.type)) + "[";
  for (std::size_t i = 0; i < shape.rank(); ++i) out += (i == 0 ? "" : ",") + text(shapes, shape.dims[i]);
  return out + "]";
}

bool UnknownNames::names_all(const Shapes& shapes, Dim dim) const {
  const std::vector<Origin> origins = shapes.dims().origins(dim);
  return std::ranges::all_of(origins, [&](const Origin& origin) { return names_.contains(origin.number); });
}

}  // namespace trtcheck::one_report
