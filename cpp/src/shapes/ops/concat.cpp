// Concat and Split.
#include <vector>

#include <fmt/core.h>

#include "shapes/known_values.hpp"
#include "shapes/ops/computed_sizes.hpp"
#include "shapes/ops/helpers.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kOther = "Concat inputs agree on all other axes";

/// Vectors of sizes are put together piece by piece; a piece of known length with unknown contents leaves gaps.
void join_contents(OpContext& op) {
  DimVector contents;
  bool anything = false;
  for (std::size_t i = 0; i < op.input_count(); ++i) {
    if (op.rank(i) != 1 || !op.dim(i, 0).is_literal()) return;
    const auto count = static_cast<std::size_t>(op.dim(i, 0).value());
    if (contents.size() + count > kMaxKnown) return;
    if (op.in(i).is_known) {
      anything = true;
      contents.insert(contents.end(), op.in(i).known.begin(), op.in(i).known.end());
    } else if (const auto known = is_countable(op.type(i)) ? std::nullopt : op.known(i)) {
      contents.insert(contents.end(), known->begin(), known->end());
    } else if (is_countable(op.type(i))) {
      for (std::size_t k = 0; k < count; ++k) contents.push_back(op.unknown_content("computed at run time"));
    } else if (is_float(op.type(i)) && count <= kShortContents) {
      for (std::size_t k = 0; k < count; ++k) contents.push_back(op.open_number("computed at run time"));
    } else {
      return;
    }
  }
  if (anything) op.set_known(0, contents);
}

void concat(OpContext& op, std::int64_t given) {
  const DataType type = common_type(op, 0, op.input_count());
  std::optional<std::size_t> rank;
  for (std::size_t i = 0; i < op.input_count(); ++i) {
    if (!op.has_rank(i)) return op.set_type(0, type, {});
    if (rank && *rank != op.rank(i)) {
      op.conflict(fmt::format("Concat input {} has {} axes, input 0 has {}", i, op.rank(i), *rank), op.node().input(i));
      return op.set_type(0, type, "the inputs of Concat have different ranks");
    }
    rank = op.rank(i);
  }
  if (!rank) return op.set_type(0, type, "Concat without inputs");
  const auto axis = op.axis(given, *rank);
  if (!axis) return op.set_type(0, type, "the axis is wrong");
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  std::vector<bool> differs(out.size(), false);
  for (std::size_t i = 1; i < op.input_count(); ++i) {
    for (std::size_t k = 0; k < *rank; ++k) {
      if (k == *axis) {
        out[k] = op.dims().add(out[k], op.dim(i, k));
      } else if (differs[k]) {
        continue;
      } else if (op.dims().equal(out[k], op.dim(i, k)) != Truth::no) {
        out[k] = agreed(op, out[k], op.dim(i, k), kOther);
      } else {
        // ONNX Runtime overlooks an empty input, whatever its other sizes are.
        (void)op.require_equal(out[k], op.dim(i, k), kOther);
        differs[k] = true;
        out[k] = op.unknown("the inputs of Concat differ", static_cast<std::int32_t>(k));
      }
    }
  }
  if (op.input_count() > 1) check_sizes(op, std::span(out).subspan(*axis, 1));
  op.set(0, type, out);
  if (*rank == 1) join_contents(op);
}

/// Before opset 18 parts have to be equal. TensorRT rounds up and lets the last part be smaller from 10.0 on, up to
/// 9.3 it rounds down and drops the rest (onnx-tensorrt importer of Split, 9.3 and 10.10).
DimVector uneven_parts(OpContext& op, Dim size, std::size_t parts) {
  DimTable& t = op.dims();
  const auto count = static_cast<std::int64_t>(parts);
  const Dim before = t.mul(t.ceil_div(size, t.literal(count)), t.literal(count - 1));
  const bool fills = t.less_equal(before, size) == Truth::yes;
  op.onnx_forbids(fmt::format("Split makes equal parts: {} is not a multiple of {}", t.text(size), count),
                  fills ? "the last part is smaller, and up to 9.3 the rest is dropped" : std::string_view{});
  DimVector out;
  for (std::size_t i = 0; i < parts; ++i) out.push_back(op.unknown("Split makes equal parts only"));
  return out;
}

/// Part sizes when nothing states them: equal parts, and from opset 18 on a smaller last one.
DimVector even_parts(OpContext& op, Dim size, std::size_t parts, bool may_end_short) {
  const Dim count = op.literal(static_cast<std::int64_t>(parts));
  const Truth divides = op.dims().divides(count, size);
  if (!may_end_short && divides == Truth::no) return uneven_parts(op, size, parts);
  if (!may_end_short || divides == Truth::yes) {
    (void)op.require_divides(count, size, "Split makes equal parts");
    return DimVector(parts, op.dims().floor_div(size, count));
  }
  const Dim chunk = op.dims().ceil_div(size, count);
  DimVector out(parts, chunk);
  const Dim before = op.dims().mul(chunk, op.literal(static_cast<std::int64_t>(parts) - 1));
  if (op.require_at_least(size, before, "Split fills all parts but the last")) {
    out.back() = op.dims().sub(size, before);
  } else {
    for (Dim& part : out) part = op.unknown("Split has more parts than it can fill");
  }
  return out;
}

void check_total(OpContext& op, Dim total, Dim size) {
  constexpr std::string_view kAddUp = "the parts of Split add up to the axis";
  const bool is_less = op.dims().equal(total, size) == Truth::no && op.dims().less_equal(total, size) == Truth::yes;
  if (!is_less) return (void)op.require_equal(total, size, kAddUp);
  op.onnx_forbids(fmt::format("{}: {} is not {}", kAddUp, op.dims().text(total), op.dims().text(size)),
                  "what is left of the axis is dropped");
}

void split(OpContext& op, std::optional<DimVector> sizes, bool is_given, bool may_end_short) {
  const std::size_t parts = op.output_count();
  const auto give_up = [&](std::string_view reason) {
    for (std::size_t i = 0; i < parts; ++i) op.set_type(i, op.type(0), reason);
  };
  if (!op.has_rank(0)) return give_up({});
  const auto axis = op.axis(op.attr_int("axis", 0), op.rank(0));
  if (!axis) return give_up("the axis is wrong");
  const Dim size = op.dim(0, *axis);
  if (is_given && !sizes) sizes = unknown_dims(op, parts, "the split is computed at run time");
  if (sizes && sizes->size() != parts) {
    op.conflict(fmt::format("the split has {} entries, the node has {} outputs", sizes->size(), parts));
    return give_up("the split does not fit the outputs");
  }
  if (!sizes) {
    sizes = even_parts(op, size, parts, may_end_short);
  } else {
    Dim total = op.literal(0);
    for (const Dim part : *sizes) total = op.dims().add(total, part);
    check_total(op, total, size);
  }
  std::size_t from = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
    out[*axis] = (*sizes)[i];
    op.set(i, op.type(0), out);
    const bool counts = op.in(0).is_known && out.size() == 1 && out[0].is_literal() && out[0].value() >= 0;
    const auto length = counts ? static_cast<std::size_t>(out[0].value()) : 0;
    if (!counts || from > op.in(0).known.size() || length > op.in(0).known.size() - from) {
      from = kMaxKnown + 1;
      continue;
    }
    op.set_known(i, op.in(0).known.subspan(from, length));
    from += length;
  }
}

}  // namespace

void infer_concat(OpContext& op) {
  const Attribute* axis = op.attr("axis");
  if (axis == nullptr && op.opset() >= 4) return op.set_type(0, op.type(0), "the attribute `axis` is missing");
  concat(op, op.attr_int("axis", 1));
}

/// Sizes from the attribute `split` (opset 1 also knows an input).
void infer_split_attribute(OpContext& op) {
  const auto given = op.attr_ints("split");
  if (given) {
    DimVector sizes;
    for (const std::int64_t size : *given) sizes.push_back(op.literal(size));
    return split(op, sizes, true, false);
  }
  split(op, op.has_input(1) ? sizes_from(op, 1, {}) : std::nullopt, op.has_input(1), false);
}

void infer_split(OpContext& op) {
  const bool given = op.has_input(1);
  const bool by_count = !given && op.attr("num_outputs") != nullptr;
  if (by_count && op.attr_int("num_outputs", 0) != static_cast<std::int64_t>(op.output_count())) {
    op.conflict(
        fmt::format("num_outputs is {}, the node has {} outputs", op.attr_int("num_outputs", 0), op.output_count()));
    for (std::size_t i = 0; i < op.output_count(); ++i)
      op.set_type(i, op.type(0), "num_outputs does not fit the outputs");
    return;
  }
  split(op, given ? sizes_from(op, 1, "the split is computed at run time") : std::nullopt, given, by_count);
}

}  // namespace trtcheck::shapes
