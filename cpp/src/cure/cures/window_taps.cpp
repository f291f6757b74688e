// A pool that TensorRT has no layer for (dilations, other powers, indices of the largest), written out: one strided
// Slice for each element of the window.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::window_taps {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

class Window {
 public:
  explicit Window(Draft& draft) : draft_(&draft), w_(draft) {}

  bool run() {
    if (!read()) return false;
    const std::string_view op = draft_->node().op_type;
    const bool is_done = op == "MaxPool" ? largest() : op == "LpPool" ? power() : average();
    if (!is_done) return false;
    draft_->remove();
    draft_->title(fmt::format("write {} as {} slices", op, taps_.size()));
    return true;
  }

 private:
  bool read() {
    const auto kernel = draft_->ints_attribute("kernel_shape");
    const auto rank = draft_->rank(draft_->node().input(0));
    const auto type = draft_->type(draft_->node().input(0));
    if (!kernel || !rank || *rank != kernel->size() + 2 || !type || !is_float(*type)) return false;
    if (draft_->int_attribute("ceil_mode", 0) != 0) return draft_->refuse("the last window may reach beyond the pads");
    const std::string padding = draft_->text_attribute("auto_pad", "NOTSET");
    if (padding != "NOTSET" && padding != "VALID") return draft_->refuse("its pads depend on the size of the data");
    type_ = *type;
    kernel_ = *kernel;
    const Ints ones(kernel_.size(), 1);
    strides_ = draft_->ints_attribute("strides").value_or(ones);
    dilations_ = draft_->ints_attribute("dilations").value_or(ones);
    pads_ = draft_->ints_attribute("pads").value_or(Ints(2 * kernel_.size(), 0));
    if (strides_.size() != kernel_.size() || dilations_.size() != kernel_.size()) return false;
    if (pads_.size() != 2 * kernel_.size() || padding == "VALID") pads_.assign(2 * kernel_.size(), 0);
    return read_taps();
  }

  bool read_taps() {
    constexpr std::size_t kMost = 64;
    std::size_t count = 1;
    for (const std::int64_t size : kernel_) {
      if (size < 1 || size > static_cast<std::int64_t>(kMost)) return draft_->refuse("its window is too large");
      count *= static_cast<std::size_t>(size);
    }
    if (count > kMost) return draft_->refuse(fmt::format("its window has {} elements", count));
    for (std::size_t i = 0; i < count; ++i) {
      Ints tap(kernel_.size());
      std::size_t rest = i;
      for (std::size_t axis = kernel_.size(); axis-- > 0;) {
        tap[axis] = static_cast<std::int64_t>(rest % static_cast<std::size_t>(kernel_[axis]));
        rest /= static_cast<std::size_t>(kernel_[axis]);
      }
      taps_.push_back(tap);
    }
    const bool is_strided = std::ranges::any_of(strides_, [](std::int64_t stride) { return stride != 1; });
    constexpr std::int64_t kStepsOpset = 10;
    return !is_strided || draft_->opset() >= kStepsOpset || draft_->refuse("Slice has no steps at this opset");
  }

  Name padded(const Name& x, double filling) {
    if (std::ranges::all_of(pads_, [](std::int64_t pad) { return pad == 0; })) return x;
    Ints all(2, 0);
    all.insert(all.end(), pads_.begin(), pads_.begin() + static_cast<std::ptrdiff_t>(kernel_.size()));
    all.insert(all.end(), {0, 0});
    all.insert(all.end(), pads_.begin() + static_cast<std::ptrdiff_t>(kernel_.size()), pads_.end());
    constexpr std::int64_t kInputsOpset = 11;
    if (draft_->opset() < kInputsOpset) {
      return w_.op("Pad", {x}, {{"pads", all}, {"value", static_cast<float>(filling)}});
    }
    return w_.op("Pad", {x, draft_->ints_constant(all, "pads"), draft_->scalar(filling, type_, "filling")});
  }

  /// What this element of each window is.
  Name slice(const Name& x, const Ints& tap) {
    Ints starts, ends, axes;
    for (std::size_t axis = 0; axis < kernel_.size(); ++axis) {
      const std::int64_t behind = (kernel_[axis] - 1 - tap[axis]) * dilations_[axis];
      starts.push_back(tap[axis] * dilations_[axis]);
      ends.push_back(behind == 0 ? std::numeric_limits<std::int64_t>::max() : -behind);
      axes.push_back(static_cast<std::int64_t>(axis) + 2);
    }
    if (std::ranges::all_of(strides_, [](std::int64_t stride) { return stride == 1; })) {
      return w_.slice(x, starts, ends, axes);
    }
    return w_.op("Slice", {x, draft_->ints_constant(starts, "starts"), draft_->ints_constant(ends, "ends"),
                           draft_->ints_constant(axes, "axes"), draft_->ints_constant(strides_, "steps")});
  }

  Name sum(const Name& x) {
    Name total = slice(x, taps_.front());
    for (std::size_t i = 1; i < taps_.size(); ++i) total = w_.add(total, slice(x, taps_[i]));
    return total;
  }

  bool power() {
    const auto p = draft_->int_attribute("p", 2);
    if (p < 1) return false;
    Name x = w_.op("Abs", {draft_->in(0)});
    if (p == 2) x = w_.mul(x, x);
    if (p > 2) x = w_.op("Pow", {x, draft_->scalar(static_cast<double>(p), type_, "p")});
    const Name total = sum(padded(x, 0));
    const Name root = draft_->scalar(1.0 / static_cast<double>(p), type_, "root");
    draft_->becomes(0, p == 1 ? total : p == 2 ? w_.op("Sqrt", {total}) : w_.op("Pow", {total, root}));
    draft_->promises(CureClass::rounding);
    return true;
  }

  bool average() {
    const bool is_padded = std::ranges::any_of(pads_, [](std::int64_t pad) { return pad != 0; });
    Name count = draft_->scalar(static_cast<double>(taps_.size()), type_, "count");
    if (is_padded && draft_->int_attribute("count_include_pad", 0) == 0) {
      const auto counts = each_window([&](const Ints& at) { return is_inside(at) ? 1 : 0; });
      if (!counts) return draft_->refuse("the size of the data is not known");
      std::vector<double> sums(counts->front().size(), 0);
      for (const Ints& of_tap : *counts) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(of_tap[i]);
      }
      count = w_.numbers(sums, with_ones(), type_, "count");
    }
    draft_->becomes(0, w_.div(sum(padded(draft_->in(0), 0)), count));
    draft_->promises(CureClass::rounding);
    return true;
  }

  bool largest() {
    const Name x = padded(draft_->in(0), -std::numeric_limits<double>::infinity());
    const bool has_indices = static_cast<bool>(draft_->node().output(1));
    if (has_indices && (taps_.size() < 2 || draft_->int_attribute("storage_order", 0) != 0)) return false;
    const auto places = has_indices ? each_window([&](const Ints& at) { return place(at); }) : std::nullopt;
    if (has_indices && !places) return draft_->refuse("the size of the data is not known");
    Name best = slice(x, taps_.front());
    Name index = has_indices ? constant_places(places->front()) : "";
    for (std::size_t i = 1; i < taps_.size(); ++i) {
      const Name next = slice(x, taps_[i]);
      if (has_indices) index = w_.where(w_.op("Greater", {next, best}), constant_places((*places)[i]), index);
      best = w_.op("Max", {best, next});
    }
    if (has_indices) {
      const Name offsets = channel_offsets();
      if (offsets.empty()) return draft_->refuse("the number of images is not known");
      draft_->becomes(1, w_.add(index, offsets));
    }
    draft_->becomes(0, best);
    draft_->promises(CureClass::proven);
    return true;
  }

  [[nodiscard]] bool is_inside(const Ints& at) const {
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      if (at[axis] < 0 || at[axis] >= spatial_[axis]) return false;
    }
    return true;
  }
  /// Within one channel.
  [[nodiscard]] std::int64_t place(const Ints& at) const {
    std::int64_t made = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      made = made * spatial_[axis] + std::clamp<std::int64_t>(at[axis], 0, spatial_[axis] - 1);
    }
    return made;
  }

  /// For each tap a number for each window. Nothing: sizes are not known, or too large.
  template <class F>
  std::optional<std::vector<Ints>> each_window(F&& number) {
    const ValueShape& shape = draft_->in_shape(0);
    for (std::size_t axis = 2; axis < shape.rank(); ++axis) {
      if (!shape.dims[axis].is_literal()) return std::nullopt;
      spatial_.push_back(shape.dims[axis].value());
    }
    std::size_t windows = 1;
    for (std::size_t axis = 0; axis < kernel_.size(); ++axis) {
      const std::int64_t reach =
          spatial_[axis] + pads_[axis] + pads_[axis + kernel_.size()] - ((kernel_[axis] - 1) * dilations_[axis]);
      if (reach < 1) return std::nullopt;
      out_.push_back((reach + strides_[axis] - 1) / strides_[axis]);
      windows *= static_cast<std::size_t>(out_.back());
    }
    constexpr std::size_t kMostNumbers = std::size_t{1} << 22;
    if (windows * taps_.size() > kMostNumbers) return std::nullopt;
    std::vector<Ints> made;
    for (const Ints& tap : taps_) {
      Ints& of_tap = made.emplace_back();
      for (std::size_t i = 0; i < windows; ++i) {
        Ints at(kernel_.size());
        std::size_t rest = i;
        for (std::size_t axis = kernel_.size(); axis-- > 0;) {
          const auto window = static_cast<std::int64_t>(rest % static_cast<std::size_t>(out_[axis]));
          rest /= static_cast<std::size_t>(out_[axis]);
          at[axis] = window * strides_[axis] + tap[axis] * dilations_[axis] - pads_[axis];
        }
        of_tap.push_back(number(at));
      }
    }
    return made;
  }

  [[nodiscard]] Ints with_ones() const {
    Ints dims{1, 1};
    dims.insert(dims.end(), out_.begin(), out_.end());
    return dims;
  }
  Name constant_places(const Ints& places) {
    return draft_->constant(constant_of(DataType::int64, with_ones(), places), "places");
  }

  /// Where each channel of each image begins.
  Name channel_offsets() {
    const ValueShape& shape = draft_->in_shape(0);
    if (!shape.dims[1].is_literal()) return {};
    std::int64_t elements = 1;
    for (const std::int64_t size : spatial_) elements *= size;
    const std::int64_t channels = shape.dims[1].value();
    Ints of_channel;
    for (std::int64_t c = 0; c < channels; ++c) of_channel.push_back(c * elements);
    Ints dims(shape.rank(), 1);
    dims[1] = channels;
    const Name first = draft_->constant(constant_of(DataType::int64, dims, of_channel), "channels");
    constexpr std::int64_t kRangeOpset = 11;
    if (shape.dims[0].is_literal() && shape.dims[0].value() == 1) return first;
    if (shape.dims[0].is_literal() && shape.dims[0].value() == 0) return {};
    if (draft_->opset() < kRangeOpset) return {};
    const Name images = w_.mul(w_.places(draft_->node().input(0), 0), draft_->int_constant(channels * elements));
    return w_.add(first, w_.unsqueeze(images, counted(1, static_cast<std::int64_t>(shape.rank()))));
  }

  Draft* draft_;
  Writer w_;
  DataType type_ = DataType::undefined;
  Ints kernel_;
  Ints strides_;
  Ints dilations_;
  Ints pads_;
  Ints spatial_;
  Ints out_;
  std::vector<Ints> taps_;
};

bool make(Draft& draft, const Finding&) { return Window(draft).run(); }

constexpr std::string_view kFindings[] = {"OPS401:lp-pool-no-dilations", "OPS401:lp-pool-order",
                                          "OPS401:maxpool-no-indices", "OPS401:pool-no-dilations",
                                          "OPS412:pool-dilations-unread"};
constexpr std::string_view kOps[] = {"AveragePool", "LpPool", "MaxPool"};

}  // namespace

extern constinit const Cure cure{
    .name = "window-taps",
    .kind = CureClass::rounding,
    .summary = "a pool with dilations, with another power, or whose indices are read, is written as slices",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::window_taps
