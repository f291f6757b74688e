#include "shapes/ops/helpers.hpp"

#include <limits>

#include <fmt/core.h>

#include "shapes/known_values.hpp"

namespace trtcheck::shapes {

Dim agreed(OpContext& op, Dim a, Dim b, std::string_view why) {
  if (!op.require_equal(a, b, why) || a.is_literal()) return a;
  if (b.is_literal()) return b;
  return op.dims().is_exact(a) || !op.dims().is_exact(b) ? a : b;
}

Axes axes_of(OpContext& op, std::size_t input, bool from_input) {
  Axes axes;
  if (!from_input) {
    const auto values = op.attr_ints("axes");
    axes.given = values.has_value();
    if (values) axes.values.emplace(values->begin(), values->end());
  } else if (op.has_input(input)) {
    axes.given = true;
    axes.values = op.constant_ints(input);
    if (!axes.values && op.has_rank(input) && op.rank(input) == 1 && op.dim(input, 0).is_literal()) {
      axes.count = static_cast<std::size_t>(op.dim(input, 0).value());
    }
  }
  if (axes.values) axes.count = axes.values->size();
  return axes;
}

std::optional<std::vector<bool>> axis_flags(OpContext& op, std::span<const std::int64_t> axes, std::size_t rank,
                                            std::string_view twice_taken_as) {
  std::vector<bool> flags(rank);
  for (const std::int64_t given : axes) {
    const auto axis = op.axis(given, rank);
    if (!axis) return std::nullopt;
    if (flags[*axis]) {
      op.onnx_forbids(fmt::format("axis {} is listed twice", given), twice_taken_as);
      if (twice_taken_as.empty()) return std::nullopt;
    }
    flags[*axis] = true;
  }
  return flags;
}

DimVector unknown_dims(OpContext& op, std::size_t rank, std::string_view reason) {
  DimVector out;
  out.reserve(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) out.push_back(op.unknown(reason, static_cast<std::int32_t>(axis)));
  return out;
}

std::optional<DimVector> sizes_from(OpContext& op, std::size_t input, std::string_view reason) {
  constexpr std::int64_t kMaxRank = 1024;
  if (const auto known = op.known(input)) {
    if (static_cast<std::int64_t>(known->size()) > kMaxRank) return std::nullopt;
    return DimVector(known->begin(), known->end());
  }
  if (!op.has_rank(input) || op.rank(input) != 1) return std::nullopt;
  const Dim count = op.dim(input, 0);
  if (!count.is_literal() || count.value() > kMaxRank) return std::nullopt;
  return unknown_dims(op, static_cast<std::size_t>(count.value()), reason);
}

DataType type_attribute(OpContext& op, std::string_view name, DataType fallback) {
  const std::int64_t number = op.attr_int(name, static_cast<std::int64_t>(fallback));
  const bool sane = number >= 0 && number <= std::numeric_limits<std::int32_t>::max();
  return sane ? DataType{static_cast<std::int32_t>(number)} : DataType::undefined;
}

DataType common_type(OpContext& op, std::size_t first, std::size_t end) {
  const auto is_code = [](DataType type) { return type == DataType::int8 || type == DataType::uint8; };
  DataType common = DataType::undefined;
  for (std::size_t i = first; i < end; ++i) {
    const DataType type = op.type(i);
    if (common == DataType::undefined) common = type;
    if ((is_code(common) && is_float(type)) || (is_float(common) && is_code(type))) return DataType::undefined;
  }
  return common;
}

void set_like_typed(OpContext& op, DataType type) {
  if (op.has_rank(0)) return op.set(0, type, op.in(0).dims);
  op.set_type(0, type, {});
}

}  // namespace trtcheck::shapes
