// Operators that are a comparison of positions, spelt out.
#include <fmt/format.h>

#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

/// Rows [n, 1] and columns [m] of the last two axes of a value.
struct Positions {
  Name rows;
  Name columns;
};

Positions positions_of(Writer& w, ValueId value, std::size_t rank) {
  return {w.unsqueeze(w.places(value, rank - 2), {1}), w.places(value, rank - 1)};
}

bool eye_like(Writer& w) {
  Draft& draft = w.draft();
  const ValueId x = draft.node().input(0);
  if (draft.rank(x) != 2U) return draft.refuse("the rank is not known to be 2");
  const std::optional<DataType> own = draft.type(x);
  const std::int64_t type = draft.int_attribute("dtype", own ? static_cast<std::int64_t>(*own) : 0);
  if (type == 0) return draft.refuse("the element type is not known");
  const Positions at = positions_of(w, x, 2);
  const std::int64_t k = draft.int_attribute("k", 0);
  const Name rows = k == 0 ? at.rows : w.add(at.rows, draft.int_constant(k, "k"));
  draft.becomes(0, w.cast(w.op("Equal", {rows, at.columns}), static_cast<DataType>(type)));
  return true;
}

bool trilu(Writer& w) {
  Draft& draft = w.draft();
  const ValueId x = draft.node().input(0);
  const std::optional<std::size_t> rank = draft.rank(x);
  const std::optional<DataType> type = draft.type(x);
  if (!rank || *rank < 2 || !type) return draft.refuse("rank and element type are not known");
  if (!is_float(*type) && !is_integer(*type) && *type != DataType::boolean) return false;
  const Positions at = positions_of(w, x, *rank);
  Name rows = at.rows;
  if (draft.node().input(1)) {
    const std::optional<Ints> k = draft.ints(draft.node().input(1));
    if (!k || k->size() != 1) return draft.refuse(fmt::format("`{}` is not known", draft.in(1)));
    if (k->front() != 0) rows = w.add(rows, draft.int_constant(k->front(), "k"));
  }
  // Upper: column >= row + k; lower: column <= row + k.
  const bool is_upper = draft.int_attribute("upper", 1) != 0;
  const Name drops = w.op(is_upper ? "Greater" : "Less", {rows, at.columns});
  if (*type == DataType::boolean) {
    draft.becomes(0, w.op("And", {draft.in(0), w.op("Not", {drops})}));
    return true;
  }
  draft.becomes(0, w.where(drops, draft.scalar(0, *type, "zero"), draft.in(0)));
  return true;
}

bool one_hot(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  const std::optional<DataType> type = draft.type(draft.node().input(0));
  const std::optional<DataType> depth_type = draft.type(draft.node().input(1));
  if (!rank || !type || !depth_type) return draft.refuse("rank and element types are not known");
  std::int64_t axis = draft.int_attribute("axis", -1);
  if (axis < 0) axis += static_cast<std::int64_t>(*rank) + 1;
  if (axis < 0 || axis > static_cast<std::int64_t>(*rank)) return false;

  const Name indices = *type == DataType::int64 ? draft.in(0) : w.cast(draft.in(0), DataType::int64);
  const std::optional<Ints> known = draft.ints(draft.node().input(1));
  Name depth;
  Name places;
  if (known && known->size() == 1) {
    depth = draft.int_constant(known->front(), "depth");
    places = w.counting(known->front());
  } else {
    depth = *depth_type == DataType::int64 ? draft.in(1) : w.cast(draft.in(1), DataType::int64);
    // A vector of one number is allowed, too.
    const Name scalar = draft.rank(draft.node().input(1)) == 0U ? depth : w.reshape(depth, {});
    places = w.op("Range", {draft.int_constant(0), scalar, draft.int_constant(1)});
  }
  const Name front = w.from_the_front(indices, depth, DataType::int64);
  const std::int64_t behind = static_cast<std::int64_t>(*rank) - axis;
  const Name spread = behind == 0 ? places : w.unsqueeze(places, counted(1, behind + 1));
  const Name is_hot = w.op("Equal", {w.unsqueeze(front, {axis}), spread});
  const Name off = w.gather(draft.in(2), draft.int_constant(0), 0);
  const Name on = w.gather(draft.in(2), draft.int_constant(1), 0);
  draft.becomes(0, w.where(is_hot, on, off));
  return true;
}

bool hardmax(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const ValueId x = draft.node().input(0);
  const std::optional<std::size_t> rank = draft.rank(x);
  if (!rank) return draft.refuse("the rank is not known");
  constexpr std::int64_t kOneAxis = 13;
  const std::optional<std::size_t> axis =
      plain_axis(draft.int_attribute("axis", draft.opset() < kOneAxis ? 1 : -1), *rank);
  if (!axis) return false;
  if (draft.opset() < kOneAxis && *axis + 1 != *rank) {
    return draft.refuse("before opset 13 it is taken over several axes at once");
  }
  const auto at = static_cast<std::int64_t>(*axis);
  const Name first = w.op("ArgMax", {draft.in(0)}, {{"axis", at}, {"keepdims", std::int64_t{1}}});
  Name places = w.places(x, *axis);
  const std::int64_t behind = static_cast<std::int64_t>(*rank) - at - 1;
  if (behind > 0) places = w.unsqueeze(places, counted(1, behind + 1));
  draft.becomes(0, w.cast(w.op("Equal", {first, places}), *type));
  return true;
}

bool center_crop_pad(Writer& w) {
  Draft& draft = w.draft();
  const ValueId x = draft.node().input(0);
  const std::optional<std::size_t> rank = draft.rank(x);
  const std::optional<Ints> wanted = draft.ints(draft.node().input(1));
  if (!rank || !wanted) return draft.refuse(fmt::format("`{}` is not known", draft.in(1)));
  const Ints axes = draft.ints_attribute("axes").value_or(counted(0, static_cast<std::int64_t>(*rank)));
  if (axes.size() != wanted->size()) return false;
  Ints cropped;
  Ints starts;
  Ints ends;
  Ints pads(*rank * 2, 0);
  bool is_padded = false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::optional<std::size_t> axis = plain_axis(axes[i], *rank);
    if (!axis) return false;
    const Dim dim = draft.shapes()[x].dims[*axis];
    if (!dim.is_literal()) return draft.refuse(fmt::format("the size of axis {} is not known", *axis));
    const std::int64_t more = wanted->at(i) - dim.value();
    if (more < 0) {
      cropped.push_back(static_cast<std::int64_t>(*axis));
      starts.push_back(-more / 2);
      ends.push_back(-more / 2 + wanted->at(i));
    } else if (more > 0) {
      is_padded = true;
      pads[*axis] = more / 2;
      pads[*axis + *rank] = more - more / 2;
    }
  }
  Name y = draft.in(0);
  if (!cropped.empty()) y = w.slice(y, starts, ends, cropped);
  if (is_padded) y = w.op("Pad", {y, draft.ints_constant(pads, "pads")});
  draft.becomes(0, y);
  return true;
}

constexpr Expansion kExpandIndices[] = {{.op = "CenterCropPad", .kind = CureClass::proven, .write = center_crop_pad},
                                        {.op = "EyeLike", .kind = CureClass::proven, .write = eye_like},
                                        {.op = "Hardmax", .kind = CureClass::proven, .write = hardmax},
                                        {.op = "OneHot", .kind = CureClass::proven, .write = one_hot},
                                        {.op = "Trilu", .kind = CureClass::proven, .write = trilu}};

}  // namespace

std::span<const Expansion> index_expansions() noexcept { return kExpandIndices; }

}  // namespace trtcheck::cure
