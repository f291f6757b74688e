#include "annotate/declared.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>

#include "annotate/dim_names.hpp"
#include "edit/declared_dim.hpp"
#include "edit/locate.hpp"
#include "model/graphs.hpp"
#include "shapes/held.hpp"

namespace trtcheck::annotating {
namespace {

using edit::DimValue;

/// A type without its place.
struct TypeValue : edit::TypeValue {
  std::vector<edit::Holder> within{};
};

// Of functions it is IR version 10 that has value_info.
constexpr std::int64_t kFirstWithFunctionTypes = 10;

bool is_unknown(const DimValue& dim) { return std::holds_alternative<std::monostate>(dim); }

bool is_unknown_shape(const ValueShape& shape) {
  return !shape.has_rank && (shape.kind == ValueShape::Kind::tensor || shape.kind == ValueShape::Kind::unknown);
}

/// What a dim says when the file says the first and inference the second.
DimValue refined_dim(const DeclaredDim& declared, const DimValue& inferred) {
  const DimValue said =
      declared.kind == DeclaredDim::Kind::value && declared.value < 0 ? DimValue{} : edit::as_declared(declared);
  const bool is_number = std::holds_alternative<std::int64_t>(inferred);
  return is_unknown(said) || (std::holds_alternative<std::string>(said) && is_number) ? inferred : said;
}

/// What is to be declared in place of what is; nothing where that is as precise.
std::optional<TypeValue> refined(const Type& declared, const TypeValue& inferred) {
  if (declared.kind == Type::Kind::none) return inferred;
  if (declared.kind != Type::Kind::tensor || !inferred.within.empty()) return std::nullopt;
  const bool has_type = declared.element != DataType::undefined;
  TypeValue made;
  made.type = has_type ? declared.element : inferred.type;
  bool is_changed = !has_type;
  if (!declared.has_shape) {
    made.dims = inferred.dims;
    is_changed = is_changed || made.dims.has_value();
  } else {
    std::vector<DimValue>& dims = made.dims.emplace();
    const bool is_comparable = inferred.dims && inferred.dims->size() == declared.dims.size();
    for (std::size_t axis = 0; axis < declared.dims.size(); ++axis) {
      const DimValue said = edit::as_declared(declared.dims[axis]);
      dims.push_back(is_comparable ? refined_dim(declared.dims[axis], (*inferred.dims)[axis]) : said);
      is_changed = is_changed || dims.back() != said;
    }
  }
  return is_changed ? std::optional(std::move(made)) : std::nullopt;
}

edit::Holder holder_of(ValueShape::Kind kind, DataType key) {
  if (kind == ValueShape::Kind::optional) return edit::Holder::optional;
  if (kind == ValueShape::Kind::sequence) return edit::Holder::sequence;
  return key == DataType::string ? edit::Holder::map_by_string : edit::Holder::map_by_int64;
}

/// What holds for two calls of a function.
void keep_common(TypeValue& type, const TypeValue& other) {
  if (type.type != other.type || type.within != other.within) type.type = DataType::undefined;
  if (!type.dims || !other.dims || type.dims->size() != other.dims->size()) {
    type.dims.reset();
    return;
  }
  for (std::size_t axis = 0; axis < type.dims->size(); ++axis) {
    if ((*type.dims)[axis] != (*other.dims)[axis]) (*type.dims)[axis] = {};
  }
}

class Collector {
 public:
  Collector(const Model& model, const Shapes& shapes, const AnnotateOptions& options)
      : model_(&model), shapes_(&shapes), options_(&options), names_(model, shapes, options.names_unknown) {
    for (const Shapes::ClaimMismatch& mismatch : shapes.mismatches()) kept_.insert(mismatch.value.index);
    places_.resize(model.graph_count());
    writes_functions_ = std::ranges::none_of(model.defects(), [](const Defect& defect) {
      return defect.kind == Defect::Kind::expansion_limit || defect.kind == Defect::Kind::recursive_function;
    });
  }

  Declarations collect() && {
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) {
      const Value& value = model_->value(ValueId{i});
      if (!value.producer || value.name.empty()) continue;
      const Graph::Kind around = model_->graph(graph_around(*model_, value.graph)).kind;
      if (around == Graph::Kind::main) declare(ValueId{i}, value);
      if (around == Graph::Kind::function_call && writes_functions_) note(ValueId{i}, value);
    }
    for (auto& [place, of_calls] : functions_) declare_in_function(of_calls);
    return std::move(made_);
  }

 private:
  /// What the calls of a function have in common about one of its values.
  struct OfCalls {
    ValueId first;
    TypeValue type;
  };

  /// The element type is undefined where nothing is known, or what is known cannot be declared.
  [[nodiscard]] TypeValue inferred(ValueId id) {
    const ValueShape& shape = (*shapes_)[id];
    TypeValue made;
    if (shape.kind != ValueShape::Kind::tensor) return held(id);
    made.type = shape.type;
    if (shape.has_rank) made.dims = names_.of(shape.dims);
    return made;
  }

  /// Of sequences and optionals. Sizes that may differ from element to element get no name.
  [[nodiscard]] TypeValue held(ValueId id) {
    TypeValue made;
    const std::optional<shapes::HeldType> type = shapes::held_type(*shapes_, id);
    if (!type) return made;
    for (const ValueShape::Kind holder : type->holders) made.within.push_back(holder_of(holder, type->key));
    made.type = type->key == DataType::undefined ? type->type : DataType::float32;
    if (!type->has_rank) return made;
    made.dims.emplace();
    for (const std::optional<Dim>& dim : type->dims) made.dims->push_back(dim ? names_.of(*dim) : DimValue{});
    return made;
  }

  void declare(ValueId id, const Value& value) {
    TypeValue type = inferred(id);
    if (is_unknown_shape((*shapes_)[id])) made_.unknown.push_back(id);
    if (type.type == DataType::undefined) return;
    put(id, value, std::move(type));
  }

  void put(ValueId id, const Value& value, TypeValue type) {
    if (kept_.contains(id.index)) return;
    const bool is_declared = static_cast<bool>(value.declared) || value.is_output;
    if (value.declared) {
      std::optional<TypeValue> better = refined(model_->type(value.declared), type);
      if (!better) return;
      type = std::move(*better);
    } else if (options_->only_shapes && !type.dims) {
      return;
    }
    ++(is_declared ? made_.refined : made_.added);
    made_.all.push_back({place(value.graph), std::string(value.name), type, type.within});
  }

  [[nodiscard]] const edit::GraphAt& place(GraphId graph) {
    std::optional<edit::GraphAt>& known = places_[graph.index];
    if (!known) known = edit::place_of(*model_, graph);
    return *known;
  }

  /// A function is written once: what differs between its calls stays open, and names are those of the callers.
  void note(ValueId id, const Value& value) {
    if (model_->graph(value.graph).kind == Graph::Kind::function_call &&
        model_->ir_version() < kFirstWithFunctionTypes) {
      return;
    }
    TypeValue type = inferred(id);
    if (type.dims) {
      for (DimValue& dim : *type.dims) {
        if (!std::holds_alternative<std::int64_t>(dim)) dim = {};
      }
    }
    const auto [known, is_new] =
        functions_.try_emplace({edit::words(place(value.graph)), std::string(value.name)}, OfCalls{id, type});
    if (!is_new) keep_common(known->second.type, type);
    if (kept_.contains(id.index)) known->second.type.type = DataType::undefined;
  }

  void declare_in_function(OfCalls& of_calls) {
    if (of_calls.type.type == DataType::undefined) return;
    put(of_calls.first, model_->value(of_calls.first), std::move(of_calls.type));
  }

  const Model* model_;
  const Shapes* shapes_;
  const AnnotateOptions* options_;
  DimNames names_;
  std::unordered_set<std::uint32_t> kept_;  ///< values whose declaration contradicts
  std::vector<std::optional<edit::GraphAt>> places_;
  bool writes_functions_ = true;
  std::map<std::pair<std::string, std::string>, OfCalls> functions_;  ///< by place and name
  Declarations made_;
};

}  // namespace

Declarations declarations(const Model& model, const Shapes& shapes, const AnnotateOptions& options) {
  return Collector(model, shapes, options).collect();
}

}  // namespace trtcheck::annotating
