#include "annotate/dim_names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dims/expressions.hpp"

namespace trtcheck::annotating {
namespace {

/// sympy, and so ONNX Runtime's tools, call these functions with a capital letter.
std::string as_sympy(std::string text) {
  for (const std::string_view name : {"min(", "max("}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      text[at] = static_cast<char>(text[at] - 'a' + 'A');
    }
  }
  return text;
}

}  // namespace

DimNames::DimNames(const Model& model, const Shapes& shapes, bool names_unknown)
    : shapes_(&shapes), names_unknown_(names_unknown) {
  note_names(model);
}

void DimNames::note_names(const Model& model) {
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (!value.declared) continue;
    const Type& type = model.type(value.declared);
    for (std::size_t axis = 0; axis < type.dims.size(); ++axis) {
      const DeclaredDim& dim = type.dims[axis];
      if (dim.kind == DeclaredDim::Kind::param) names_.insert(dim.param);
      const bool is_nameless = value.is_input && dim.kind != DeclaredDim::Kind::param;
      if (is_nameless) made_up_.insert(fmt::format("{}.dim{}", value.name, axis));
    }
  }
}

edit::DimValue DimNames::of(Dim dim) {
  if (dim.is_literal()) return dim.value();
  const auto [known, is_new] = known_.try_emplace(DimAccess::id(dim));
  if (!is_new) return known->second;
  if (std::string text = text_of(dim); !text.empty()) {
    known->second = std::move(text);
  } else if (names_unknown_) {
    known->second = fresh_name();
  }
  return known->second;
}

std::vector<edit::DimValue> DimNames::of(std::span<const Dim> dims) {
  std::vector<edit::DimValue> made;
  made.reserve(dims.size());
  for (const Dim dim : dims) made.push_back(of(dim));
  return made;
}

std::string DimNames::text_of(Dim dim) {
  DimTable& table = shapes_->dims();
  if (!table.is_exact(dim)) return {};
  const auto is_made_up = [&](std::string_view name) { return made_up_.contains(std::string(name)); };
  if (std::ranges::any_of(table.symbols(dim), is_made_up)) return {};
  // What does not fit, names that are no identifiers within an expression, and broadcasts have no such text.
  std::string text = table.text(dim);
  if (table.parse(text).same(dim)) {
    std::string sympy = as_sympy(text);
    return table.parse(sympy).same(dim) ? sympy : text;
  }
  return {};
}

std::string DimNames::fresh_name() {
  while (true) {
    std::string name = fmt::format("unk__{}", next_++);
    if (!names_.contains(name)) return name;
  }
}

}  // namespace trtcheck::annotating
