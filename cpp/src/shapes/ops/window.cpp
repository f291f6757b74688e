#include "shapes/ops/window.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/core.h>

#include "dims/checked.hpp"
#include "shapes/ops/agree.hpp"

namespace trtcheck::shapes {

namespace {

// Far beyond any file that makes sense, small enough that sums of four never overflow.
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

using Ints = std::optional<std::span<const std::int64_t>>;

// Lists of another length are read as getKernelParams of onnx-tensorrt's importerUtils.cpp reads them (10.1).
void check_length(OpContext& op, std::string_view name, std::size_t given, std::size_t count) {
  if (given == count) return;
  const bool is_pads = name == "pads";
  std::string_view taken_as = "the entries after the last axis are ignored";
  if (given < count) taken_as = is_pads ? "the axes that are not named are not padded" : "the missing entries are 1";
  op.onnx_forbids(fmt::format("attribute `{}` has {} entries, {} are required", name, given, count), taken_as);
}

/// The begins of all axes come first, then the ends.
std::size_t half_of(std::span<const std::int64_t> pads) { return pads.size() >> 1U; }

/// One spatial axis is widened to two before the layer is made: pads of a second axis do reach it.
bool pads_the_widened_axis(OpContext& op, const Ints& pads, std::size_t spatial) {
  const bool widens = op.node().op_type == "Conv" || op.node().op_type == "ConvTranspose";
  if (!widens || spatial != 1 || pads->size() < 4) return false;
  if ((*pads)[1] == 0 && (*pads)[1 + half_of(*pads)] == 0) return false;
  op.conflict(fmt::format("attribute `pads` has {} entries, 2 are required", pads->size()));
  return true;
}

bool has_values(OpContext& op, std::string_view name, const Ints& values, std::int64_t least) {
  if (!values) return true;
  const auto is_bad = [&](std::int64_t v) { return v < least || v > kLargest; };
  const auto bad = std::ranges::find_if(*values, is_bad);
  if (bad == values->end()) return true;
  op.conflict(
      fmt::format("attribute `{}` holds {}{}", name, *bad, *bad > kLargest ? ": sizes computed from it overflow" : ""));
  return false;
}

/// What the standard forbids, and some runtimes run all the same.
void forbid_below(OpContext& op, std::string_view name, const Ints& values, std::int64_t least) {
  const auto bad = std::ranges::find_if(*values, [&](std::int64_t v) { return v < least; });
  if (bad == values->end()) return;
  op.standard_forbids(fmt::format("attribute `{}` holds {}, at least {} is required", name, *bad, least));
}

AutoPad read_auto_pad(OpContext& op) {
  const std::string_view text = op.attr_string("auto_pad", "NOTSET");
  if (text == "SAME_UPPER" || text == "SAME_LOWER") return AutoPad::same;
  return text == "VALID" ? AutoPad::valid : AutoPad::notset;
}

// ceil_mode, with the rule that a window which starts in the end padding does not count (onnx 1.16, ONNX
// Runtime and PyTorch agree): floor((extent + begin - 1)/s) + 1 is the last window that starts before it.
Dim positions_rounded_up(OpContext& op, const WindowAxis& along, Dim extent, std::int64_t covered) {
  DimTable& t = op.dims();
  const std::int64_t slack = along.pad_begin + along.pad_end - covered;
  const Dim stride = t.literal(along.stride);
  if (along.pad_end >= covered) return t.ceil_div(t.add(extent, t.literal(slack)), stride);
  const std::int64_t shift = std::min(slack + along.stride - 1, along.pad_begin - 1);
  return t.add(t.floor_div(t.add(extent, t.literal(shift)), stride), t.literal(1));
}

}  // namespace

std::optional<Window> read_window(OpContext& op, std::span<const Dim> kernel) {
  const std::size_t spatial = kernel.size();
  const Ints strides = op.attr_ints("strides");
  const Ints dilations = op.attr_ints("dilations");
  const Ints pads = op.attr_ints("pads");
  Window window{.auto_pad = read_auto_pad(op), .ceil_mode = op.attr_int("ceil_mode", 0) != 0, .axes = {}};
  // Exporters write pads = [0, 0] beside auto_pad, and pads are not looked at then.
  const bool uses_pads = pads && window.auto_pad == AutoPad::notset;
  if (!has_values(op, "strides", strides, 1) || !has_values(op, "dilations", dilations, 1)) return std::nullopt;
  if (uses_pads && (!has_values(op, "pads", pads, -kLargest) || pads_the_widened_axis(op, pads, spatial))) {
    return std::nullopt;
  }
  if (uses_pads) forbid_below(op, "pads", pads, 0);
  // getKernelParams of onnx-tensorrt reads pads beside VALID (8.0 to 10.1).
  if (pads && window.auto_pad == AutoPad::valid && std::ranges::any_of(*pads, [](std::int64_t p) { return p != 0; })) {
    op.differs_in_tensorrt();
  }
  if (strides) check_length(op, "strides", strides->size(), spatial);
  if (dilations) check_length(op, "dilations", dilations->size(), spatial);
  if (uses_pads) check_length(op, "pads", pads->size(), 2 * spatial);
  window.axes.resize(spatial);
  for (std::size_t i = 0; i < spatial; ++i) {
    WindowAxis& axis = window.axes[i];
    axis.kernel = kernel[i];
    if (strides && i < strides->size()) axis.stride = (*strides)[i];
    if (dilations && i < dilations->size()) axis.dilation = (*dilations)[i];
    if (uses_pads && i < half_of(*pads)) {
      axis.pad_begin = (*pads)[i];
      axis.pad_end = (*pads)[i + half_of(*pads)];
    }
  }
  return window;
}

void check_kernel_shape(OpContext& op, std::size_t weight) {
  const auto stated = op.attr_ints("kernel_shape");
  if (!stated) return;
  op.speak_of(ConflictId::conv_kernel_shape);
  const std::size_t spatial = op.rank(weight) - 2;
  if (stated->size() != spatial) {
    op.conflict(fmt::format("attribute `kernel_shape` has {} entries, {} are required", stated->size(), spatial));
    return;
  }
  for (std::size_t i = 0; i < spatial; ++i) {
    const Dim have = op.dim(weight, i + 2);
    const Dim want = op.literal((*stated)[i]);
    agree(op, have, want, "kernel_shape is the weight's", op.node().input(weight), static_cast<int>(i + 2), [&] {
      return fmt::format("kernel_shape says {} for axis {}, weight has {}", (*stated)[i], i + 2, op.dims().text(have));
    });
  }
}

bool check_group(OpContext& op, std::int64_t group) {
  op.speak_of(ConflictId::conv_group);
  if (group < 1) op.conflict(fmt::format("attribute `group` is {}, at least 1 is required", group));
  return group >= 1;
}

DimVector weight_extents(OpContext& op, std::size_t weight) {
  const auto dims = op.in(weight).dims.subspan(2);
  DimVector out(dims.begin(), dims.end());
  const Ints stated = op.attr_ints("kernel_shape");
  // The sizes of a constant come from the constant, whatever the attribute repeats.
  if (!stated || stated->size() != out.size() || op.model().constant(op.node().input(weight))) return out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].is_literal() && (*stated)[i] > 0) out[i] = op.literal((*stated)[i]);
  }
  return out;
}

std::optional<DimVector> kernel_shape(OpContext& op) {
  const Ints values = op.attr_ints("kernel_shape");
  if (!values) return std::nullopt;
  forbid_below(op, "kernel_shape", values, 1);
  DimVector out;
  out.reserve(values->size());
  for (const std::int64_t value : *values) out.push_back(op.literal(value));
  return out;
}

Dim extent_of(OpContext& op, const WindowAxis& axis) {
  DimTable& t = op.dims();
  return t.add(t.mul(t.sub(axis.kernel, t.literal(1)), t.literal(axis.dilation)), t.literal(1));
}

namespace {

/// What becomes of a window that is too large. TensorRT builds the empty result of a pool whose division comes out even
/// (measured). Less than a stride short, C++ rounds towards 0: ONNX Runtime makes one position of it.
enum class TooLarge : std::uint8_t { is_empty, is_rounded, is_refused };

/// An axis on which the window is too large.
struct Misfit {
  std::size_t axis;
  Dim padded;
  Dim covered;
  TooLarge kind;
};

void tell_misfits(OpContext& op, std::span<const Misfit> misfits) {
  if (misfits.empty()) return;
  DimTable& t = op.dims();
  const std::size_t first = misfits.front().axis;
  std::string axes = std::to_string(first);
  std::string padded = t.text(misfits.front().padded);
  std::string covered = t.text(misfits.front().covered);
  for (const Misfit& each : misfits.subspan(1)) {
    axes += fmt::format("{}{}", each.axis == misfits.back().axis ? " and " : ", ", each.axis);
    padded += " by " + t.text(each.padded);
    covered += " by " + t.text(each.covered);
  }
  const std::string text =
      misfits.size() == 1
          ? fmt::format("axis {} of the padded input is {}, a window of {} does not fit", axes, padded, covered)
          : fmt::format("axes {} of the padded input are {}, a window of {} does not fit", axes, padded, covered);
  const TooLarge worst = std::ranges::max(misfits, {}, &Misfit::kind).kind;
  if (worst == TooLarge::is_rounded) return op.standard_forbids(text, op.node().input(0), static_cast<int>(first));
  op.onnx_forbids(text, worst == TooLarge::is_empty ? "the result is empty" : std::string_view{}, op.node().input(0),
                  static_cast<int>(first));
}

TooLarge too_large(OpContext& op, const Window& window, const WindowAxis& along, Dim count, Dim missing) {
  if (!window.may_be_empty || !count.is(0)) return TooLarge::is_refused;
  return op.dims().equal(missing, op.literal(-along.stride)) == Truth::yes ? TooLarge::is_empty : TooLarge::is_rounded;
}

Dim positions_along(OpContext& op, const Window& window, const WindowAxis& along, Dim extent, std::size_t axis,
                    std::vector<Misfit>& misfits) {
  DimTable& t = op.dims();
  const Dim stride = t.literal(along.stride);
  if (window.auto_pad == AutoPad::same) return t.ceil_div(extent, stride);
  const Dim covered = extent_of(op, along);
  const Dim padded = t.add(extent, t.literal(along.pad_begin + along.pad_end));
  const bool rounds_up = window.ceil_mode && covered.is_literal();
  const Dim count = rounds_up ? positions_rounded_up(op, along, extent, covered.value())
                              : t.add(t.floor_div(t.sub(padded, covered), stride), t.literal(1));
  if (rounds_up) {
    // TensorRT keeps the window that starts in the end padding: NvInfer.h, PaddingMode, EXPLICIT_ROUND_UP (8.0
    // to 11.1).
    const Dim kept = t.add(t.ceil_div(t.sub(padded, covered), stride), t.literal(1));
    if (t.equal(count, kept) != Truth::yes) op.differs_in_tensorrt();
  }
  if (t.bounds(count).low >= 1 || extent.is(0)) return count;
  if (t.less_equal(count, t.literal(0)) != Truth::yes) {
    // Where it does not fit, the formula says 0 or less, and runtimes refuse the input or make one position of it.
    if (t.is_exact(count)) (void)op.require_at_least(count, t.literal(1), "the window fits into the padded input");
    return count;
  }
  const TooLarge kind = too_large(op, window, along, count, t.sub(padded, covered));
  misfits.push_back({axis, padded, covered, kind});
  if (kind == TooLarge::is_empty) return count;
  return op.unknown("the window does not fit", static_cast<std::int32_t>(axis));
}

}  // namespace

DimVector positions(OpContext& op, const Window& window, std::span<const Dim> extents, std::size_t first) {
  DimVector out;
  out.reserve(extents.size());
  std::vector<Misfit> misfits;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    out.push_back(positions_along(op, window, window.axes[i], extents[i], first + i, misfits));
  }
  tell_misfits(op, misfits);
  return out;
}

DimVector slide(OpContext& op, const Window& window, Dim batch, Dim channels) {
  DimVector extents;
  extents.reserve(window.axes.size());
  for (std::size_t i = 0; i < window.axes.size(); ++i) {
    const auto axis = static_cast<std::int32_t>(i + 2);
    extents.push_back(op.has_rank(0) ? op.dim(0, i + 2) : op.unknown("the rank of an input is not known", axis));
  }
  DimVector out{batch, channels};
  std::ranges::copy(positions(op, window, extents, 2), std::back_inserter(out));
  return out;
}

DimVector unknown_extents(OpContext& op, Dim batch, Dim channels, std::size_t spatial) {
  DimVector out{batch, channels};
  for (std::size_t i = 0; i < spatial; ++i) {
    out.push_back(op.unknown("the attributes contradict each other", static_cast<std::int32_t>(i + 2)));
  }
  return out;
}

}  // namespace trtcheck::shapes
