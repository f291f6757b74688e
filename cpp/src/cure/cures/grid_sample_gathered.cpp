// GridSample of volumes, or cubic under its newer name: the neighbours of each point are gathered and weighed.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::grid_sample_gathered {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

enum class Mode : std::uint8_t { linear, nearest, cubic };

/// One neighbour along one axis; all are [batch, 1, points].
struct Tap {
  Name place;   ///< INT64, within the data
  Name weight;  ///< "" = 1
};

class Sampler {
 public:
  explicit Sampler(Draft& draft) : draft_(&draft), w_(draft) {}

  bool run() {
    if (!read()) return false;
    const Name x = draft_->type(data()) == type_ ? draft_->in(0) : w_.cast(draft_->in(0), type_);
    const Name grid = draft_->type(draft_->node().input(1)) == type_ ? draft_->in(1) : w_.cast(draft_->in(1), type_);
    one_ = number(1);
    const std::vector<Name> parts = w_.split(grid, Ints(axes_, 1), static_cast<std::int64_t>(axes_) + 1);
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      sizes_.push_back(w_.size(data(), axis + 2));
      // The last axis comes first in the grid.
      taps_.push_back(taps_of(w_.reshape(parts[axes_ - 1 - axis], {0, 1, -1}), sizes_.back()));
    }
    flat_ = w_.reshape(x, {0, 0, -1});
    channels_ = w_.concat({draft_->ints_constant({1}), w_.size(data(), 1), draft_->ints_constant({1})}, 0);
    gather(0, "", "");
    std::vector<Name> shape{w_.size(data(), 0), w_.size(data(), 1)};
    for (std::size_t axis = 0; axis < axes_; ++axis) shape.push_back(w_.size(draft_->node().input(1), axis + 1));
    const Name y = w_.reshape_to(sum_, w_.concat(shape, 0));
    const auto old = draft_->type(data());
    draft_->becomes(0, old == type_ ? y : w_.cast(y, *old));
    draft_->remove();
    draft_->title(fmt::format("gather the neighbours of each point of {} axes", axes_));
    return true;
  }

 private:
  static constexpr DataType type_ = DataType::float32;

  [[nodiscard]] ValueId data() const { return draft_->node().input(0); }
  Name number(double value) { return draft_->scalar(value, type_, "number"); }

  bool read() {
    const auto rank = draft_->rank(data());
    const auto type = draft_->type(data());
    const auto of_grid = draft_->type(draft_->node().input(1));
    if (!rank || *rank < 3 || !type || !is_float(*type) || *type == DataType::float64) return false;
    if (!of_grid || !is_float(*of_grid)) return false;
    axes_ = *rank - 2;
    const std::string mode = draft_->text_attribute("mode", "linear");
    const bool is_cubic = mode == "cubic" || mode == "bicubic";
    if (!is_cubic && mode != "nearest" && mode != "linear" && mode != "bilinear") return false;
    mode_ = is_cubic ? Mode::cubic : mode == "nearest" ? Mode::nearest : Mode::linear;
    padding_ = draft_->text_attribute("padding_mode", "zeros");
    is_aligned_ = draft_->int_attribute("align_corners", 0) != 0;
    if (padding_ != "zeros" && padding_ != "border" && padding_ != "reflection") return false;
    if (is_cubic && (axes_ > 2 || padding_ == "reflection")) {
      return draft_->refuse("it takes too many neighbours of each point");
    }
    return true;
  }

  /// From -1 to 1 to places in the data.
  Name place(const Name& at, const Name& size) {
    const Name shifted = w_.add(at, one_);
    const Name half = number(0.5);
    if (is_aligned_) return w_.mul(w_.mul(shifted, half), w_.sub(size, one_));
    return w_.mul(w_.sub(w_.mul(shifted, size), one_), half);
  }

  /// Back into the data at the borders, as often as needed.
  Name reflected(const Name& at, const Name& size) {
    const Name low = number(is_aligned_ ? 0 : -0.5);
    const Name range = is_aligned_ ? w_.op("Max", {w_.sub(size, one_), one_}) : size;
    const Name distance = w_.op("Abs", {w_.sub(at, low)});
    const Name flips = w_.op("Floor", {w_.div(distance, range)});
    const Name rest = w_.sub(distance, w_.mul(flips, range));
    const Name two = number(2);
    const Name is_odd = w_.sub(flips, w_.mul(w_.op("Floor", {w_.div(flips, two)}), two));
    // rest where it is even, range - rest where it is odd
    const Name back = w_.mul(is_odd, w_.sub(range, w_.mul(rest, two)));
    return w_.add(low, w_.add(rest, back));
  }

  Name clipped(const Name& at, const Name& size) {
    return w_.op("Min", {w_.op("Max", {at, number(0)}), w_.sub(size, one_)});
  }

  Tap tap(const Name& at, const Name& weight, const Name& size) {
    const Name inside = clipped(at, size);
    Name weighed = weight;
    if (padding_ == "zeros") {
      const Name is_inside = w_.cast(w_.op("Equal", {at, inside}), type_);
      weighed = weight.empty() ? is_inside : w_.mul(weight, is_inside);
    }
    return {w_.cast(inside, DataType::int64), weighed};
  }

  std::vector<Tap> taps_of(const Name& grid, const Name& length) {
    const Name size = w_.cast(length, type_);
    Name at = place(grid, size);
    if (mode_ == Mode::nearest) at = w_.op("Round", {at});
    if (mode_ != Mode::cubic && padding_ == "border") at = clipped(at, size);
    if (mode_ != Mode::cubic && padding_ == "reflection") at = reflected(at, size);
    if (mode_ == Mode::nearest) return {tap(at, "", size)};
    const Name below = w_.op("Floor", {at});
    const Name part = w_.sub(at, below);
    if (mode_ == Mode::linear) {
      return {tap(below, w_.sub(one_, part), size), tap(w_.add(below, one_), part, size)};
    }
    const Name rest = w_.sub(one_, part);
    return {tap(w_.sub(below, one_), far(w_.add(part, one_)), size), tap(below, near(part), size),
            tap(w_.add(below, one_), near(rest), size), tap(w_.add(below, number(2)), far(w_.add(rest, one_)), size)};
  }

  // Keys' cubic with a = -0.75.
  static constexpr double kA = -0.75;
  /// ((a + 2) t - (a + 3)) t t + 1
  Name near(const Name& t) {
    const Name inner = w_.sub(w_.mul(number(kA + 2), t), number(kA + 3));
    return w_.add(w_.mul(w_.mul(inner, t), t), one_);
  }
  /// ((a t - 5 a) t + 8 a) t - 4 a
  Name far(const Name& t) {
    const Name first = w_.sub(w_.mul(number(kA), t), number(5 * kA));
    return w_.sub(w_.mul(w_.add(w_.mul(first, t), number(8 * kA)), t), number(4 * kA));
  }

  /// Each choice of one tap for each axis.
  void gather(std::size_t axis, const Name& index, const Name& weight) {
    if (axis == axes_) {
      const Name everywhere = w_.op("Expand", {index, channels_});
      Name value = w_.op("GatherElements", {flat_, everywhere}, {{"axis", std::int64_t{2}}});
      if (!weight.empty()) value = w_.mul(value, weight);
      sum_ = sum_.empty() ? value : w_.add(sum_, value);
      return;
    }
    for (const Tap& tap : taps_[axis]) {
      const Name next = index.empty() ? tap.place : w_.add(w_.mul(index, sizes_[axis]), tap.place);
      const Name both = weight.empty() ? tap.weight : tap.weight.empty() ? weight : w_.mul(weight, tap.weight);
      gather(axis + 1, next, both);
    }
  }

  Draft* draft_;
  Writer w_;
  std::size_t axes_ = 0;
  Mode mode_ = Mode::linear;
  std::string padding_;
  bool is_aligned_ = false;
  Name one_;
  Name flat_;
  Name channels_;
  Name sum_;
  std::vector<Name> sizes_;
  std::vector<std::vector<Tap>> taps_;
};

bool make(Draft& draft, const Finding& finding) {
  // Where a word is all that is wrong, `grid-sample-mode` leaves it out.
  const bool is_word = finding.fact == "grid-sample-mode" && draft.text_attribute("mode", "linear") == "linear";
  return !is_word && Sampler(draft).run();
}

constexpr std::string_view kFindings[] = {"OPS401:grid-sample-rank", "OPS411:grid-sample-mode"};
constexpr std::string_view kOps[] = {"GridSample"};

}  // namespace

extern constinit const Cure cure{
    .name = "grid-sample-gathered",
    .kind = CureClass::rounding,
    .summary = "GridSample of other ranks than the layer has, or cubic, gathers the neighbours of each point",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::grid_sample_gathered
