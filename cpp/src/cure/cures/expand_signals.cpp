// Fourier transforms as products with matrices, Col2Im as a transposed convolution, Compress as Gather.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

// 64 MB of FLOAT.
constexpr std::int64_t kMostStored = std::int64_t{1} << 24;

struct Fourier {
  std::int64_t samples = 0;
  std::int64_t length = 0;  ///< of the transform: zeros are added, or samples left out
  std::int64_t bins = 0;    ///< that come out
  bool is_inverse = false;
};

struct Complex {
  Name real;
  Name imaginary;  ///< "": zero
};

/// [samples, bins]: cosines or sines.
Name waves(Writer& w, const Fourier& fourier, bool is_cosine, double sign, DataType type) {
  std::vector<double> values;
  const double scale = fourier.is_inverse ? sign / static_cast<double>(fourier.length) : sign;
  for (std::int64_t n = 0; n < fourier.samples; ++n) {
    for (std::int64_t k = 0; k < fourier.bins; ++k) {
      // Whole turns leave no rounding behind.
      const auto turn = static_cast<double>(n * k % fourier.length) / static_cast<double>(fourier.length);
      const double angle = 2 * std::numbers::pi * turn;
      const double value = n >= fourier.length ? 0 : is_cosine ? std::cos(angle) : std::sin(angle);
      values.push_back(scale * value);
    }
  }
  return w.numbers(values, {fourier.samples, fourier.bins}, type, is_cosine ? "cosines" : "sines");
}

/// Along the last axis.
Complex transformed(Writer& w, const Complex& x, const Fourier& fourier, DataType type) {
  // exp(-i t) = cos(t) - i sin(t), the inverse with the other sign.
  const double turn = fourier.is_inverse ? 1 : -1;
  const Name cosines = waves(w, fourier, true, 1, type);
  const Name sines = waves(w, fourier, false, turn, type);
  Complex made{w.matmul(x.real, cosines), w.matmul(x.real, sines)};
  if (!x.imaginary.empty()) {
    made.real = w.sub(made.real, w.matmul(x.imaginary, sines));
    made.imaginary = w.add(made.imaginary, w.matmul(x.imaginary, cosines));
  }
  return made;
}

/// Real and imaginary part of a last axis of 1 or 2; nothing, with the reason.
std::optional<Complex> parts_of(Writer& w, std::size_t input, std::size_t rank) {
  Draft& draft = w.draft();
  const Dim last = draft.in_shape(input).dims.back();
  const auto axis = static_cast<std::int64_t>(rank) - 1;
  if (last.is_literal() && last.value() == 1) return Complex{w.squeeze(draft.in(input), {axis}), {}};
  if (last.is_literal() && last.value() == 2) {
    const std::vector<Name> two = w.split(draft.in(input), {1, 1}, axis);
    return Complex{w.squeeze(two[0], {axis}), w.squeeze(two[1], {axis})};
  }
  draft.refuse(fmt::format("it is not known whether `{}` is complex", draft.in(input)));
  return std::nullopt;
}

Name joined(Writer& w, const Complex& parts, std::int64_t axis) {
  return w.concat({w.unsqueeze(parts.real, {axis}), w.unsqueeze(parts.imaginary, {axis})}, axis);
}

std::optional<std::int64_t> one_number(Draft& draft, std::size_t input) {
  const std::optional<Ints> numbers = draft.ints(draft.node().input(input));
  if (numbers && numbers->size() == 1) return numbers->front();
  draft.refuse(
      fmt::format("`{}` is not a constant: {}", draft.in(input), draft.why_unknown(draft.node().input(input))));
  return std::nullopt;
}

bool dft(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank || *rank < 2) return draft.refuse("the rank is not known");
  constexpr std::int64_t kAxisAsInput = 20;
  std::optional<std::int64_t> given = draft.int_attribute("axis", draft.opset() < kAxisAsInput ? 1 : -2);
  if (draft.node().input(2)) given = one_number(draft, 2);
  if (!given) return false;
  const std::optional<std::size_t> axis = plain_axis(*given, *rank);
  if (!axis || *axis + 1 == *rank) return false;
  const Dim samples = draft.in_shape(0).dims[*axis];
  if (!samples.is_literal()) return draft.refuse(fmt::format("the size of axis {} is not known", *axis));
  Fourier fourier{.samples = samples.value(), .length = samples.value()};
  if (draft.node().input(1)) {
    const std::optional<std::int64_t> length = one_number(draft, 1);
    if (!length || *length < 1) return false;
    fourier.length = *length;
  }
  fourier.is_inverse = draft.int_attribute("inverse", 0) != 0;
  const bool is_onesided = draft.int_attribute("onesided", 0) != 0;
  if (fourier.is_inverse && is_onesided) return draft.refuse("an inverse of one side is not spelt out");
  fourier.bins = is_onesided ? fourier.length / 2 + 1 : fourier.length;
  if (fourier.length < 1 || fourier.samples * fourier.bins > kMostStored) {
    return draft.refuse("the matrix of the transform would be too large");
  }
  std::optional<Complex> parts = parts_of(w, 0, *rank);
  if (!parts) return false;
  // The axis goes to the end, and back.
  Ints swapped = counted(0, static_cast<std::int64_t>(*rank) - 1);
  std::swap(swapped[*axis], swapped.back());
  const bool is_moved = *axis + 2 != *rank;
  const auto moved = [&](const Name& part) { return is_moved && !part.empty() ? w.transpose(part, swapped) : part; };
  Complex made = transformed(w, {moved(parts->real), moved(parts->imaginary)}, fourier, *type);
  made = {moved(made.real), moved(made.imaginary)};
  draft.becomes(0, joined(w, made, static_cast<std::int64_t>(*rank) - 1));
  return true;
}

bool stft(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  if (draft.rank(draft.node().input(0)) != 3U) return draft.refuse("the rank of the signal is not known to be 3");
  const Dim length = draft.in_shape(0).dims[1];
  if (!length.is_literal()) return draft.refuse("the length of the signal is not known");
  const std::optional<std::int64_t> step = one_number(draft, 1);
  if (!step || *step < 1) return false;
  std::optional<std::int64_t> frame;
  if (draft.node().input(3)) {
    frame = one_number(draft, 3);
  } else if (draft.rank(draft.node().input(2)) == 1U && draft.in_shape(2).dims[0].is_literal()) {
    frame = draft.in_shape(2).dims[0].value();
  }
  if (!frame || *frame < 1 || *frame > length.value()) return draft.refuse("the length of a frame is not known");
  const bool is_onesided = draft.int_attribute("onesided", 1) != 0;
  const Fourier fourier{.samples = *frame, .length = *frame, .bins = is_onesided ? *frame / 2 + 1 : *frame};
  const std::int64_t frames = (length.value() - *frame) / *step + 1;
  if (fourier.samples * fourier.bins > kMostStored || frames * *frame > kMostStored) {
    return draft.refuse("the matrix of the transform would be too large");
  }
  const std::optional<Complex> signal = parts_of(w, 0, 3);
  if (!signal) return false;
  Ints places;
  for (std::int64_t i = 0; i < frames; ++i) {
    for (std::int64_t k = 0; k < *frame; ++k) places.push_back(i * *step + k);
  }
  // [batch, frames, samples]
  const Name indices = w.reshape(draft.ints_constant(places, "places"), {frames, *frame});
  const auto framed = [&](const Name& part) {
    if (part.empty()) return part;
    const Name cut = w.gather(part, indices, 1);
    return draft.node().input(2) ? w.mul(cut, draft.in(2)) : cut;
  };
  const Complex made = transformed(w, {framed(signal->real), framed(signal->imaginary)}, fourier, *type);
  draft.becomes(0, joined(w, made, 3));
  return true;
}

/// Columns go to their places and are added up: a transposed convolution whose kernels hold one 1 each.
bool col2im(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const std::optional<Ints> image = draft.ints(draft.node().input(1));
  const std::optional<Ints> block = draft.ints(draft.node().input(2));
  if (!image || !block || image->size() != block->size()) return draft.refuse("sizes of image and block are not known");
  const std::size_t axes = image->size();
  if (axes != 2 || draft.rank(draft.node().input(0)) != 3U || !draft.in_shape(0).dims[1].is_literal()) {
    return draft.refuse("it is spelt out for images of two axes and a known number of channels");
  }
  const std::int64_t places = block->at(0) * block->at(1);
  const std::int64_t columns = draft.in_shape(0).dims[1].value();
  if (places < 1 || columns % places != 0 || columns * places > kMostStored) return false;
  const Ints strides = draft.ints_attribute("strides").value_or(Ints(axes, 1));
  const Ints dilations = draft.ints_attribute("dilations").value_or(Ints(axes, 1));
  const Ints pads = draft.ints_attribute("pads").value_or(Ints(2 * axes, 0));
  if (strides.size() != axes || dilations.size() != axes || pads.size() != 2 * axes) return false;
  Ints rows;
  Ints rest;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t covered = dilations[i] * (block->at(i) - 1) + 1;
    const std::int64_t steps = image->at(i) + pads[i] + pads[i + axes] - covered;
    if (steps < 0 || strides[i] < 1) return false;
    rows.push_back(steps / strides[i] + 1);
    rest.push_back(steps % strides[i]);
  }
  std::vector<double> kernels(static_cast<std::size_t>(columns * places), 0);
  for (std::int64_t i = 0; i < columns; ++i) kernels[static_cast<std::size_t>(i * places + i % places)] = 1;
  const Name weights = w.numbers(kernels, {columns, 1, block->at(0), block->at(1)}, *type, "kernels");
  const Name grid = w.reshape(draft.in(0), {0, columns, rows[0], rows[1]});
  draft.becomes(0, w.op("ConvTranspose", {grid, weights},
                        {{"kernel_shape", *block},
                         {"strides", strides},
                         {"dilations", dilations},
                         {"pads", pads},
                         {"output_padding", rest},
                         {"group", columns / places}}));
  return true;
}

bool compress(Writer& w) {
  Draft& draft = w.draft();
  const Attribute* axis = draft.node().attribute("axis");
  const Name x = axis == nullptr ? w.reshape(draft.in(0), {-1}) : draft.in(0);
  const std::int64_t along = axis == nullptr ? 0 : axis->i();
  const ValueId condition = draft.node().input(1);
  if (const std::optional<Ints> known = draft.ints(condition)) {
    Ints places;
    for (std::size_t i = 0; i < known->size(); ++i) {
      if (known->at(i) != 0) places.push_back(static_cast<std::int64_t>(i));
    }
    draft.becomes(0, w.gather(x, draft.ints_constant(places, "places"), along));
    return true;
  }
  const Name places = w.squeeze(w.op("NonZero", {draft.in(1)}), {0});
  draft.becomes(0, w.gather(x, places, along));
  return true;
}

constexpr Expansion kExpandSignals[] = {{.op = "Col2Im", .write = col2im},
                                        {.op = "Compress", .kind = CureClass::proven, .write = compress},
                                        {.op = "DFT", .write = dft},
                                        {.op = "STFT", .write = stft}};

}  // namespace

std::span<const Expansion> signal_expansions() noexcept { return kExpandSignals; }

}  // namespace trtcheck::cure
