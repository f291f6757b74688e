// Signals: windows, Fourier transforms.
#include <fmt/core.h>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

namespace {

std::optional<Dim> scalar(OpContext& op, std::size_t input) {
  const auto contents = op.known(input);
  if (!contents || contents->size() != 1) return std::nullopt;
  return contents->front();
}

// Of a real signal half of the bins and one repeat the others.
Dim bins(OpContext& op, Dim length, bool is_onesided) {
  DimTable& t = op.dims();
  return is_onesided ? t.add(t.floor_div(length, t.literal(2)), t.literal(1)) : length;
}

/// One half of the bins says all of a real signal only: numbers go in with one part, and back with two.
void check_parts(OpContext& op, bool is_inverse) {
  const Dim parts = op.in(0).dims.back();
  const std::int64_t needed = is_inverse ? 2 : 1;
  if (op.dims().equal(parts, op.literal(needed)) != Truth::no) return;
  op.standard_forbids(fmt::format("the last axis is {}, a one-sided {}transform requires {}", op.dims().text(parts),
                                  is_inverse ? "inverse " : "", needed),
                      op.node().input(0));
}

/// What the axis does not change: the sizes that are the same wherever the transform runs.
void set_without_axis(OpContext& op, bool is_onesided) {
  constexpr std::string_view kAxis = "the axis is computed";
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  const bool keeps_sizes = !is_onesided && !op.has_input(1);
  for (std::size_t axis = 0; axis + 1 < out.size() && !keeps_sizes; ++axis) {
    out[axis] = op.unknown(kAxis, static_cast<std::int32_t>(axis));
  }
  out.back() = op.literal(is_onesided && op.attr_int("inverse", 0) != 0 ? 1 : 2);
  op.set(0, op.type(0), out);
}

}  // namespace

void infer_window_function(OpContext& op) {
  const auto type = static_cast<DataType>(op.attr_int("output_datatype", 1));
  const auto size = scalar(op, 0);
  op.set(0, type, {size ? *size : op.unknown("the size is computed", 0)});
}

void infer_mel_weight_matrix(OpContext& op) {
  const auto type = static_cast<DataType>(op.attr_int("output_datatype", 1));
  const auto mel = scalar(op, 0);
  const auto length = scalar(op, 1);
  op.set(0, type,
         {length ? bins(op, *length, true) : op.unknown("the length is computed", 0),
          mel ? *mel : op.unknown("the number of bins is computed", 1)});
}

void infer_dft(OpContext& op) {
  const DataType type = op.type(0);
  if (!op.has_rank(0) || op.rank(0) < 2) return op.set_type(0, type, "the signal is not known");
  const bool is_onesided = op.attr_int("onesided", 0) != 0;
  // One-sided bins back to the real signal that they are of.
  const bool is_real = is_onesided && op.attr_int("inverse", 0) != 0;
  if (is_onesided) check_parts(op, is_real);
  std::optional<std::int64_t> wished = op.opset() < 20 ? op.attr_int("axis", 1) : -2;
  if (op.opset() >= 20 && op.has_input(2)) {
    const auto axis = op.constant_ints(2);
    wished = axis && axis->size() == 1 ? std::optional(axis->front()) : std::nullopt;
  }
  if (!wished) return set_without_axis(op, is_onesided);
  const auto axis = op.axis(*wished, op.rank(0));
  if (!axis) return op.set_type(0, type, "the axis is outside of the input");
  if (*axis + 1 == op.rank(0)) {
    op.standard_forbids(fmt::format("axis {} holds real and imaginary part, it cannot be transformed", *wished));
    return op.set_type(0, type, "the axis is that of the parts of a number");
  }
  DimTable& t = op.dims();
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  Dim length = is_real ? t.mul(t.sub(out[*axis], op.literal(1)), op.literal(2)) : out[*axis];
  if (op.has_input(1)) {
    const auto stated = scalar(op, 1);
    length = stated ? *stated : op.unknown("the length is computed", static_cast<std::int32_t>(*axis));
  }
  out[*axis] = bins(op, length, is_onesided && !is_real);
  out.back() = op.literal(is_real ? 1 : 2);
  op.set(0, type, out);
}

void infer_stft(OpContext& op) {
  const DataType type = op.type(0);
  const bool has_signal = op.has_rank(0) && op.rank(0) >= 2;
  const Dim batch = has_signal ? op.dim(0, 0) : op.unknown("the signal is not known", 0);
  std::optional<Dim> frame;
  if (op.has_input(3))
    frame = scalar(op, 3);
  else if (op.has_input(2) && op.has_rank(2) && op.rank(2) == 1)
    frame = op.dim(2, 0);
  const auto step = scalar(op, 1);
  DimTable& t = op.dims();
  Dim frames = op.unknown("frame length or step is computed", 1);
  if (has_signal && frame && step) {
    frames = t.add(t.floor_div(t.sub(op.dim(0, 1), *frame), *step), t.literal(1));
  }
  const Dim count =
      frame ? bins(op, *frame, op.attr_int("onesided", 1) != 0) : op.unknown("the frame length is computed", 2);
  op.set(0, type, {batch, frames, count, t.literal(2)});
}

}  // namespace trtcheck::shapes
