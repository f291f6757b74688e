// Operators that work element by element, with numpy broadcasting.
#include <algorithm>
#include <array>

#include "shapes/known_values.hpp"
#include "shapes/ops/arithmetic.hpp"
#include "shapes/ops/float_arithmetic.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

bool any_known(OpContext& op) {
  for (std::size_t i = 0; i < op.input_count(); ++i) {
    if (op.in(i).is_known) return true;
  }
  return false;
}

bool are_constants(OpContext& op) {
  return std::ranges::all_of(op.node().inputs, [&](ValueId id) { return id && op.model().constant(id); });
}

/// Broadcast of all inputs with this element type. False: shape not known (or a conflict).
bool set_broadcast(OpContext& op, DataType type) {
  std::vector<std::span<const Dim>> shapes;
  shapes.reserve(op.input_count());
  for (std::size_t i = 0; i < op.input_count(); ++i) {
    if (!op.has_rank(i)) {
      op.set_type(0, type, {});
      return false;
    }
    shapes.push_back(op.in(i).dims);
  }
  const auto dims = op.broadcast(shapes);
  if (!dims) {
    op.set_type(0, type, "the inputs do not broadcast");
    return false;
  }
  op.set(0, type, *dims);
  return true;
}

DataType common_type(OpContext& op) { return common_type(op, 0, op.input_count()); }

/// Operators from the first input on: `combined` makes one list of two.
template <class Combine>
std::optional<DimVector> over_inputs(OpContext& op, Combine combined) {
  const auto first = op.known(0);
  if (!first) return std::nullopt;
  DimVector total(first->begin(), first->end());
  for (std::size_t i = 1; i < op.input_count(); ++i) {
    const auto next = op.known(i);
    if (!next || op.rank(i) > 1) return std::nullopt;
    auto made = combined(total, *next);
    if (!made) return std::nullopt;
    total = std::move(*made);
  }
  return total;
}

void fold_contents(OpContext& op, DataType type) {
  // Asking for the contents of a float constant decodes it: worth it only next to something known, or to another one.
  if (op.in(0).rank() > 1 || (!any_known(op) && !are_constants(op))) return;
  const std::string_view name = op.node().op_type;
  std::optional<DimVector> total;
  if (is_float(op.type(0))) {
    if (const FloatBinary content = float_binary(name)) {
      total = over_inputs(op, [&](std::span<const Dim> a, std::span<const Dim> b) {
        return combine_floats(op, content, op.type(0), a, b);
      });
    }
  } else if (const BinaryContent content = binary_content(name)) {
    total = over_inputs(op, [&](std::span<const Dim> a, std::span<const Dim> b) {
      auto made = combine(op, content, a, b);
      if (!made) return made;
      for (Dim& dim : *made) {
        if (!survives(op, dim, type)) dim = op.unknown_content("the number may not fit the element type");
      }
      return made;
    });
  }
  if (total) op.set_known(0, *total);
}

void infer_broadcast(OpContext& op, DataType type) {
  if (set_broadcast(op, type)) fold_contents(op, type);
}

/// Before opset 7 the second input is fitted to the first one, as the attributes `broadcast` and `axis` say.
void infer_fitted(OpContext& op, DataType type) {
  if (op.has_rank(0) && op.has_rank(1) && op.attr_int("broadcast", 0) == 0 && op.rank(0) == op.rank(1)) {
    for (std::size_t axis = 0; axis < op.rank(0); ++axis) {
      (void)op.require_equal(op.dim(0, axis), op.dim(1, axis), "without broadcast both inputs have the same shape");
    }
  }
  set_like_typed(op, type);
  fold_contents(op, type);
}

}  // namespace

void infer_unary(OpContext& op) {
  const DataType type = op.type(0);
  set_like_typed(op, type);
  if (!op.has_rank(0) || op.rank(0) > 1) return;
  const UnaryContent whole = is_float(type) ? nullptr : unary_content(op.node().op_type);
  const FloatUnary real = is_float(type) ? float_unary(op.node().op_type) : nullptr;
  const auto known = whole != nullptr || real != nullptr ? op.known(0) : std::nullopt;
  if (!known) return;
  DimVector out;
  out.reserve(known->size());
  for (const Dim dim : *known) {
    if (real != nullptr) {
      const auto number = op.number(dim);
      const auto element = number ? real(op, type, *number) : std::nullopt;
      if (known->size() > kShortContents && !(element && element->is_whole())) return;
      out.push_back(element ? op.dim_of(*element) : op.open_number());
    } else {
      const auto element = whole(op, dim);
      const bool fits = element && survives(op, *element, type);
      out.push_back(fits ? *element : op.unknown_content("the number cannot be followed through this operator"));
    }
  }
  op.set_known(0, out);
}

void infer_unary_to_bool(OpContext& op) { set_like_typed(op, DataType::boolean); }

void infer_binary(OpContext& op) { infer_broadcast(op, common_type(op)); }

void infer_compare(OpContext& op) { infer_broadcast(op, DataType::boolean); }

void infer_binary_fitted(OpContext& op) { infer_fitted(op, common_type(op)); }

void infer_compare_fitted(OpContext& op) { infer_fitted(op, DataType::boolean); }

/// SwiGLU: gate and value have the same shape.
void infer_swiglu(OpContext& op) {
  set_like_typed(op, common_type(op));
  if (!op.has_rank(0) || !op.has_rank(1)) return;
  if (op.rank(0) != op.rank(1)) return op.conflict("gate and value have the same shape", op.node().input(1));
  DimVector out;
  for (std::size_t axis = 0; axis < op.rank(0); ++axis) {
    out.push_back(agreed(op, op.dim(0, axis), op.dim(1, axis), "gate and value have the same shape"));
  }
  op.set(0, op.type(0), out);
}

void infer_pow(OpContext& op) { infer_broadcast(op, op.type(0)); }

void infer_shift(OpContext& op) { set_broadcast(op, op.type(0)); }

/// A slope with more axes than the input: TensorRT gives the result as many, when those in front are 1 or vary.
bool is_higher_slope_taken(OpContext& op) {
  const auto slope = op.in(1).dims;
  const std::size_t extra = op.rank(1) - op.rank(0);
  const bool is_taken = std::ranges::all_of(slope.first(extra), [](Dim dim) { return dim.is(1) || !dim.is_literal(); });
  op.onnx_forbids("the slope has more axes than the input",
                  is_taken ? "the result has as many axes as the slope" : std::string_view{}, op.node().input(1));
  DimVector out(slope.begin(), slope.begin() + static_cast<std::ptrdiff_t>(extra));
  out.insert(out.end(), op.in(0).dims.begin(), op.in(0).dims.end());
  if (is_taken) {
    op.set(0, op.type(0), out);
  } else {
    op.set_type(0, op.type(0), "the slope of PRelu does not fit");
  }
  return is_taken;
}

/// PRelu: the slope is fitted to the input (opset 7 on; before, it is a vector of channels).
void infer_prelu(OpContext& op) {
  set_like_typed(op, op.type(0));
  if (op.opset() < 7 || !op.has_rank(0) || !op.has_rank(1)) return;
  if (op.rank(1) > op.rank(0) && !is_higher_slope_taken(op)) return;
  for (std::size_t back = 1; back <= std::min(op.rank(0), op.rank(1)); ++back) {
    (void)op.require_one_or_equal(op.dim(1, op.rank(1) - back), op.dim(0, op.rank(0) - back),
                                  "the slope broadcasts to the input");
  }
}

void infer_where(OpContext& op) {
  const DataType type = common_type(op, 1, op.input_count());
  if (!set_broadcast(op, type)) return;
  const auto condition = op.known(0);
  const auto yes = condition ? op.known(1) : std::nullopt;
  const auto no = yes ? op.known(2) : std::nullopt;
  if (!no || op.rank(0) > 1 || op.rank(1) > 1 || op.rank(2) > 1) return;
  const std::array all{condition->size(), yes->size(), no->size()};
  std::size_t count = 1;
  for (const std::size_t size : all) count = size == 1 ? count : size;
  for (const std::size_t size : all) {
    if (size != 1 && size != count) return;
  }
  DimVector out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [i](std::span<const Dim> from) { return from[from.size() == 1 ? 0 : i]; };
    const Dim choice = at(*condition);
    if (choice.is_literal()) {
      out.push_back(choice.is(0) ? at(*no) : at(*yes));
    } else if (at(*yes).same(at(*no))) {
      out.push_back(at(*yes));
    } else {
      constexpr std::string_view kWhy = "the choice depends on sizes";
      out.push_back(is_float(type) ? op.open_number(kWhy) : op.unknown_content(kWhy));
    }
  }
  op.set_known(0, out);
}

/// Clip: bounds are attributes before opset 11, inputs from then on.
void infer_clip(OpContext& op) {
  const DataType type = op.type(0);
  set_like_typed(op, type);
  const auto known = op.in(0).is_known ? op.known(0) : std::nullopt;
  if (!known) return;
  std::optional<DimVector> out(std::in_place, known->begin(), known->end());
  const auto clip = [&](std::optional<std::span<const Dim>> bound, std::string_view by) {
    if (!bound || bound->size() != 1 || !out) return out.reset();
    out = is_float(type) ? combine_floats(op, float_binary(by), type, *out, *bound)
                         : combine(op, binary_content(by), *out, *bound);
  };
  const auto clip_by_attribute = [&](std::string_view name, std::string_view by) {
    if (op.attr(name) == nullptr) return;
    const auto number = number_of(op.dims(), static_cast<double>(op.attr_float(name, 0)));
    if (!number) return out.reset();
    const Dim bound = op.dim_of(*number);
    clip(std::span(&bound, 1), by);
  };
  if (op.opset() < 11) {
    clip_by_attribute("min", "Max");
    clip_by_attribute("max", "Min");
  }
  if (op.has_input(1)) clip(op.known(1), "Max");
  if (op.has_input(2)) clip(op.known(2), "Min");
  if (out) op.set_known(0, *out);
}

}  // namespace trtcheck::shapes
